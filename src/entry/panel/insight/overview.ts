import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { formatRetail, type RetailPrices, readRetail, retailSums } from '../../../domains/catalog/retail/retail.ts';
import type { Days, Insight, Pace, PartnerFigures } from '../../../domains/insight/figures/figures.ts';
import { type Incident, incidents } from '../../../domains/insight/status-page/status-page.ts';
import type { SpendingPower } from '../../../domains/money/books/books.ts';
import { latestKeys } from '../../../domains/partners/keys/keys.ts';
import { memberRoles } from '../../../domains/partners/people/people.ts';
import { formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf, requireMode } from '../../site/json/action.ts';
import { batchView } from '../../site/views/records.ts';
import { age, lastDays } from '../../site/views/span.ts';
import { NOTICES_VIEWED, noticesOf } from '../account/notices.ts';
import { fields, type MemberCall, memberRead } from '../member-action.ts';
import { BATCH_VIEWED, ORDER_VIEWED, orderLine } from '../orders/orders.ts';

const MAX_ZONE_LENGTH = 64;

/**
 * Where today and the same weekday a week ago begin in a time zone, named as browsers name theirs; '' is UTC. Figures are kept by the
 * hour, so where midnight is not at a full hour of UTC the days begin up to an hour before it, and a week ago counts up to the end of
 * the hour that it is now.
 */
export function requireDaysAt(timeZone: string, now: number): Days {
  const clock = clockIn(timeZone || 'UTC');
  const today = midnightBefore(clock, now);
  // Half a day before the same time a week ago is never in the wrong day, even where clocks were changed meanwhile.
  const weekAgo = midnightBefore(clock, midnightBefore(clock, now, false) + 12 * HOUR - 7 * DAY);
  const hours = Math.floor((now - today) / HOUR) + 1;
  return {
    today: new Date(today),
    weekAgo: new Date(weekAgo),
    weekAgoUntil: new Date(weekAgo + hours * HOUR),
    now: new Date(now),
  };
}

function midnightBefore(clock: Intl.DateTimeFormat, at: number, inWholeHours = true): number {
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const passed = ((part.hour ?? 0) * 60 + (part.minute ?? 0)) * 60_000 + (part.second ?? 0) * 1_000 + (at % 1_000);
  const midnight = at - passed;
  return inWholeHours ? Math.floor(midnight / HOUR) * HOUR : midnight;
}

function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    if (timeZone.length > MAX_ZONE_LENGTH) throw new RangeError('too long');
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
  } catch {
    throw new Refused('invalid_time_zone');
  }
}

const RECENT = 5;
/** An order that has waited for so long may need a person. */
const LONG_WAIT_MS = 10 * MINUTE;
const EXPIRING_MS = 14 * DAY;
/** Beyond this, an estimate would be false precision. */
const MOST_DAYS = 365;
/** Of the chart. */
const CHARTED_DAYS = 30;
const MOST_INCIDENTS = 3;

const FIGURES = fields('orders', 'refused', 'spent');

/** All that the overview shows, in one answer. Each part is a statement along an index, whatever the account has sold. */
export const overviewActions = (base: Base, catalog: Catalog) => [
  memberRead('/api/{mode}/overview', {
    may: 'see',
    viewed: {
      ...fields('counted_until', 'age_seconds', 'since', 'compared_until', 'available', 'is_credit', 'lasts_days'),
      ...fields('has_sold'),
      today: FIGURES,
      week_ago: FIGURES,
      last_week: fields('orders', 'refused', 'delivered', 'failed', 'cancelled'),
      days: fields('at', 'orders', 'refused', 'delivered', 'failed', 'cancelled', 'spent'),
      incidents: fields('id', 'title', 'impact', 'status', 'text', 'version', 'started_at', 'written_at', 'is_public'),
      waiting: fields('orders', 'more', 'since'),
      help: fields('requests', 'more', 'since'),
      expiring_keys: fields('id', 'name', 'expires_at'),
      steps: fields('key', 'order', 'webhook'),
      notices: NOTICES_VIEWED,
      orders: ORDER_VIEWED,
      batches: BATCH_VIEWED,
      retail: fields('currency', 'revenue', 'margin', 'is_whole'),
    },
    read: readOverview(base, catalog),
  }),
];

const readOverview = (base: Base, catalog: Catalog) => async (call: MemberCall) => {
  const { db, worlds, config } = base;
  const mode = requireMode(call);
  const { insight, orders, books, webhooks, help } = worlds[mode];
  const { partnerId } = call.member;
  const now = call.now + (mode === 'sandbox' ? call.member.aheadMs : 0);
  const days = requireDaysAt(call.query('tz'), now);
  const may = (permission: Parameters<typeof memberRoles.may>[1]) => memberRoles.may(call.member.role, permission);
  const until = await insight.countedUntil();
  const [pace, month, recent, waiting, asked, power, notices, keys, sold, sent, retail, noted] = await Promise.all([
    insight.pace(partnerId, days),
    insight.bought(partnerId, { ...lastDays(now, CHARTED_DAYS), per: 'day' }),
    orders.summaries(partnerId, {}, RECENT),
    orders.waiting(partnerId, new Date(now - LONG_WAIT_MS)),
    help.open(partnerId),
    books.spendingPower(partnerId),
    noticesOf(base, call),
    may('see-keys') ? latestKeys(db, partnerId) : [],
    mode === 'live' ? undefined : worlds.live.orders.summaries(partnerId, { state: 'unfailed' }, 1),
    may('develop')
      ? webhooks.deliveries(partnerId, { status: 'sent', event: undefined, subscriptionId: undefined, limit: 1 })
      : [],
    readRetail(db, partnerId),
    incidents.list(db, { since: new Date(call.now), limit: MOST_INCIDENTS }),
  ]);
  const active = keys.filter(
    ({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || expiresAt.getTime() > call.now),
  );
  return {
    ...age(until, call.now),
    ...figuresView(pace, days, may('see-money')),
    ...balanceView(power, pace, may('see-money')),
    /** The last 30 in UTC, today included. */
    days: month.points.map((point) => dayView(point, may('see-money'))),
    incidents: noted.filter(({ resolvedAt }) => resolvedAt === null).map((one) => incidentView(one, config.site)),
    waiting: waiting.orders === 0 ? null : { ...waiting, since: iso(waiting.since) },
    /** Travellers whose request for help nobody has answered. */
    help: asked.requests === 0 ? null : { ...asked, since: iso(asked.since) },
    expiring_keys: active
      .filter(({ mode: of, expiresAt }) => of === mode && isSoon(expiresAt, call))
      .map(({ keyId, name, expiresAt }) => ({ id: keyId, name, expires_at: iso(expiresAt) })),
    /** There is a live order, so the integration is finished. */
    has_sold: (sold ?? recent).orders.some(({ status }) => status !== 2),
    /** The steps of the integration done so far. */
    steps: {
      key: active.some(({ mode: of }) => of === mode),
      order: recent.orders.length > 0,
      webhook: sent.length > 0,
    },
    notices,
    orders: recent.orders.map((order) => orderLine(order, catalog, retail)),
    batches: (await orders.batchSums(partnerId, recent.orders)).map(batchView),
    /** At the retail prices of today; null: there are none, nothing is counted yet, or it is not for this role. */
    retail: may('see-money') ? await broughtIn(insight, partnerId, retail, now) : null,
  };
};

/** What the last seven days brought. Plans are counted by days in UTC, so today is not told apart where the reader is. */
async function broughtIn(insight: Insight, partnerId: number, retail: RetailPrices, now: number) {
  if (retail.isEmpty) return null;
  const span = { ...lastDays(now, 7), per: 'day' } as const;
  const { revenue, margin, unpriced } = retailSums(retail, await insight.plans(partnerId, span));
  const { currency } = retail.terms;
  /** `is_whole`: every plan that was bought has a retail price. */
  return { currency, revenue: formatRetail(revenue), margin: formatCents(margin), is_whole: unpriced === ZERO };
}

const isSoon = (expiresAt: Date | null, { now }: MemberCall): boolean =>
  expiresAt !== null && expiresAt.getTime() < now + EXPIRING_MS;

type Figures = Pick<Pace['today'], 'orders' | 'refused' | 'charged' | 'returned'>;

const figures = ({ orders, refused, charged, returned }: Figures, seesMoney: boolean) => ({
  orders,
  /** Besides those: they failed and were not charged. */
  refused,
  /** Null: not for this role. */
  spent: seesMoney ? formatCents(toCents(charged - returned)) : null,
});

const dayView = (
  { at, orders, refused, delivered, failed, cancelled, ...spent }: PartnerFigures['points'][number],
  seesMoney: boolean,
) => ({
  at: iso(at),
  ...{ orders, refused, delivered, failed, cancelled },
  spent: figures({ orders, refused, ...spent }, seesMoney).spent,
});

/** An open one, as the status page has it. */
const incidentView = (incident: Incident, { isPublic }: { readonly isPublic: boolean }) => {
  const [last] = incident.updates;
  return {
    ...jsonOf(incident, 'id', 'title', 'impact', 'startedAt'),
    status: last?.status ?? ('investigating' as const),
    text: last?.text ?? '',
    written_at: iso(last?.writtenAt ?? incident.startedAt),
    /** Changes with every update. */
    version: incident.updates.length,
    /** There is a status page. */
    is_public: isPublic,
  };
};

const figuresView = ({ today, weekAgo, lastWeek }: Pace, days: Days, seesMoney: boolean) => ({
  /** When today began where the reader is, and the end of the hour up to which a week ago is counted. */
  since: iso(days.today),
  compared_until: iso(days.weekAgoUntil),
  today: figures(today, seesMoney),
  week_ago: figures(weekAgo, seesMoney),
  /** `orders` were charged; of those some were delivered, some failed, some were cancelled, and the others are on the way. `refused` failed uncharged. */
  last_week: lastWeek,
});

function balanceView({ available, billingMode }: SpendingPower, { perDay }: Pace, seesMoney: boolean) {
  // What is spent in a day; if it rounds to zero, no estimate is possible.
  const days = perDay !== undefined && perDay > 0n && available > 0n ? Number(available / perDay) : null;
  return {
    available: seesMoney ? formatCents(available) : null,
    is_credit: billingMode === 'postpaid',
    /** How long that lasts at the pace of the last 14 days; null: too little is known, or it is not for this role. */
    lasts_days: seesMoney && days !== null ? Math.min(days, MOST_DAYS) : null,
  };
}
