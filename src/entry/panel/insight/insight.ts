import { inUsd } from '../../../actions/action.ts';
import {
  formatRetail,
  type RetailPrices,
  type RetailSums,
  readRetail,
  retailSums,
} from '../../../domains/catalog/retail/retail.ts';
import {
  type PartnerFigures,
  type PartnerSums,
  type PlanBought,
  REQUEST_FIGURES_KEPT_DAYS,
  type RequestFigures,
  type Spent,
} from '../../../domains/insight/figures/figures.ts';
import { formatCents, toCents } from '../../../platform/amounts/cents.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, requireMode } from '../../site/json/action.ts';
import { type Aged, age, requireSpanAt, type SpanView, seconds } from '../../site/views/span.ts';
import { fields, type MemberCall, memberRead } from '../member-action.ts';

/** Sums over orders and requests, for whole days in UTC. Orders are dated by the account's clock, requests in real time. */
export const insightActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/insight/orders', {
    may: 'see',
    viewed: {
      ...fields('from', 'to', 'per', 'today', 'counted_until', 'age_seconds'),
      points: fields('at', 'orders', 'refused', 'delivered', 'failed', 'cancelled', 'average_seconds'),
      total: fields('orders', 'refused', 'delivered', 'failed', 'cancelled', 'average_seconds'),
      took: fields('up_to_seconds', 'orders'),
      destinations: fields('code', 'title', 'orders', 'delivered', 'failed', 'cancelled'),
    },
    async read(call) {
      const { insight } = worlds[requireMode(call)];
      const period = requireSpan(call);
      // The time is read first, so that the figures are never older than stated.
      const until = await insight.countedUntil();
      const figures = await insight.bought(call.member.partnerId, period.span);
      return { ...period.view, ...age(until, call.now), ...ordersView(figures) };
    },
  }),
  memberRead('/api/{mode}/insight/spend', {
    may: 'see-money',
    viewed: {
      ...fields('from', 'to', 'per', 'today', 'counted_until', 'age_seconds'),
      points: fields('at', 'charged', 'returned', 'spent', 'margin'),
      total: fields('charged', 'returned', 'spent'),
      destinations: fields('code', 'charged', 'returned', 'spent', 'margin'),
      retail: fields('currency', 'revenue', 'margin', 'unpriced'),
    },
    async read(call) {
      const { insight } = worlds[requireMode(call)];
      const period = requireSpan(call);
      const until = await insight.countedUntil();
      const { partnerId } = call.member;
      const [figures, retail] = await Promise.all([insight.bought(partnerId, period.span), readRetail(db, partnerId)]);
      const sold = retail.isEmpty ? [] : await insight.plans(partnerId, period.span);
      const brought = { retail, sold, isHourly: period.span.per === 'hour' };
      return { ...period.view, ...age(until, call.now), ...spendView(figures, brought) };
    },
  }),
  memberRead('/api/{mode}/insight/requests', {
    may: 'see',
    viewed: {
      ...fields('from', 'to', 'per', 'today', 'kept_days'),
      points: {
        at: true,
        statuses: 'values',
      },
      endpoints: fields('endpoint', 'requests', 'errors'),
    },
    async read(call) {
      const { insight } = worlds[requireMode(call)];
      const period = requireSpan(call);
      return { ...period.view, ...requestsView(await insight.requests(call.member.partnerId, period.span)) };
    },
  }),
];

const requireSpan = (call: MemberCall) =>
  requireSpanAt(call, { aheadMs: call.params.mode === 'sandbox' ? call.member.aheadMs : 0, finest: 'hour' });

/** Field by field: members without the right to see money get no amounts. */
const countsView = ({ orders, refused, delivered, failed, cancelled, tookMs }: PartnerSums) => ({
  ...{ orders, refused, delivered, failed, cancelled },
  average_seconds: seconds({ tookMs, delivered }),
});

const ordersView = ({ points, total, took, destinations }: PartnerFigures) => ({
  points: points.map(({ at, ...sums }) => ({ at: iso(at), ...countsView(sums) })),
  total: countsView(total),
  took: took.map(({ upToSeconds, orders }) => ({ up_to_seconds: upToSeconds, orders })),
  destinations: destinations.map(({ code, title, orders, delivered, failed, cancelled }) => ({
    ...{ code, title, orders, delivered, failed, cancelled },
  })),
});

const spentView = (spent: Spent) => ({
  ...inUsd(spent, 'charged', 'returned'),
  spent: formatCents(toCents(spent.charged - spent.returned)),
});

interface Brought {
  readonly retail: RetailPrices;
  readonly sold: readonly PlanBought[];
  /** Margins are not shown by the hour. */
  readonly isHourly: boolean;
}

const spendView = ({ points, total, destinations }: PartnerFigures, brought: Brought) => {
  const { retail, sold, isHourly } = brought;
  const byTime = marginsBy(brought, ({ at }) => String(at.getTime()));
  const byDestination = marginsBy(brought, ({ destination }) => destination);
  const marginOf = (margins: ReadonlyMap<string, RetailSums>, key: string) =>
    retail.isEmpty ? null : formatCents(margins.get(key)?.margin ?? toCents(0n));
  return {
    points: points.map(({ at, ...spent }) => ({
      at: iso(at),
      ...spentView(spent),
      /** Null without retail prices, and by the hour. */
      margin: isHourly ? null : marginOf(byTime, String(at.getTime())),
    })),
    total: spentView(total),
    destinations: destinations.map(({ code, ...spent }) => ({
      code,
      ...spentView(spent),
      margin: marginOf(byDestination, code),
    })),
    retail: retail.isEmpty ? null : retailView(retailSums(retail, sold), brought),
  };
};

const retailView = (sums: RetailSums, { retail }: Brought) => ({
  currency: retail.terms.currency,
  revenue: formatRetail(sums.revenue),
  ...inUsd(sums, 'margin', 'unpriced'),
});

function marginsBy({ retail, sold }: Brought, keyOf: (one: PlanBought) => string): ReadonlyMap<string, RetailSums> {
  const groups = Map.groupBy(sold, keyOf);
  return new Map([...groups].map(([key, ones]) => [key, retailSums(retail, ones)]));
}

const requestsView = ({ points, endpoints }: RequestFigures) => ({
  points: points.map(({ at, statuses }) => ({ at: iso(at), statuses })),
  endpoints,
  kept_days: REQUEST_FIGURES_KEPT_DAYS,
});

export type OrdersInsight = SpanView & Aged & ReturnType<typeof ordersView>;
