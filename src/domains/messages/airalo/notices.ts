import { createHmac } from 'node:crypto';
import { formatCents } from '../../../platform/amounts/cents.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { NewEvent } from '../events/events.ts';

/*
 * Webhooks in the form of Airalo's, for software made for Airalo: which of them a client wants, and those that have to be sent. They are not
 * subscriptions: they have another signature, other bodies and another schedule, and those of an order may go to an address of its own.
 */

/** The kinds a client can opt in to, by Airalo's names. */
export const noticeKinds = ['async_orders', 'webhook_low_data', 'webhook_credit_limit'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

interface Client {
  readonly partnerId: number;
  readonly keyId: number;
}

/** A webhook about an order, sent once nothing of the order is open. */
export interface ExpectedNotice extends Client {
  /** The first of what was bought together. */
  readonly orderId: bigint;
  readonly requestId: string;
  /** It was answered already, but only in part. */
  readonly isRest: boolean;
  /** Null: nobody wants it, and it is only noted. */
  readonly url: string | null;
  /** In the account's own time. */
  readonly at: Date;
  /** From when on it is due, in real time: that of the queue. */
  readonly dueAt: Date;
}

export interface DueNotice extends Client, Pick<ExpectedNotice, 'isRest'> {
  readonly id: bigint;
  readonly kind: NoticeKind;
  readonly orderId: bigint | null;
  readonly requestId: string | null;
  readonly url: string;
  /** Null: that of an order, made when it is sent. */
  readonly body: string | null;
  /** This one included. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The request that caused it, for traces. */
  readonly cause: string | null;
}

/** What an order's page says of the notice about it. */
interface OrderNotice extends Pick<ExpectedNotice, 'isRest' | 'url'> {
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly isWaiting: boolean;
}

interface NoticeOutcome {
  readonly sentAt: Date | null;
  readonly httpStatus: number | null;
  /** Null: it is sent, or given up. */
  readonly dueAt: Date | null;
  /** It was not sent, because its order is still open. */
  readonly isEarly?: boolean;
}

const PRUNE_BATCH = 1_000;

export type AiraloNotices = ReturnType<typeof createAiraloNotices>;

interface NoticeWorld {
  readonly db: Db;
  /** Has the eSIMs that a partner has already read regularly, too. */
  watchEarlier(tx: Tx, partnerId: number): Promise<void>;
}

export function createAiraloNotices({ db, watchEarlier }: NoticeWorld) {
  return {
    optIn: ({ partnerId, keyId }: Client, kind: NoticeKind, url: string, at: Date): Promise<void> =>
      db.tx(async (tx) => {
        await tx.run(sql`
          insert into airalo_opt_ins (key_id, kind, partner_id, url, updated_at)
          values (${keyId}, ${kind}, ${partnerId}, ${url}, ${at})
          on conflict (key_id, kind) do update set url = excluded.url, updated_at = excluded.updated_at`);
        if (kind === 'webhook_low_data') await watchEarlier(tx, partnerId);
      }),

    optOut: (keyId: number, kind: NoticeKind, at: Date): Promise<number> =>
      db.run(sql`update airalo_opt_ins set url = null, updated_at = ${at} where key_id = ${keyId} and kind = ${kind}`),

    /** Where a client wants what. */
    async optedIn(keyId: number): Promise<ReadonlyMap<NoticeKind, string>> {
      const rows = await db.query<{ kind: NoticeKind; url: string }>(sql`
        select kind, url from airalo_opt_ins where key_id = ${keyId} and url is not null order by kind`);
      return new Map(rows.map(({ kind, url }) => [kind, url]));
    },

    expect: (notice: ExpectedNotice): Promise<void> => expectNotices(db, [notice]),

    async send({ partnerId, keyId }: Client, kind: NoticeKind, url: string, body: string, at: Date): Promise<void> {
      await db.run(sql`
        insert into airalo_notices (partner_id, key_id, kind, url, body, due_at, created_at)
        values (${partnerId}, ${keyId}, ${kind}, ${url}, ${body}, ${at}, ${at})`);
    },

    /** Claims what is due until `until`: if this process dies, it is due again then. */
    claim: (now: Date, until: Date, limit: number): Promise<DueNotice[]> =>
      db.query(sql`
        with due as (
          select id from airalo_notices where due_at <= ${now} order by due_at limit ${limit} for no key update skip locked
        )
        update airalo_notices as notice set due_at = ${until}, attempts = attempts + 1 from due where notice.id = due.id
        returning notice.id, partner_id as "partnerId", key_id as "keyId", kind, order_id as "orderId", request_id as "requestId",
          is_rest as "isRest", url, body, attempts, created_at as "createdAt",
          (select traceparent from orders where orders.id = notice.order_id) as cause`),

    async record(id: bigint, { sentAt, httpStatus, dueAt, isEarly = false }: NoticeOutcome): Promise<void> {
      await db.run(sql`
        update airalo_notices set sent_at = ${sentAt}, http_status = ${httpStatus}, due_at = ${dueAt},
          attempts = attempts - ${isEarly ? 1 : 0} where id = ${id}`);
    },

    /** Removes a batch of those that are done with, as the log of our own deliveries, and of repeats that are long over. */
    async prune(before: Date, repeatedBefore: Date): Promise<number> {
      const notices = await db.run(sql`
        delete from airalo_notices where id = any (array (
          select id from airalo_notices where due_at is null and created_at < ${before}
          order by created_at limit ${PRUNE_BATCH} for update skip locked))`);
      const repeats = await db.run(sql`
        delete from airalo_repeats where (partner_id, fingerprint) in (
          select partner_id, fingerprint from airalo_repeats where at < ${repeatedBefore}
          order by at limit ${PRUNE_BATCH} for update skip locked)`);
      return notices + repeats;
    },

    /** What is known of the webhook about one of these orders, which are an order and its batch; undefined: there is none. */
    ofOrder: (orderIds: readonly bigint[]): Promise<OrderNotice | undefined> =>
      db.maybe(sql`
        select is_rest as "isRest", url, created_at as "createdAt", sent_at as "sentAt", due_at is not null as "isWaiting"
        from airalo_notices where order_id = any(${orderIds}::bigint[]) order by id limit 1`),

    /** When the same was asked for first, if that is no longer ago than `within`; otherwise now. Exact, however many ask at once. */
    async firstAsked(partnerId: number, fingerprint: string, now: Date, withinMs: number): Promise<Date> {
      const oldest = new Date(now.getTime() - withinMs);
      const { at } = await db.one<{ at: Date }>(sql`
        insert into airalo_repeats as asked (partner_id, fingerprint, at) values (${partnerId}, ${fingerprint}, ${now})
        on conflict (partner_id, fingerprint) do update
          set at = case when asked.at between ${oldest} and ${now} then asked.at else excluded.at end
        returning at`);
      return at;
    },
  };
}

/** Notes webhooks about orders that are written in the same transaction, or were before. A request has one. */
export async function expectNotices(db: Queryable, notices: readonly ExpectedNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await db.run(sql`
    insert into airalo_notices (partner_id, key_id, kind, order_id, request_id, is_rest, url, due_at, created_at)
    select partner_id, key_id, 'async_orders', order_id, request_id, is_rest, url, case when url is not null then due_at end, at
    from unnest(${notices.map(({ partnerId }) => partnerId)}::int[], ${notices.map(({ keyId }) => keyId)}::int[],
      ${notices.map(({ orderId }) => orderId)}::bigint[], ${notices.map(({ requestId }) => requestId)}::text[],
      ${notices.map(({ isRest }) => isRest)}::boolean[], ${notices.map(({ url }) => url)}::text[],
      ${notices.map(({ dueAt }) => dueAt)}::timestamptz[], ${notices.map(({ at }) => at)}::timestamptz[]
    ) as expected (partner_id, key_id, order_id, request_id, is_rest, url, due_at, at)
    where not exists (select from airalo_notices as known
      where known.order_id = expected.order_id and known.request_id = expected.request_id)`);
}

/** Whether a partner wants to hear of eSIMs that run low, as a condition within a statement. */
export const wantsLowData = (partnerId: Sql): Sql => sql`exists (
  select from airalo_opt_ins as opt_in
  where opt_in.partner_id = ${partnerId} and opt_in.kind = 'webhook_low_data' and opt_in.url is not null)`;

/** Writes what these events are to clients that have opted in, in the transaction of the change. */
export async function noteForAiralo(tx: Tx, events: readonly NewEvent[], now: Date): Promise<void> {
  const notes = events.flatMap((event) => noticeOf(event) ?? []);
  if (notes.length === 0) return;
  await tx.run(sql`
    insert into airalo_notices (partner_id, key_id, kind, url, body, due_at, created_at)
    select opt_in.partner_id, opt_in.key_id, opt_in.kind, opt_in.url, given.body, ${now}, ${now}
    from unnest(${notes.map(({ partnerId }) => partnerId)}::int[], ${notes.map(({ kind }) => kind)}::text[],
      ${notes.map(({ body }) => phpJson(body))}::text[]) as given (partner_id, kind, body)
    join airalo_opt_ins as opt_in using (partner_id, kind) where opt_in.url is not null`);
}

/** Airalo's levels, by the events that come nearest: ours come at 80 % used, at the end of the data and a day before the end. */
const levels = { 'esim.usage_high': '75%', 'esim.depleted': '90%', 'esim.expiring': '1days' } as const;

function noticeOf(event: NewEvent): { partnerId: number; kind: NoticeKind; body: object } | undefined {
  const { partnerId } = event;
  if ('usage' in event && event.event in levels) {
    const level = levels[event.event as keyof typeof levels];
    const { productTitle, percentRemaining } = event.usage;
    const body = { level, package_name: productTitle, remaining_percentage: percentRemaining, iccid: event.iccid };
    return { partnerId, kind: 'webhook_low_data', body };
  }
  if (event.event !== 'account.balance_low' || event.level === undefined) return undefined;
  const message = `The balance is below ${formatCents(event.level)} USD`;
  return { partnerId, kind: 'webhook_credit_limit', body: { message, remaining: Number(formatCents(event.balance)) } };
}

/** In the header `airalo-signature` of their requests and their webhooks. */
export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha512', secret).update(text).digest('hex');

/** Compact JSON as PHP writes it but for its escapes of other letters: what Airalo signs and sends. */
export const phpJson = (value: unknown): string => JSON.stringify(value).replaceAll('/', '\\/');
