import type { SoughtOrders } from '../../api/orders.ts';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { useFilters } from '../../useFilters.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { NoOrders } from './NoOrders.tsx';
import { OrderFilters } from './OrderFilters.tsx';
import { OrderList } from './OrderList.tsx';

const PER_PAGE = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

export function Orders() {
  const { mode } = useMode();
  const filters = useFilters();
  const { of } = filters;
  const to = of('to');
  const sought: SoughtOrders = {
    status: of('status'),
    reference: of('reference'),
    iccid: of('iccid'),
    from: of('from'),
    to: to && dayAfter(to),
    before_id: of('before'),
  };
  return (
    <Page title="Orders" about="Newest first. Failed orders are listed only when you choose the status Failed.">
      <Notices mode={mode} about={['account', 'webhooks']} />
      <Section title="All orders" flush>
        <OrderFilters filters={filters} />
        <OrderList
          mode={mode}
          sought={sought}
          limit={PER_PAGE}
          goBefore={filters.goBefore}
          none={<NoOrders mode={mode} filters={filters} />}
        />
      </Section>
    </Page>
  );
}

/** The day in the field is included; the API's `to` is not. Text that is no date is left for the API to refuse. */
function dayAfter(date: string): string {
  const at = Date.parse(`${date}T00:00Z`);
  return Number.isNaN(at) ? date : new Date(at + DAY_MS).toISOString().slice(0, 10);
}
