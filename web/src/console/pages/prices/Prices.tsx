import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router';
import { Page } from '../../../components/Page.tsx';
import { CheckTab } from './CheckTab.tsx';
import { MarkupsTab } from './MarkupsTab.tsx';
import { RulesTab } from './RulesTab.tsx';
import { SharesTab } from './SharesTab.tsx';

const tabs: readonly { name: string; label: string; Content: ComponentType }[] = [
  { name: 'rules', label: 'Rules', Content: RulesTab },
  { name: 'check', label: 'Price check', Content: CheckTab },
  { name: 'shares', label: 'Tiers and cap', Content: SharesTab },
  { name: 'markups', label: 'Markups', Content: MarkupsTab },
];

export function Prices() {
  const [search, setSearch] = useSearchParams();
  return (
    <Page
      title="Prices"
      about="A partner pays the list price less a share of your margin. Rules, the share agreed with the partner and the top-up tiers decide which share."
    >
      <Tabs
        value={tabs.find(({ name }) => name === search.get('tab'))?.name ?? 'rules'}
        onChange={(tab) => setSearch({ tab: tab ?? 'rules' }, { replace: true })}
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
