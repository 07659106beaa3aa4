import type { SaleSums, Sales, SalesBy } from '../../../domains/insight/figures/figures.ts';
import { centsToMicros, formatCents, microsToCentsHalfUp, toCents, toMicros } from '../../../platform/amounts/cents.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { age, requireSpanAt, seconds } from '../../site/views/span.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

/** Destinations in one answer; those with the most orders come first. */
const MOST_DESTINATIONS = 100;

export const figureActions = ({ worlds }: Base) => [
  operatorRead('/operator/api/figures', async (call) => {
    const { insight } = worlds.live;
    const period = requireSpanAt(call, { aheadMs: 0, finest: 'day' });
    // The time is read first, so that the figures are never older than stated.
    const until = await insight.countedUntil();
    const sales = await insight.sales(period.span, filterOf(call));
    return { ...period.view, ...age(until, call.now), ...view(sales) };
  }),
];

function filterOf(call: OperatorCall) {
  const { smallId, text } = filtersFrom(call, 'invalid_input');
  return { partnerId: smallId('partner'), supplier: text('supplier'), destination: text('destination') };
}

function sumsView(sums: SaleSums) {
  const {
    orders,
    refused,
    delivered,
    failed,
    cancelled,
    charged,
    returned,
    costed,
    costedCharged,
    costedReturned,
    cost,
  } = sums;
  const kept = toCents(costedCharged - costedReturned);
  return {
    ...{ orders, refused, delivered, failed, cancelled },
    average_seconds: seconds(sums),
    charged: formatCents(charged),
    returned: formatCents(returned),
    revenue: formatCents(toCents(charged - returned)),
    /** Orders whose cost is not known: they are left out of cost and margin. */
    without_cost: orders - costed,
    cost: formatCents(microsToCentsHalfUp(cost)),
    margin: formatCents(microsToCentsHalfUp(toMicros(centsToMicros(kept) - cost))),
    /** What the margin is a part of; null: nothing. */
    margin_pct: kept > 0n ? Number(((centsToMicros(kept) - cost) * 1000n) / centsToMicros(kept)) / 10 : null,
  };
}

const rowView = ({ key, title, ...sums }: SalesBy) => ({ key, title, ...sumsView(sums) });

const view = ({ points, total, took, partners, partnersInAll, suppliers, destinations }: Sales) => ({
  points: points.map(({ at, ...sums }) => ({ at: iso(at), ...sumsView(sums) })),
  total: sumsView(total),
  took: took.map(({ upToSeconds, orders }) => ({ up_to_seconds: upToSeconds, orders })),
  partners: partners.map(rowView),
  suppliers: suppliers.map(rowView),
  destinations: destinations.slice(0, MOST_DESTINATIONS).map(rowView),
  /** Rows that are not in the answer. */
  more_partners: partnersInAll - partners.length,
  more_destinations: Math.max(0, destinations.length - MOST_DESTINATIONS),
});

export type SalesRow = ReturnType<typeof rowView>;
