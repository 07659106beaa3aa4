import { SimpleGrid } from '@mantine/core';
import type { OrdersInsight } from '../../../../src/entry/panel/insight/insight.ts';
import { LazyChart } from '../../parts/charts/LazyChart.tsx';
import { Section } from '../../parts/Section.tsx';
import { ordersChart } from './ordersChart.ts';
import { pointsOf, stepLabel } from './points.ts';
import { counts, percentOf, percents } from './words.ts';

/** Orders by time, and how long their delivery took. */
export function OrdersSection({ of: { per, points, took } }: { of: Pick<OrdersInsight, 'per' | 'points' | 'took'> }) {
  return (
    <>
      <Section
        title="Orders"
        about="By the time they were placed. Orders that failed after payment, and cancelled ones, got their money back."
      >
        <LazyChart data={ordersChart(per, points)} />
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title="Time to delivery" about="From payment to the eSIM.">
          <LazyChart
            data={{
              label: 'Delivered orders by the time it took',
              pointsLabel: 'Took',
              kind: 'bars',
              points: took.map(({ up_to_seconds }, i) => ({
                name: tookWords[i] ?? String(up_to_seconds),
                short: tookShort[i] ?? '',
              })),
              series: [{ name: 'Orders', colour: 2, values: took.map(({ orders }) => orders) }],
              measure: counts,
            }}
          />
        </Section>
        <Section
          title="Delivery success"
          about="Of the paid orders that were delivered or failed, how many were delivered. Cancelled ones are left out."
        >
          <LazyChart
            data={{
              label: `Delivery success by ${per}`,
              pointsLabel: stepLabel[per],
              kind: 'line',
              points: pointsOf(per, points).filter((_, i) => ended(points[i]) > 0),
              series: [
                {
                  name: 'Delivered',
                  colour: 2,
                  values: points
                    .filter((point) => ended(point) > 0)
                    .map((point) => percentOf(point.delivered, ended(point))),
                },
              ],
              measure: percents,
            }}
          />
        </Section>
      </SimpleGrid>
    </>
  );
}

const ended = (point: OrdersInsight['points'][number] | undefined): number =>
  point === undefined ? 0 : point.delivered + point.failed;

const tookWords = [
  'Up to 1 second',
  '1 to 5 seconds',
  '5 to 30 seconds',
  '30 seconds to 2 minutes',
  '2 to 10 minutes',
  '10 minutes to 1 hour',
  'More than 1 hour',
];
const tookShort = ['≤ 1 s', '≤ 5 s', '≤ 30 s', '≤ 2 min', '≤ 10 min', '≤ 1 h', '> 1 h'];
