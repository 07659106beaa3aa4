import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Page } from '../../../components/Page.tsx';
import { ImportsTab } from './ImportsTab.tsx';
import { PlansTab } from './PlansTab.tsx';

export function Catalog() {
  const [search, setSearch] = useSearchParams();
  return (
    <Page title="Catalog" about="Every plan of every supplier, on sale or not, and where plans come from.">
      <Tabs
        value={search.get('tab') === 'imports' ? 'imports' : 'plans'}
        onChange={(tab) => setSearch(tab === 'imports' ? { tab } : {}, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="plans">Plans</Tabs.Tab>
          <Tabs.Tab value="imports">Imports</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="plans">
          <PlansTab />
        </Tabs.Panel>
        <Tabs.Panel value="imports">
          <ImportsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
