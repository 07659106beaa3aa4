import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router';
import { Page } from '../../../components/Page.tsx';
import { CardsTab } from './CardsTab.tsx';
import { ExportsTab } from './ExportsTab.tsx';
import { LedgerTab } from './LedgerTab.tsx';
import { SettlementTab } from './SettlementTab.tsx';
import { StatementsTab } from './StatementsTab.tsx';

const tabs: readonly { name: string; label: string; Content: ComponentType }[] = [
  { name: 'ledger', label: 'Ledger', Content: LedgerTab },
  { name: 'settlement', label: 'Settlement', Content: SettlementTab },
  { name: 'cards', label: 'Card payments', Content: CardsTab },
  { name: 'statements', label: 'Statements', Content: StatementsTab },
  { name: 'exports', label: 'Exports', Content: ExportsTab },
];

export function MoneyPage() {
  const [search, setSearch] = useSearchParams();
  return (
    <Page title="Money" about="All amounts are in US dollars.">
      <Tabs
        value={tabs.find(({ name }) => name === search.get('tab'))?.name ?? 'ledger'}
        onChange={(tab) => setSearch({ tab: tab ?? 'ledger' }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
