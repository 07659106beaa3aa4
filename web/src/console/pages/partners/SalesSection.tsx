import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Headline } from '../../../subjects/insight/Headline.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { amounts, share, whole } from '../../../subjects/insight/words.ts';
import { figures, type SalesView } from '../../api/home.ts';
import type { Partner } from '../../api/partners.ts';

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
              <Headline name="Orders" note={trendOf(sales)}>
                {whole(sales.total.orders)}
              </Headline>
              <Headline name="Revenue">
                <Money amount={sales.total.revenue} />
              </Headline>
              <Headline
                name="Margin"
                note={sales.total.margin_pct === null ? undefined : `${sales.total.margin_pct}% of revenue`}
              >
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
                  label: `Revenue of ${of.name} by ${sales.per}`,
                  pointsLabel: stepLabel[sales.per],
                  kind: 'line',
                  points: pointsOf(sales.per, sales.points),
                  series: [{ name: 'Revenue', colour: 1, values: sales.points.map(({ revenue }) => Number(revenue)) }],
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

/** The newer half of the days beside the older one. */
function trendOf({ points }: SalesView): string | undefined {
  const ordersIn = (some: SalesView['points']) => some.reduce((sum, { orders }) => sum + orders, 0);
  const half = Math.floor((points.length - 1) / 2);
  if (half < 1) return undefined;
  // Today is not over, so it is left out of both.
  const [older, newer] = [ordersIn(points.slice(-2 * half - 1, -half - 1)), ordersIn(points.slice(-half - 1, -1))];
  if (older === 0) return newer === 0 ? undefined : `${whole(newer)} in the last ${half} days, none before`;
  const change = newer - older;
  if (change === 0) return `As many as in the ${half} days before`;
  return `${share(Math.abs(change), older)} ${change > 0 ? 'more' : 'fewer'} than in the ${half} days before`;
}
