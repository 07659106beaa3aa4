import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Empty } from '../../../parts/Empty.tsx';
import { IconChartBar } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { FiguresShape } from '../../../parts/shapes.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { Headline } from '../../../subjects/insight/Headline.tsx';
import { OrdersSection } from '../../../subjects/insight/OrdersSection.tsx';
import { Range } from '../../../subjects/insight/Range.tsx';
import { ago, duration, moreNotCharged, outcomes, share, whole } from '../../../subjects/insight/words.ts';
import {
  type OrdersInsight,
  ordersInsight,
  type Period,
  requestsInsight,
  type SpendInsight,
  spendInsight,
} from '../../api/insight.ts';
import { inCurrency } from '../../api/retail.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Destinations } from './Destinations.tsx';
import { RequestsSection } from './RequestsSection.tsx';
import { SpendSection } from './SpendSection.tsx';

const EVERY_MS = 15_000;
/** Figures older than this are marked as out of date. */
const LATE_SECONDS = 120;

export function Insight() {
  const { mode } = useMode();
  const filters = useFilters();
  const seesMoney = useMay()('see-money');
  const period: Period = { from: filters.of('from'), to: filters.of('to'), per: filters.of('per') };
  const kept = { placeholderData: keepPreviousData, refetchInterval: EVERY_MS } as const;
  const orders = useQuery({ ...ordersInsight(mode, period), ...kept });
  const spend = useQuery({ ...spendInsight(mode, period), ...kept, enabled: seesMoney });
  const requests = useQuery({ ...requestsInsight(mode, period), ...kept });
  const spent = seesMoney ? spend.data : undefined;
  return (
    <Page title="Insight" about={orders.data && <Age of={orders.data} mode={mode} />} shape={<FiguresShape />}>
      <Range filters={filters} shown={orders.data} />
      <Loaded query={orders} shape={<FiguresShape />}>
        {(data) => (
          <Stack gap="lg">
            <Late of={data} />
            <Headlines orders={data} spend={spent} />
            {data.total.orders + data.total.refused === 0 ? (
              <NoOrders />
            ) : (
              <>
                <OrdersSection of={data} />
                {seesMoney && <Loaded query={spend}>{(figures) => <SpendSection of={figures} />}</Loaded>}
                <Destinations of={data} spend={spent} />
              </>
            )}
          </Stack>
        )}
      </Loaded>
      <Loaded query={requests}>{(data) => <RequestsSection of={data} />}</Loaded>
    </Page>
  );
}

function Age({ of: { counted_until, age_seconds }, mode }: { of: OrdersInsight; mode: Mode }) {
  if (counted_until === null || age_seconds === null) return null;
  return (
    <>
      Counted up to <When at={counted_until} exact />, {ago(age_seconds)}.
      {mode === 'sandbox' && ' Sandbox orders are dated by your test clock.'}
    </>
  );
}

const NoOrders = () => (
  <Section title="Orders">
    <Empty icon={IconChartBar} title="No orders in these days">
      Choose other days above. Charts of orders, delivery and spend appear with the first one.
    </Empty>
  </Section>
);

function Late({ of: { age_seconds } }: { of: OrdersInsight }) {
  if (age_seconds !== null && age_seconds <= LATE_SECONDS) return null;
  return (
    <Alert color="yellow" title="These figures are incomplete" role="status">
      {age_seconds === null
        ? 'Your orders are being counted for the first time. The figures grow until that is done.'
        : `Orders and deliveries of the last ${ago(age_seconds).replace(' ago', '')} are not counted yet. The orders page has them.`}
    </Alert>
  );
}

function Headlines({ orders: { total, took }, spend }: { orders: OrdersInsight; spend: SpendInsight | undefined }) {
  const { orders, delivered, failed, refused, average_seconds } = total;
  const quick = took.slice(0, 3).reduce((sum, one) => sum + one.orders, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: spend ? 4 : 3 }} spacing="sm">
      <Headline name="Orders" note={moreNotCharged(refused)}>
        {whole(orders)}
      </Headline>
      <Headline name="Delivery success" note={outcomes(total)}>
        {share(delivered, delivered + failed)}
      </Headline>
      <Headline
        name="Average time to delivery"
        note={delivered > 0 ? `${share(quick, delivered)} within 30 seconds` : undefined}
      >
        {duration(average_seconds)}
      </Headline>
      {spend && (
        <Headline
          name={spend.retail ? 'Revenue at retail prices' : 'Spend'}
          note={
            spend.retail ? (
              <>
                <Money amount={spend.retail.margin} /> margin on a spend of <Money amount={spend.total.spent} />
              </>
            ) : (
              <>
                <Money amount={spend.total.charged} /> charged, <Money amount={spend.total.returned} /> given back
              </>
            )
          }
        >
          {spend.retail ? (
            inCurrency(spend.retail.revenue, spend.retail.currency)
          ) : (
            <Money amount={spend.total.spent} />
          )}
        </Headline>
      )}
    </SimpleGrid>
  );
}
