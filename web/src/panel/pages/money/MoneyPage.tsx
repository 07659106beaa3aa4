import { SimpleGrid } from '@mantine/core';
import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Allowed } from '../../Allowed.tsx';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { Balance } from '../overview/Balance.tsx';
import { AccountLimits } from './AccountLimits.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { MonthsTab } from './MonthsTab.tsx';
import { PricingTab } from './PricingTab.tsx';
import { ShareTab } from './ShareTab.tsx';
import { StatementTab } from './StatementTab.tsx';
import { TopUp } from './TopUp.tsx';

const tabs: TabList<{ mode: Mode }> = [
  { name: 'history', label: 'History', Content: HistoryTab },
  { name: 'statement', label: 'Statement', Content: StatementTab },
  { name: 'months', label: 'Monthly', Content: MonthsTab },
  { name: 'share', label: 'Revenue share', Content: ShareTab },
  { name: 'prices', label: 'Prices', Content: PricingTab },
];

export function MoneyPage() {
  const { mode } = useMode();
  return (
    <Page
      title="Money"
      about="All amounts are in US dollars. Purchases are paid from your wallet or, on invoice terms, from your credit line."
    >
      <Allowed to="see-money" cannot="see money">
        <Money mode={mode} />
      </Allowed>
    </Page>
  );
}

function Money({ mode }: { mode: Mode }) {
  return (
    <>
      <Notices mode={mode} about={['account', 'billing', 'topups']} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Balance mode={mode} />
        <TopUp key={mode} mode={mode} />
      </SimpleGrid>
      <AccountLimits mode={mode} />
      <AddressTabs tabs={tabs} given={{ mode }} />
    </>
  );
}
