import { type Cents, centsToNumber, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { LimitValues } from '../../../platform/contract/resources.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { LimitEvent } from '../../messages/events/events.ts';
import { numberLimitEvents } from '../../money/ledger/ledger.ts';
import { type BindingLimit, windowOf } from '../../partners/limits/limits.ts';
import type { Wanted } from './decide.ts';

/*
 * What a key and a partner may spend, decided with the charge.
 *
 * The limits themselves are known with the caller (`Caller.limits`, in memory like everything the edge knows of a key). What was
 * spent is not stored anywhere: it is summed up from the orders, in the transaction that charges, after its wallet is locked. Every
 * purchase of a partner takes that lock, in every process, so nothing can be bought between the sum and the charge. There is no
 * second set of figures that could drift, orders of before a limit was set count without being copied, and an order that fails stops
 * counting by failing. Purchases without limits take no part in any of this: not a statement, not a row.
 *
 * Which window an order counts in is decided by the time it is made with (`created_at`), and by that alone. The purchase that is
 * checked and the orders that are counted are all placed by it, so at the turn of an hour two processes whose clocks differ put an
 * order in one window or the other, and neither window is ever exceeded. Where an account has a test clock, that is its time.
 */

export interface LimitUse extends BindingLimit {
  readonly spent: Spent;
  /** Null: it limits each order. */
  readonly resetsAt: Date | null;
}

export interface ReachedLimit extends LimitUse {
  readonly partnerId: number;
  /** 0: the partner's own. */
  readonly keyId: number;
  /** The start of its window; for a limit per order the epoch. */
  readonly starts: Date;
  readonly at: Date;
}

interface Spender {
  readonly partnerId: number;
  readonly keyId?: number | undefined;
  readonly limits?: readonly BindingLimit[] | undefined;
  readonly at: Date;
}

const NOTHING: Spent = { amount: ZERO, count: 0 };

function spellOf({ per, scope }: BindingLimit, { partnerId, keyId, at }: Spender): Spell | undefined {
  if (per === 'order') return undefined;
  return { partnerId, keyId: scope === 'key' ? keyId : undefined, ...windowOf(per, at) };
}

const nameOf = ({ partnerId, keyId = 0, from, to }: Spell): string =>
  `${partnerId} ${keyId} ${from.getTime()} ${to.getTime()}`;

/** What has been spent of each limit at a time. */
export async function limitUses(db: Queryable, spender: Spender): Promise<LimitUse[]> {
  return (await openUses(db, [spender])).of(spender);
}

/** Why so much cannot be bought now: the first limit that it exceeds. Equal is within. */
export function exceeded(uses: readonly LimitUse[], prices: readonly Cents[]): LimitUse | undefined {
  const total = prices.reduce((sum, price) => sum + price, 0n);
  return uses.find(({ per, amount, count, spent }) => {
    if (per === 'order') return amount !== null && prices.some((price) => price > amount);
    return (
      (amount !== null && spent.amount + total > amount) || (count !== null && spent.count + prices.length > count)
    );
  });
}

/** The spells that the purchases of a transaction count in, and what has been spent in each. */
interface Uses {
  of(spender: Spender): LimitUse[];
  /** Counts a purchase that was decided in this transaction. */
  add(wanted: Wanted): void;
}

const NO_USES: Uses = { of: () => [], add() {} };

/** On a transaction that charges, only once the wallets are locked. */
export async function openUses(db: Queryable, spenders: readonly Spender[]): Promise<Uses> {
  const limited = spenders.filter(({ limits }) => limits && limits.length > 0);
  if (limited.length === 0) return NO_USES;
  const spells = new Map(
    limited.flatMap((spender) =>
      (spender.limits ?? []).flatMap((limit) => {
        const spell = spellOf(limit, spender);
        return spell ? [[nameOf(spell), spell] as const] : [];
      }),
    ),
  );
  const found = await spentIn(db, [...spells.values()]);
  const spent = new Map([...spells.keys()].map((name, i) => [name, found[i] as Spent]));
  return {
    of: (spender) =>
      (spender.limits ?? []).map((limit) => {
        const spell = spellOf(limit, spender);
        const use = spell ? (spent.get(nameOf(spell)) as Spent) : NOTHING;
        return { ...limit, spent: use, resetsAt: spell?.to ?? null };
      }),
    add({ partnerId, keyId, price, at }) {
      for (const [name, spell] of spells) {
        const isIn = spell.partnerId === partnerId && spell.from <= at && at < spell.to;
        if (!isIn || (spell.keyId !== undefined && spell.keyId !== keyId)) continue;
        const { amount, count } = spent.get(name) as Spent;
        spent.set(name, { amount: toCents(amount + price), count: count + 1 });
      }
    },
  };
}

/** The limit that refuses a purchase, or all members of a batch; undefined: there is room. */
export function limitReached(uses: Uses, members: readonly [Wanted, ...Wanted[]]): ReachedLimit | undefined {
  const [first] = members;
  if (!first.limits || first.limits.length === 0) return undefined;
  const over = exceeded(
    uses.of(first),
    members.map(({ price }) => price),
  );
  if (!over) return undefined;
  const { partnerId, keyId = 0 } = first;
  const starts = over.per === 'order' ? new Date(0) : windowOf(over.per, first.at).from;
  return { ...over, partnerId, keyId: over.scope === 'key' ? keyId : 0, starts, at: first.at };
}

/** The events of those that refused nothing in their windows before. */
export async function limitEvents(tx: Tx, reached: readonly ReachedLimit[]): Promise<LimitEvent[]> {
  if (reached.length === 0) return [];
  const each = [...new Map(reached.map((one) => [markOf(one), one])).values()];
  const rows = await tx.query<{ n: bigint; number: bigint }>(sql`
    with given as (
      select * from unnest(
        ${each.map(({ partnerId }) => partnerId)}::int[], ${each.map(({ keyId }) => keyId)}::int[],
        ${each.map(({ per }) => per)}::text[], ${each.map(({ amount }) => amount ?? 0n)}::bigint[],
        ${each.map(({ count }) => count ?? 0)}::int[], ${each.map(({ starts }) => starts)}::timestamptz[]
      ) with ordinality as given (partner_id, key_id, per, amount, count, starts, n)
    ), marked as (
      insert into reached_limits as known (partner_id, key_id, per, amount, count, starts)
      select partner_id, key_id, per, amount, count, starts from given
      on conflict (partner_id, key_id, per, amount, count) do update set starts = excluded.starts
      where known.starts < excluded.starts
      returning partner_id, key_id, per, amount, count
    ), numbered as (${numberLimitEvents(sql`marked`)})
    select n, numbered.total - row_number() over (partition by partner_id order by n desc) + 1 as number
    from given join marked using (partner_id, key_id, per, amount, count) join numbered using (partner_id) order by n`);
  return rows.map(({ n, number }) => limitReachedEvent(each[Number(n) - 1] as ReachedLimit, Number(number)));
}

const limitReachedEvent = (reached: ReachedLimit, n: number): LimitEvent => ({
  partnerId: reached.partnerId,
  event: 'account.limit_reached',
  n,
  limit: limitValues(reached),
  occurredAt: reached.at.getTime(),
});

/** A limit with its use, as answers and events show it. */
export const limitValues = ({ scope, per, amount, count, spent, resetsAt }: LimitUse): LimitValues => ({
  scope,
  per,
  amount: amount === null ? null : centsToNumber(amount),
  count,
  usedAmount: centsToNumber(spent.amount),
  usedCount: spent.count,
  resetsAt,
});

const markOf = ({ partnerId, keyId, per, amount, count }: ReachedLimit): string =>
  `${partnerId} ${keyId} ${per} ${amount} ${count}`;

/** The windows of an account begin again: the next refusal of each limit is the first. Only in a world of play money. */
export async function forgetReachedLimits(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from reached_limits where partner_id = ${partnerId}`);
}

interface Spell {
  readonly partnerId: number;
  /** Undefined: those of all its keys, and of its members. */
  readonly keyId: number | undefined;
  readonly from: Date;
  readonly to: Date;
}

interface Spent {
  readonly amount: Cents;
  readonly count: number;
}

/**
 * What orders cost in each spell, by the time they were made. Failed ones (status 2) do not count, nor do replacements, which are
 * free; refunded ones do. An index has all of it (`orders_by_time`), and its condition must stand in the statement as it is: a parameter would not match it.
 */
async function spentIn(db: Queryable, spells: readonly Spell[]): Promise<Spent[]> {
  if (spells.length === 0) return [];
  const rows = await db.query<{ amount: bigint; count: bigint }>(sql`
    select spent.amount, spent.count
    from unnest(
      ${spells.map(({ partnerId }) => partnerId)}::int[], ${spells.map(({ keyId }) => keyId ?? null)}::int[],
      ${spells.map(({ from }) => from)}::timestamptz[], ${spells.map(({ to }) => to)}::timestamptz[]
    ) with ordinality as spell (partner_id, key_id, starts, ends, n)
    cross join lateral (
      select coalesce(sum(sale_price), 0)::bigint as amount, count(*) filter (where sale_price > 0) as count from orders
      where orders.partner_id = spell.partner_id and created_at >= spell.starts and created_at < spell.ends
        and status <> 2 and (spell.key_id is null or orders.key_id = spell.key_id)
    ) as spent order by n`);
  return rows.map(({ amount, count }) => ({ amount: toCents(amount), count: Number(count) }));
}
