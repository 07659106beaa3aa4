import type { Base } from '../base.ts';
import { DAY } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import {
  MAX_POINTS,
  type OrderFigures,
  REQUEST_FIGURES_KEPT_DAYS,
  type RequestFigures,
  type Span,
  type SpendFigures,
  type Step,
  stepsOf,
} from '../insight/insight.ts';
import { formatCents, toCents } from '../money/money.ts';
import { type Call, iso, type MemberAction, type MemberCall, memberAction, requireMode } from '../site/action.ts';

/** Sums over orders and requests, for whole days in UTC. Orders are dated by the account's clock, requests in real time. */
export const insightActions = ({ worlds }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/insight/orders',
    may: 'see',
    viewed: `from,to,per,today,counted_until,age_seconds,points(at,orders,refused,delivered,failed,average_seconds),
      total(orders,refused,delivered,failed,average_seconds),took(up_to_seconds,orders),destinations(code,title,
      orders,delivered,failed)`,
    async handle(call) {
      const { insight } = worlds[requireMode(call)];
      const asked = requireSpan(call);
      // First the time, so that the figures are never older than we say.
      const until = await insight.countedUntil();
      const figures = await insight.orders(call.member.partnerId, asked.span);
      return { body: { ...asked.view, ...age(until, call.now), ...ordersView(figures) } };
    },
  }),
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/insight/spend',
    may: 'see-money',
    viewed: `from,to,per,today,counted_until,age_seconds,points(at,charged,returned,spent),total(charged,returned,spent),
      destinations(code,charged,returned,spent)`,
    async handle(call) {
      const { insight } = worlds[requireMode(call)];
      const asked = requireSpan(call);
      const until = await insight.countedUntil();
      const figures = await insight.spend(call.member.partnerId, asked.span);
      return { body: { ...asked.view, ...age(until, call.now), ...spendView(figures) } };
    },
  }),
  memberAction({
    verb: 'GET',
    path: '/api/{mode}/insight/requests',
    may: 'see',
    viewed: 'from,to,per,today,points(at,statuses(*)),endpoints(endpoint,requests,errors),kept_days',
    async handle(call) {
      const { insight } = worlds[requireMode(call)];
      const asked = requireSpan(call);
      return {
        body: { ...asked.view, ...requestsView(await insight.requests(call.member.partnerId, asked.span)) },
      };
    },
  }),
];

const DEFAULT_DAYS = 30;
/** Enough for a year beside the one before it. */
const MAX_DAYS = 800;

const requireSpan = (call: MemberCall) =>
  requireSpanAt(call, { aheadMs: call.params.mode === 'sandbox' ? call.member.aheadMs : 0, finest: 'hour' });

/** The days asked for. `finest` is the smallest step there are figures for. */
export function requireSpanAt(
  call: Pick<Call, 'query' | 'now'>,
  { aheadMs, finest }: { readonly aheadMs: number; readonly finest: 'hour' | 'day' },
): { span: Span; view: SpanView } {
  const today = Math.floor((call.now + aheadMs) / DAY) * DAY;
  const last = requireDay(call, 'to') ?? today;
  const first = requireDay(call, 'from') ?? last - (DEFAULT_DAYS - 1) * DAY;
  const days = (last - first) / DAY + 1;
  if (days < 1) throw new Refused('invalid_input', 'the first day must not be after the last one');
  if (days > MAX_DAYS) throw new Refused('invalid_input', `choose at most ${MAX_DAYS} days`);
  const per = requireStep(call.query('per'), finest) ?? (days <= 3 ? finest : days <= 120 ? 'day' : 'month');
  const span = { from: new Date(first), to: new Date(last + DAY), per };
  if (stepsOf(span) > MAX_POINTS)
    throw new Refused('invalid_input', `choose fewer days, or more than one ${per} a bar`);
  return { span, view: { from: dayOf(first), to: dayOf(last), per, today: dayOf(today) } };
}

export interface SpanView {
  /** First and last day, both included. */
  readonly from: string;
  readonly to: string;
  readonly per: Step;
  /** By the account's clock. */
  readonly today: string;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function requireDay({ query }: Pick<Call, 'query'>, name: 'from' | 'to'): number | undefined {
  const text = query(name);
  if (text === '') return undefined;
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // `Date` reads 30 February as 2 March.
  if (Number.isNaN(at) || dayOf(at) !== text)
    throw new Refused('invalid_input', `${name} must be a date like 2026-11-15`);
  return at;
}

function requireStep(text: string, finest: 'hour' | 'day'): Step | undefined {
  if (text === '') return undefined;
  if ((text === 'hour' && finest === 'hour') || text === 'day' || text === 'month') return text;
  throw new Refused('invalid_input', `per must be ${finest === 'hour' ? 'hour, ' : ''}day or month`);
}

export const age = (until: Date | null, now: number) => ({
  /** Everything before is counted; null: the first count is not finished. */
  counted_until: iso(until),
  age_seconds: until === null ? null : Math.max(0, Math.round((now - until.getTime()) / 1000)),
});

export const seconds = ({ tookMs, delivered }: { tookMs: number; delivered: number }): number | null =>
  delivered === 0 ? null : Math.round(tookMs / delivered) / 1000;

const ordersView = ({ points, total, took, destinations }: OrderFigures) => ({
  points: points.map(({ at, tookMs, ...counts }) => ({
    at: iso(at),
    ...counts,
    average_seconds: seconds({ tookMs, ...counts }),
  })),
  total: {
    orders: total.orders,
    refused: total.refused,
    delivered: total.delivered,
    failed: total.failed,
    average_seconds: seconds(total),
  },
  took: took.map(({ upToSeconds, orders }) => ({ up_to_seconds: upToSeconds, orders })),
  destinations,
});

type Spent = SpendFigures['total'];
const spentView = ({ charged, returned }: Spent) => ({
  charged: formatCents(charged),
  returned: formatCents(returned),
  spent: formatCents(toCents(charged - returned)),
});

const spendView = ({ points, total, destinations }: SpendFigures) => ({
  points: points.map(({ at, ...spent }) => ({ at: iso(at), ...spentView(spent) })),
  total: spentView(total),
  destinations: destinations.map(({ code, ...spent }) => ({ code, ...spentView(spent) })),
});

const requestsView = ({ points, endpoints }: RequestFigures) => ({
  points: points.map(({ at, statuses }) => ({ at: iso(at), statuses })),
  endpoints,
  kept_days: REQUEST_FIGURES_KEPT_DAYS,
});

export type Aged = ReturnType<typeof age>;
export type OrdersInsight = SpanView & Aged & ReturnType<typeof ordersView>;
export type SpendInsight = SpanView & Aged & ReturnType<typeof spendView>;
export type RequestsInsight = SpanView & ReturnType<typeof requestsView>;
