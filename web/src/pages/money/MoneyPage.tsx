import { SimpleGrid, Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router';
import { Allowed } from '../../components/Allowed.tsx';
import { Page } from '../../components/Page.tsx';
import type { Mode } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { Balance } from '../overview/Balance.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { MonthsTab } from './MonthsTab.tsx';
import { PricingTab } from './PricingTab.tsx';
import { ShareTab } from './ShareTab.tsx';
import { StatementTab } from './StatementTab.tsx';
import { TopUp } from './TopUp.tsx';

const tabs: readonly { name: string; label: string; Content: ComponentType<{ mode: Mode }> }[] = [
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
  const [search, setSearch] = useSearchParams();
  return (
    <>
      <Notices mode={mode} about={['account', 'topups']} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Balance mode={mode} />
        <TopUp key={mode} mode={mode} />
      </SimpleGrid>
      <Tabs
        value={tabs.find(({ name }) => name === search.get('tab'))?.name ?? 'history'}
        onChange={(tab) => setSearch({ tab: tab ?? 'history' }, { replace: true })}
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
            <Content mode={mode} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
