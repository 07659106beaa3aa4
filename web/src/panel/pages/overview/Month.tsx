import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { ordersChart } from '../../../subjects/insight/ordersChart.ts';
import { ago } from '../../../subjects/insight/words.ts';
import type { Overview } from '../../api/overview.ts';
import { paths } from '../../paths.ts';

/** Figures older than this are marked as out of date. */
const LATE_SECONDS = 120;

/** The orders of 30 days by their outcome. Without any there is nothing to draw. */
export function Month({ mode, of }: { mode: Mode; of: Overview }) {
  if (of.days.every(({ orders, refused }) => orders + refused === 0)) return null;
  return (
    <Section
      title="Last 30 days"
      about={`Orders by the day they were placed, in UTC. ${lateness(of.age_seconds)}`}
      actions={
        <Anchor component={Link} to={paths.insight(mode)} size="sm" className="target">
          Insight
        </Anchor>
      }
    >
      <LazyChart data={{ ...ordersChart('day', of.days), label: 'Orders of the last 30 days' }} />
    </Section>
  );
}

function lateness(seconds: number | null): string {
  if (seconds === null) return 'Earlier orders are still being counted.';
  return seconds > LATE_SECONDS ? `Counted ${ago(seconds)}.` : '';
}
