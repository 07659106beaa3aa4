import { Stack } from '@mantine/core';
import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { Page } from '../../../parts/Page.tsx';
import { CardsTab } from './CardsTab.tsx';
import { ExportsTab } from './ExportsTab.tsx';
import { Proofs } from './Proofs.tsx';
import { SettlementTab } from './SettlementTab.tsx';
import { StatementsTab } from './StatementsTab.tsx';
import { TrialBalance } from './TrialBalance.tsx';

const tabs: TabList = [
  { name: 'ledger', label: 'Ledger', Content: LedgerTab },
  { name: 'settlement', label: 'Settlement', Content: SettlementTab },
  { name: 'cards', label: 'Card payments', Content: CardsTab },
  { name: 'statements', label: 'Statements', Content: StatementsTab },
  { name: 'exports', label: 'Exports', Content: ExportsTab },
];

export function MoneyPage() {
  return (
    <Page title="Money" about="All amounts are in US dollars.">
      <AddressTabs tabs={tabs} given={{}} />
    </Page>
  );
}

/** Whether the books add up: now, account by account, and as proved row by row. */
function LedgerTab() {
  return (
    <Stack gap="lg">
      <Proofs />
      <TrialBalance />
    </Stack>
  );
}
