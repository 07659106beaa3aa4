import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { priceSettings } from '../../api/prices.ts';
import { Cap } from './Cap.tsx';
import { CheckTab } from './CheckTab.tsx';
import { MarkupsTab } from './MarkupsTab.tsx';
import { RulesTab } from './RulesTab.tsx';
import { Tiers } from './Tiers.tsx';

const tabs: TabList = [
  { name: 'rules', label: 'Rules', Content: RulesTab },
  { name: 'check', label: 'Price check', Content: CheckTab },
  { name: 'shares', label: 'Tiers and cap', Content: SharesTab },
  { name: 'markups', label: 'Markups', Content: MarkupsTab },
];

export function Prices() {
  return (
    <Page
      title="Prices"
      about="A partner pays the list price less a share of your margin. Rules, the share agreed with the partner and the top-up tiers decide which share."
    >
      <AddressTabs tabs={tabs} given={{}} />
    </Page>
  );
}

function SharesTab() {
  const found = useQuery(priceSettings);
  return (
    <Loaded query={found} lines={6}>
      {(it) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Tiers key={JSON.stringify(it.tiers)} tiers={it.tiers} windowDays={it.window_days} />
          <Cap key={it.total_share_cap_pct} cap={it.total_share_cap_pct} />
        </SimpleGrid>
      )}
    </Loaded>
  );
}
