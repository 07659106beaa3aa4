import { Button, Group, Menu } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { chooseColumn } from '../../../parts/ChosenBar.tsx';
import { IconDownload } from '../../../parts/icons.ts';
import { type ManyDone, ManyOutcome } from '../../../parts/ManyOutcome.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChosen } from '../../../parts/useChosen.ts';
import { type Filters, useFilters } from '../../../parts/useFilters.ts';
import { hasOpenState, type OrderListFilter, type OrderRow, ordersFile } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { CancelMany } from './CancelMany.tsx';
import { NoOrders } from './NoOrders.tsx';
import { OrderFilters } from './OrderFilters.tsx';
import { OrderList, useOrders } from './OrderList.tsx';
import { RefundBatch } from './RefundBatch.tsx';

const PER_PAGE = 20;

export function Orders() {
  const { mode } = useMode();
  const may = useMay();
  const filters = useFilters();
  const [outcome, setOutcome] = useState<ManyDone>();
  const { of } = filters;
  const query: OrderListFilter = {
    status: of('status'),
    reference: of('reference'),
    iccid: of('iccid'),
    product_id: of('product_id'),
    batch: of('batch'),
    key: of('key'),
    from: of('from'),
    to: of('to'),
    before: of('before'),
  };
  return (
    <Page
      title="Orders"
      about="Newest first, failed ones included."
      actions={
        may('buy') && (
          <Button component={Link} to={paths.catalog(mode)}>
            Buy an eSIM
          </Button>
        )
      }
    >
      <Notices mode={mode} about={['account', 'webhooks']} />
      {outcome && <ManyOutcome of={outcome} onClose={() => setOutcome(undefined)} />}
      <Section
        title="All orders"
        flush
        actions={
          <Group gap="xs">
            {query.batch && may('refund') && <RefundBatch key={query.batch} mode={mode} batch={query.batch} />}
            <DownloadOrders mode={mode} query={query} />
          </Group>
        }
      >
        <OrderFilters mode={mode} filters={filters} />
        <List {...{ mode, query, filters, setOutcome }} />
      </Section>
    </Page>
  );
}

interface ListProps {
  mode: Mode;
  query: OrderListFilter;
  filters: Filters;
  setOutcome: (outcome: ManyDone) => void;
}

/** Orders that are still open can be cancelled together. */
function List({ mode, query, filters, setOutcome }: ListProps) {
  const may = useMay();
  const chosen = useChosen<OrderRow>(({ id }) => id, JSON.stringify([mode, query]));
  const size = pageSize(filters, PER_PAGE);
  const read = useOrders(mode, query, size).data?.orders ?? [];
  const open = may('refund') ? read.filter(hasOpenState) : [];
  const lead = chooseColumn(chosen, (row) => (hasOpenState(row) ? `Choose order ${row.id}` : undefined), 'fact');
  const isChoosing = open.length > 0 || chosen.rows.length > 0;
  return (
    <>
      <OrderList
        lead={isChoosing ? lead : undefined}
        goBefore={filters.goBefore}
        none={<NoOrders mode={mode} filters={filters} />}
        {...{ mode, query, size }}
      />
      {isChoosing && <CancelMany rows={open} onDone={setOutcome} {...{ mode, chosen }} />}
    </>
  );
}

/** The list as a file: all its pages, with the filters that are set. */
function DownloadOrders({ mode, query }: { mode: Mode; query: OrderListFilter }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          Download CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={ordersFile(mode, query)} download>
          Times in UTC
        </Menu.Item>
        <Menu.Item component="a" href={ordersFile(mode, query, timeZone)} download>
          UTC and local time ({timeZone})
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
