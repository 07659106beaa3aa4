import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import { Section } from '../../../parts/Section.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { amounts, dollars } from '../../../subjects/insight/words.ts';
import type { SpendInsight } from '../../api/insight.ts';
import { paths } from '../../paths.ts';

/** What was spent and what it earns at the partner's retail prices. */
export function SpendSection({ of: { per, points, retail } }: { of: SpendInsight }) {
  const spent = points.map((point) => Number(point.spent));
  const margins = points.map(({ margin }) => margin);
  const isShown = retail !== null && margins.every((margin) => margin !== null);
  return (
    <Section
      title={isShown ? 'Spend and margin' : 'Spend'}
      about="What the orders placed in each period cost you, less their refunds."
    >
      <LazyChart
        data={{
          label: isShown ? `Spend by ${per}, and your margin on top of it` : `Spend by ${per}`,
          pointsLabel: stepLabel[per],
          kind: 'bars',
          points: pointsOf(per, points),
          series: [
            { name: 'Spend', colour: 1, values: spent },
            ...(isShown
              ? [{ name: 'Your margin', colour: 2, values: margins.map(Number), total: Number(retail.margin) } as const]
              : []),
          ],
          measure: amounts,
        }}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {retail === null ? 'Set your ' : 'Revenue and margin are at your '}
        <Anchor component={Link} to={paths.retail} size="sm">
          retail prices
        </Anchor>
        {retail === null
          ? ' to see what your sales bring.'
          : ` of today. ${per === 'hour' ? 'They are counted by day, so the bars by hour show spend alone. ' : ''}`}
        {retail &&
          Number(retail.unpriced) > 0 &&
          `${dollars(Number(retail.unpriced))} was spent on plans without a retail price, which are left out.`}
      </Text>
    </Section>
  );
}
