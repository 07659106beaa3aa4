import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import { count } from '../../../parts/count.ts';
import { Empty } from '../../../parts/Empty.tsx';
import { IconChartBar } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { Headline } from '../../../subjects/insight/Headline.tsx';
import { OrdersSection } from '../../../subjects/insight/OrdersSection.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { Range } from '../../../subjects/insight/Range.tsx';
import {
  ago,
  amounts,
  duration,
  moreNotCharged,
  outcomes,
  share,
  times,
  whole,
} from '../../../subjects/insight/words.ts';
import { figures, type SalesView } from '../../api/home.ts';
import { SalesBy } from './SalesBy.tsx';

const EVERY_MS = 30_000;
/** Figures older than this are marked as out of date. */
const LATE_SECONDS = 120;
const kinds = ['partner', 'supplier', 'destination'] as const;

/** Live sales by day, partner, supplier and destination. Days and filters are in the address. */
export function Sales() {
  const filters = useFilters();
  const chosen = Object.fromEntries(['from', 'to', 'per', ...kinds].map((name) => [name, filters.of(name)]));
  const read = useQuery({ ...figures(chosen), placeholderData: keepPreviousData, refetchInterval: EVERY_MS });
  return (
    <Stack component="section" gap="lg" aria-labelledby="sales">
      <div>
        <Title order={2} id="sales">
          Sales
        </Title>
        {read.data && <Age of={read.data} />}
      </div>
      <Range filters={filters} shown={read.data} isHourly={false} />
      <Only filters={filters} of={read.data} />
      <Loaded query={read} lines={8}>
        {(data) => (
          <>
            <Late of={data} />
            <Headlines of={data.total} took={data.took} />
            {data.total.orders + data.total.refused === 0 ? (
              <Section title="Orders">
                <Empty icon={IconChartBar} title="No orders in these days">
                  Choose other days above. Charts appear with the first order.
                </Empty>
              </Section>
            ) : (
              <>
                <OrdersSection of={data} />
                <MoneyCharts of={data} />
                <SalesBy of={data} filter={filters.filter} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Age({ of: { counted_until, age_seconds } }: { of: SalesView }) {
  if (counted_until === null || age_seconds === null) return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      Live orders, by the day they were placed. Counted up to <When at={counted_until} exact />, {ago(age_seconds)}.
    </Text>
  );
}

function Late({ of: { age_seconds } }: { of: SalesView }) {
  if (age_seconds !== null && age_seconds <= LATE_SECONDS) return null;
  return (
    <Alert color="yellow" title="These figures are incomplete" role="status">
      {age_seconds === null
        ? 'All orders are being counted for the first time. The figures grow until that is done.'
        : `Orders and deliveries of the last ${ago(age_seconds).replace(' ago', '')} are not counted yet.`}
    </Alert>
  );
}

/** The filters in force, with a link that clears them. */
function Only({ filters, of }: { filters: ReturnType<typeof useFilters>; of: SalesView | undefined }) {
  const chosen = kinds.flatMap((kind) => {
    const key = filters.of(kind);
    const rows = of?.[`${kind}s`];
    return key === undefined ? [] : [{ kind, name: rows?.find((row) => row.key === key)?.title ?? key }];
  });
  if (chosen.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm">Only</Text>
      {chosen.map(({ kind, name }) => (
        <Group key={kind} gap={6}>
          <Badge tt="none" size="lg" color="gray">
            {kind}: {name}
          </Badge>
          <Button
            size="compact-sm"
            h={30}
            variant="default"
            aria-label={`Show every ${kind} again`}
            onClick={() => filters.filter({ [kind]: undefined })}
          >
            Show all
          </Button>
        </Group>
      ))}
    </Group>
  );
}

function Headlines({ of, took }: { of: SalesView['total']; took: SalesView['took'] }) {
  const quick = took.slice(0, 3).reduce((sum, one) => sum + one.orders, 0);
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
      <Headline name="Orders" note={moreNotCharged(of.refused)}>
        {whole(of.orders)}
      </Headline>
      <Headline
        name="Revenue"
        note={
          <>
            <Money amount={of.charged} /> charged, <Money amount={of.returned} /> given back
          </>
        }
      >
        <Money amount={of.revenue} />
      </Headline>
      <Headline
        name="Margin"
        note={
          of.without_cost > 0
            ? `without ${count(of.without_cost, 'order')} of unknown cost`
            : of.margin_pct === null
              ? undefined
              : `${of.margin_pct}% of revenue`
        }
      >
        <Money amount={of.margin} />
      </Headline>
      <Headline name="Delivery success" note={outcomes(of)}>
        {share(of.delivered, of.delivered + of.failed)}
      </Headline>
      <Headline
        name="Average time to delivery"
        note={of.delivered > 0 ? `${share(quick, of.delivered)} within 30 seconds` : undefined}
      >
        {duration(of.average_seconds)}
      </Headline>
    </SimpleGrid>
  );
}

function MoneyCharts({ of: { per, points, total } }: { of: SalesView }) {
  const timed = points.filter(({ average_seconds }) => average_seconds !== null);
  return (
    <>
      <Section
        title="Revenue and margin"
        about="Revenue is what was charged for the orders placed then, less what was given back. Margin is that less what suppliers charge for them, before revenue share and with withdrawn eSIMs at full cost."
      >
        <LazyChart
          data={{
            label: `Revenue and margin by ${per}`,
            pointsLabel: stepLabel[per],
            kind: 'line',
            points: pointsOf(per, points),
            series: [
              { name: 'Revenue', colour: 1, values: points.map(({ revenue }) => Number(revenue)) },
              {
                name: 'Margin',
                colour: 2,
                values: points.map(({ margin }) => Number(margin)),
                total: Number(total.margin),
              },
            ],
            measure: amounts,
          }}
        />
      </Section>
      <Section title="Average time to delivery" about={`From payment to the eSIM, by ${per}.`}>
        <LazyChart
          data={{
            label: `Average time to delivery by ${per}`,
            pointsLabel: stepLabel[per],
            kind: 'line',
            points: pointsOf(per, timed),
            series: [{ name: 'Average', colour: 3, values: timed.map(({ average_seconds }) => average_seconds ?? 0) }],
            measure: times,
          }}
        />
      </Section>
    </>
  );
}
