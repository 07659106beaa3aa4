import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { Page } from '../../../parts/Page.tsx';
import { ImportsTab } from './ImportsTab.tsx';
import { PlansTab } from './PlansTab.tsx';

const tabs: TabList = [
  { name: 'plans', label: 'Plans', Content: PlansTab },
  { name: 'imports', label: 'Imports', Content: ImportsTab },
];

export function Catalog() {
  return (
    <Page title="Catalog" about="Every plan of every supplier, on sale or not, and where plans come from.">
      <AddressTabs tabs={tabs} given={{}} isFirstUnnamed />
    </Page>
  );
}
