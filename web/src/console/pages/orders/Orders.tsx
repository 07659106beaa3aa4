import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { useWorld } from '../../useWorld.ts';
import { WorldSwitch } from '../../WorldSwitch.tsx';
import { OrderFilters } from './OrderFilters.tsx';
import { OrderList } from './OrderList.tsx';

export function Orders() {
  const mode = useWorld();
  const filters = useFilters();
  return (
    <Page title="Orders" about="Of all partners, newest first." actions={<WorldSwitch />}>
      <Section title={mode === 'live' ? 'Live orders' : 'Sandbox orders'} flush>
        <OrderFilters key={mode} mode={mode} filters={filters} />
        <OrderList mode={mode} filters={filters} />
      </Section>
    </Page>
  );
}
