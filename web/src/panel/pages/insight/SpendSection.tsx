import { TextInput } from '@mantine/core';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import { Section } from '../../../parts/Section.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { dollars } from '../../../subjects/insight/words.ts';
import type { SpendInsight } from '../../api/insight.ts';
import { useRetail, withMarkup } from '../../retail.ts';

/** What was spent and, at the markup the reader types, what it brings. */
export function SpendSection({ of: { per, points } }: { of: SpendInsight }) {
  const { markupPct } = useRetail();
  const spent = points.map((point) => Number(point.spent));
  const margins = spent.map((amount) => withMarkup(amount, markupPct ?? 0) - amount);
  return (
    <Section
      title={markupPct === undefined ? 'Spend' : 'Spend and revenue'}
      about="What the orders placed then cost you. Money given back is taken off where the order was placed."
      actions={<MarkupField />}
    >
      <LazyChart
        data={{
          label: markupPct === undefined ? `Spend by ${per}` : `Spend by ${per}, and your margin on top of it`,
          pointsLabel: stepLabel[per],
          kind: 'bars',
          points: pointsOf(per, points),
          series: [
            { name: 'Spend', colour: 1, values: spent },
            ...(markupPct === undefined ? [] : [{ name: 'Your margin', colour: 2, values: margins } as const]),
          ],
          format: dollars,
        }}
      />
    </Section>
  );
}

/** Kept in the browser, and used in the catalog, too. */
export function MarkupField() {
  const { markup, markupPct, setMarkup } = useRetail();
  return (
    <TextInput
      size="xs"
      w={190}
      label="Your markup in percent"
      description="Kept in this browser"
      placeholder="e.g. 40"
      inputMode="decimal"
      value={markup}
      onChange={({ currentTarget }) => setMarkup(currentTarget.value)}
      error={markup !== '' && markupPct === undefined ? 'A number from 0 to 1000' : undefined}
    />
  );
}
