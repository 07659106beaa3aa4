import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { Page } from '../../../parts/Page.tsx';
import { CheckTab } from './CheckTab.tsx';
import { MarkupsTab } from './MarkupsTab.tsx';
import { RulesTab } from './RulesTab.tsx';
import { SharesTab } from './SharesTab.tsx';

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
