/*
 * The rules by which eSIMs refill themselves, one row each in `autorefills`.
 *
 *     at work ──► crossing ──► at work      the refill of the crossing was delivered
 *        ▲           ├──────► stopped      it cannot be bought, or it was the last one
 *        └─ set ─────┴──────► ended        by the partner
 *
 * A crossing is a reading by which the mark is reached. It is written with the reading (`crossed`), as a row that is due, and from then
 * on the eSIM has one refill to buy, whatever is killed (domains/sales/autorefill/). The same data is not crossed twice: the mark is
 * reached again once the total has grown, or once a reading was below it. So a supplier whose figures are late by an hour is not
 * paid again for the same gigabyte.
 *
 * The rule of an eSIM that was replaced goes on with the new one (`takeOver`). That row is due at once although nothing is crossed
 * (`crossedMb` is null): whether the refill fits the new eSIM is found out before anybody relies on it.
 *
 * Setting or ending a rule locks the partner's wallet, as every charge does. A purchase of a rule is charged
 * only if the rule is still the one that wants it (`wanting`): once a rule has ended, it buys nothing more.
 */

import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../platform/db/query/account-time.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Why a rule buys no more. */
export const stopReasons = ['price', 'money', 'limit', 'product', 'done'] as const;
export type StopReason = (typeof stopReasons)[number];

/** What a partner decides about a rule. */
export interface RefillTerms {
  readonly productId: string;
  /** Percent of all data that is used. */
  readonly atPercent: number;
  /** How many refills it buys at most. */
  readonly times: number;
  readonly maxPrice: Cents;
}

export interface RefillRule extends RefillTerms {
  /** How many of its refills were delivered. */
  readonly done: number;
  /** Null: it is at work. */
  readonly stopped: StopReason | null;
}

/** A crossing whose refill is to be bought. */
export interface Crossing extends RefillRule {
  readonly partnerId: number;
  readonly iccid: string;
  /** The order that brought the eSIM, and its reference. */
  readonly orderId: bigint;
  readonly reference: string;
  /** The key that set the rule; null: a member did. */
  readonly keyId: number | null;
  /** Of the rules of this eSIM. */
  readonly version: number;
  /** The number of the order. */
  readonly n: number;
  /** The data in all at the crossing; null: nothing is crossed, the eSIM has only taken the rule over. */
  readonly crossedMb: number | null;
  /** How far the account's clock is ahead. */
  readonly aheadMs: number;
}

/** The eSIM of a rule, by the order that brought it. */
interface RuledEsim {
  readonly partnerId: number;
  readonly iccid: string;
  readonly orderId: bigint;
}

/** What a reading says. */
interface Level {
  readonly percentUsed: number;
  readonly totalMb: number;
}

export const refillKey = ({ iccid, n }: Pick<Crossing, 'iccid' | 'n'>): string => `autorefill:${iccid}:${n}`;

const atWork = sql`(autorefills.stopped is null and autorefills.ended_at is null)`;
const terms = sql`product_id as "productId", at_percent as "atPercent", times, max_price as "maxPrice", done, stopped`;

/** The part of the data at which the rule of an eSIM buys, as an expression; null: it has none at work. */
const markOf = (orderId: Sql): Sql =>
  sql`(select at_percent from autorefills where autorefills.order_id = ${orderId} and ${atWork})`;

/** Whether the eSIM of an order has a rule at work, as an expression. Not `exists`: PostgreSQL would read all rules to hash them. */
const isAtWork = (orderId: Sql): Sql => sql`${markOf(orderId)} is not null`;

/** Undefined: it has none. */
const find = (db: Queryable, { orderId }: Pick<RuledEsim, 'orderId'>): Promise<RefillRule | undefined> =>
  db.maybe(sql`select ${terms} from autorefills where order_id = ${orderId} and ended_at is null`);

/** What a reading means for the rule of its eSIM, as a statement or part of one. `now` is real time. */
const crossed = (orderId: bigint, { percentUsed, totalMb }: Level, now: Date): Sql => sql`
  update autorefills set crossed_mb = case when at_percent <= ${percentUsed}::float8 then ${totalMb}::int end,
    due_at = case when at_percent <= ${percentUsed}::float8 then ${now}::timestamptz end
  where order_id = ${orderId} and due_at is null and ${atWork}
    and case when at_percent <= ${percentUsed}::float8 then coalesce(crossed_mb < ${totalMb}::int, true) else crossed_mb is not null end`;

/** Sets the rule of an eSIM in place of the one it has. The same rule again changes nothing. The caller holds the wallet. */
async function put(
  tx: Tx,
  esim: RuledEsim,
  { productId, atPercent, times, maxPrice }: RefillTerms,
  { keyId, at }: { readonly keyId: number | null; readonly at: Date },
): Promise<void> {
  const earlier = await locked(tx, esim);
  const { n, crossedMb } = await leftBy(tx, esim, earlier);
  const isSame =
    earlier?.isAtWork &&
    earlier.orderId === esim.orderId &&
    earlier.productId === productId &&
    earlier.atPercent === atPercent &&
    earlier.times === times &&
    earlier.maxPrice === maxPrice;
  if (isSame) return;
  await tx.run(sql`
    insert into autorefills as rule
      (partner_id, iccid, order_id, key_id, product_id, at_percent, times, max_price, n, crossed_mb, set_at)
    values (${esim.partnerId}, ${esim.iccid}, ${esim.orderId}, ${keyId}, ${productId}, ${atPercent}, ${times}, ${maxPrice},
      ${n}, ${crossedMb}, ${at})
    on conflict (partner_id, iccid) do update set order_id = excluded.order_id, key_id = excluded.key_id,
      product_id = excluded.product_id, at_percent = excluded.at_percent, times = excluded.times, max_price = excluded.max_price,
      done = 0, stopped = null, ended_at = null, version = rule.version + 1, n = excluded.n, crossed_mb = excluded.crossed_mb,
      due_at = null, set_at = excluded.set_at`);
}

/** Ends the rule of an eSIM, if it has one. The caller holds the wallet. */
async function end(tx: Tx, esim: RuledEsim, at: Date): Promise<void> {
  const earlier = await locked(tx, esim);
  const { n, crossedMb } = await leftBy(tx, esim, earlier);
  await tx.run(sql`
    update autorefills set ended_at = ${at}, version = version + 1, n = ${n}, crossed_mb = ${crossedMb}, due_at = null
    where partner_id = ${esim.partnerId} and iccid = ${esim.iccid} and ended_at is null`);
}

type Locked = RefillRule &
  Pick<Crossing, 'orderId' | 'n'> & {
    readonly isAtWork: boolean;
    readonly crossedMb: number | null;
    readonly isDue: boolean;
  };

const locked = (tx: Tx, { partnerId, iccid }: RuledEsim): Promise<Locked | undefined> =>
  tx.maybe(sql`
    select ${terms}, order_id as "orderId", n, ${atWork} as "isAtWork", crossed_mb as "crossedMb", due_at is not null as "isDue"
    from autorefills where partner_id = ${partnerId} and iccid = ${iccid} for update`);

/** What the next rule goes on from: an order that a crossing has placed is not placed again, one that it has not is not placed at all. */
async function leftBy(
  tx: Tx,
  esim: RuledEsim,
  earlier: Locked | undefined,
): Promise<{ readonly n: number; readonly crossedMb: number | null }> {
  if (!earlier) return { n: 1, crossedMb: null };
  const { n, isDue } = earlier;
  // A supplier may use an ICCID again; the numbers count on, because keys are the partner's.
  const crossedMb = earlier.orderId === esim.orderId ? earlier.crossedMb : null;
  if (!isDue) return { n, crossedMb };
  const placed = await placedUnder(tx, esim.partnerId, refillKey({ iccid: esim.iccid, n }));
  if (!placed) return { n, crossedMb: null };
  return { n: n + 1, crossedMb: placed.isFailed ? null : crossedMb };
}

/**
 * An eSIM was replaced: its rule, as it stands, is the new one's from now on. A refill that is on its way to the old one counts, because
 * it is paid for. The caller holds the wallet. True: the new one has a rule.
 */
async function takeOver(
  tx: Tx,
  { from, to }: { readonly from: RuledEsim; readonly to: RuledEsim },
  { at, now }: { readonly at: Date; readonly now: Date },
): Promise<boolean> {
  const rule = await locked(tx, from);
  if (rule?.orderId !== from.orderId) return false;
  const { n } = await leftBy(tx, to, await locked(tx, to));
  const isOnItsWay = rule.isDue && (await leftBy(tx, from, rule)).crossedMb !== null;
  const taken = await tx.run(sql`
    insert into autorefills as rule
      (partner_id, iccid, order_id, key_id, product_id, at_percent, times, done, max_price, stopped, n, due_at, set_at)
    select partner_id, ${to.iccid}, ${to.orderId}, key_id, product_id, at_percent, times, done + ${isOnItsWay ? 1 : 0}, max_price,
      stopped, ${n}::int, case when stopped is null then ${now}::timestamptz end, set_at
    from autorefills where order_id = ${from.orderId} and ended_at is null
    on conflict (partner_id, iccid) do update set order_id = excluded.order_id, key_id = excluded.key_id,
      product_id = excluded.product_id, at_percent = excluded.at_percent, times = excluded.times, max_price = excluded.max_price,
      done = excluded.done, stopped = excluded.stopped, ended_at = null, version = rule.version + 1, n = excluded.n,
      crossed_mb = null, due_at = excluded.due_at, set_at = excluded.set_at`);
  await end(tx, from, at);
  return taken > 0;
}

const placedUnder = (tx: Tx, partnerId: number, key: string): Promise<{ readonly isFailed: boolean } | undefined> =>
  tx.maybe(sql`
    select status = 2 as "isFailed" from orders where partner_id = ${partnerId} and idempotency_key = ${key} collate "C"`);

/** Claims crossings that are due, by moving their due time to the end of the lease. */
const claim = (
  db: Queryable,
  { now, leasedUntil, limit }: { readonly now: Date; readonly leasedUntil: Date; readonly limit: number },
  only?: RuledEsim,
): Promise<Crossing[]> =>
  db.query(sql`
    update autorefills set due_at = ${leasedUntil} where (partner_id, iccid) in (
      select partner_id, iccid from autorefills
      where due_at <= ${now} ${only ? sql`and partner_id = ${only.partnerId} and iccid = ${only.iccid}` : nothing}
      order by due_at limit ${limit} for update skip locked)
    returning ${terms}, partner_id as "partnerId", iccid, order_id as "orderId", key_id as "keyId", version, n, crossed_mb as "crossedMb",
      (select reference from orders where orders.id = order_id) as reference,
      extract(epoch from ${aheadOfRealTime(sql`autorefills.partner_id`)})::float8 * 1000 as "aheadMs"`);

/** The row of a crossing, unless its rule was changed meanwhile or another process has dealt with it. */
const settle = (
  db: Queryable,
  { partnerId, iccid, version, n }: Crossing,
  sets: Sql,
): Promise<RefillRule | undefined> =>
  db.maybe(sql`
    update autorefills set ${sets}
    where partner_id = ${partnerId} and iccid = ${iccid} and version = ${version} and n = ${n} and due_at is not null
    returning ${terms}`);

/** Its refill was delivered. */
const delivered = (tx: Tx, crossing: Crossing) =>
  settle(
    tx,
    crossing,
    sql`done = done + 1, n = n + 1, due_at = null, stopped = case when done + 1 >= times then 'done' end`,
  );

/** The rule that it has taken over is one it can buy by. */
const fits = (db: Queryable, crossing: Crossing) => settle(db, crossing, sql`due_at = null`);

/** It cannot be bought. A rule that is set later may buy the same crossing; an order that failed has used up its number. */
async function stop(tx: Tx, crossing: Crossing, reason: StopReason): Promise<RefillRule | undefined> {
  const isUsedUp = (await placedUnder(tx, crossing.partnerId, refillKey(crossing))) !== undefined;
  return settle(tx, crossing, sql`stopped = ${reason}, n = n + ${isUsedUp ? 1 : 0}, crossed_mb = null, due_at = null`);
}

/** The partner has used its key for another order. */
const renumber = (db: Queryable, crossing: Crossing, now: Date) =>
  settle(db, crossing, sql`n = n + 1, due_at = ${now}`);

const postpone = (db: Queryable, crossing: Crossing, until: Date) => settle(db, crossing, sql`due_at = ${until}`);

/** What a purchase says of the rule that makes it. */
interface Ruled {
  readonly rule?: Pick<Crossing, 'version' | 'n'> | undefined;
  readonly refillOf?: { readonly orderId: bigint } | undefined;
}

/** The eSIMs, by their orders, whose rules still want what they are about to buy. On a transaction that has locked the wallets. */
async function wanting(tx: Tx, batch: readonly Ruled[]): Promise<ReadonlySet<bigint>> {
  const ruled = batch.flatMap(({ rule, refillOf }) => (rule && refillOf ? [{ ...rule, ...refillOf }] : []));
  if (ruled.length === 0) return new Set();
  const rows = await tx.query<{ orderId: bigint }>(sql`
    select order_id as "orderId" from autorefills
    join unnest(${ruled.map(({ orderId }) => orderId)}::bigint[], ${ruled.map(({ version }) => version)}::int[],
      ${ruled.map(({ n }) => n)}::int[]) as wanted (id, version, n)
      on autorefills.order_id = wanted.id and autorefills.version = wanted.version and autorefills.n = wanted.n
    where due_at is not null and ${atWork}`);
  return new Set(rows.map(({ orderId }) => orderId));
}

export const autorefillRows = {
  find,
  markOf,
  isAtWork,
  crossed,
  put,
  end,
  takeOver,
  claim,
  delivered,
  fits,
  stop,
  renumber,
  postpone,
  wanting,
};
