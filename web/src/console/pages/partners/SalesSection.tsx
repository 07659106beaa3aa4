import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import { count } from '../../../parts/count.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Headline } from '../../../subjects/insight/Headline.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { amounts, whole } from '../../../subjects/insight/words.ts';
import { figures, type SalesView } from '../../api/home.ts';
import type { Partner } from '../../api/partners.ts';
import { moneyTrend, ordersTrend } from './trend.ts';

/** What the partner bought in live in the last 30 days, whether it grows, and what it has left to buy with. */
export function SalesSection({ of }: { of: Partner }) {
  const found = useQuery({ ...figures({ partner: of.id }), refetchInterval: 60_000 });
  return (
    <Section title="Sales" about="Live orders of the last 30 days, by the day they were placed.">
      <Loaded query={found} lines={8}>
        {(sales) => (
          <Stack>
            <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
              <Headline name={of.billing_mode === 'postpaid' ? 'Owed' : 'Balance'}>
                <Money amount={of.billing_mode === 'postpaid' ? of.wallet.debt : of.wallet.balance} />
              </Headline>
              <Headline name="Orders" note={ordersTrend(sales.points)}>
                {whole(sales.total.orders)}
              </Headline>
              <Headline name="Revenue" note={moneyTrend(sales.points, 'revenue')}>
                <Money amount={sales.total.revenue} />
              </Headline>
              <Headline name="Margin" note={marginNote(sales)}>
                <Money amount={sales.total.margin} />
              </Headline>
            </SimpleGrid>
            {sales.total.orders === 0 ? (
              <Text size="sm" c="dimmed">
                Nothing was bought in these days.
              </Text>
            ) : (
              <LazyChart
                data={{
                  label: `Revenue and margin of ${of.name} by ${sales.per}`,
                  pointsLabel: stepLabel[sales.per],
                  kind: 'line',
                  points: pointsOf(sales.per, sales.points),
                  series: [
                    { name: 'Revenue', colour: 1, values: sales.points.map(({ revenue }) => Number(revenue)) },
                    {
                      name: 'Margin',
                      colour: 2,
                      values: sales.points.map(({ margin }) => Number(margin)),
                      total: Number(sales.total.margin),
                    },
                  ],
                  measure: amounts,
                }}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

const marginNote = ({ total, points }: SalesView): string =>
  [
    total.without_cost > 0
      ? `without ${count(total.without_cost, 'order')} of unknown cost`
      : total.margin_pct !== null && `${total.margin_pct}% of revenue`,
    moneyTrend(points, 'margin'),
  ]
    .filter(Boolean)
    .join(', ');
