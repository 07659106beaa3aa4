import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { Page } from '../../../parts/Page.tsx';
import { WorldSwitch } from '../../WorldSwitch.tsx';
import { ListTab } from './ListTab.tsx';
import { SetUpTab } from './SetUpTab.tsx';

const tabs: TabList = [
  { name: 'list', label: 'Invoices', Content: ListTab },
  { name: 'set-up', label: 'Seller and tax', Content: SetUpTab },
];

export function Invoices() {
  return (
    <Page
      title="Invoices"
      about="One for each partner and calendar month (UTC) with sales, issued on the 1st of the next. All amounts are in US dollars."
      actions={<WorldSwitch />}
    >
      <AddressTabs tabs={tabs} given={{}} isFirstUnnamed />
    </Page>
  );
}
