import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import type { SoughtOrders } from '../../api/orders.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { DownloadOrders } from './DownloadOrders.tsx';
import { NoOrders } from './NoOrders.tsx';
import { OrderFilters } from './OrderFilters.tsx';
import { OrderList } from './OrderList.tsx';

const PER_PAGE = 20;

export function Orders() {
  const { mode } = useMode();
  const filters = useFilters();
  const { of } = filters;
  const sought: SoughtOrders = {
    status: of('status'),
    reference: of('reference'),
    iccid: of('iccid'),
    product_id: of('product_id'),
    key: of('key'),
    from: of('from'),
    to: of('to'),
    before: of('before'),
  };
  return (
    <Page title="Orders" about="Newest first, failed ones included.">
      <Notices mode={mode} about={['account', 'webhooks']} />
      <Section title="All orders" flush actions={<DownloadOrders mode={mode} sought={sought} />}>
        <OrderFilters mode={mode} filters={filters} />
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
