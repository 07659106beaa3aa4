import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '../../../../platform/clock.ts';
import { type Db, sqlState } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';
import { type Deadline, within } from '../connection.ts';

/*
 * How an order at eSIM Go is never placed twice.
 *
 * eSIM Go has no idempotency keys and stores no reference of ours with an order. After a lost reply all we have is its list of
 * orders, each with a time and a bundle. So before an order leaves, a row of `esim_go_orders` says which bundle it is for and when
 * it was sent. The row is in one of three states:
 *
 *   not sent   -- `sent_at` is null: no order of theirs can be ours, ordering is safe
 *   uncertain  -- `sent_at` is set, `order_reference` is not: it may or may not exist. It is never sent again in this state
 *   known      -- `order_reference` is set: their order is ours. It never changes again
 *
 * A process that dies leaves the row as it is. Killed before the row was written, nothing was sent. Killed any time later, the
 * order is uncertain until a look-up finds it, or has made sure that it does not exist.
 *
 * What makes a look-up's match certain is that nothing else of ours fits. Three rules see to that:
 *
 * 1. One order is under way at a time, in all processes together (`busy_until`). It also keeps the pause between orders that eSIM Go
 *    asks for.
 * 2. While an order is uncertain, no other order for its bundle is sent for HELD_MS. An order is searched for within its own window of
 *    time only (`windowOf`), and windows of one bundle do not overlap.
 * 3. `order_reference` is unique, so one order of theirs is never taken for two of ours.
 *
 * The turn of rule 1 is a lease in the row itself, not a lock that PostgreSQL holds for us. A lock in a transaction would be held
 * open during a network call; a session's advisory lock is lost without notice when its connection breaks, at the very moment when
 * the order is in flight, needs a connection of its own per process, and does not work behind a pooler. A lease survives both, and
 * ends by itself when its process dies. Taking it is a short transaction under an advisory lock, so that two processes do not both
 * see a free turn. If a lease runs out while its process still waits (the call itself ends earlier), nothing is lost: rules 2 and 3
 * do not depend on it.
 */

/** Their clock and ours may differ by this much; an order is not sent when they differ by half of it (orders.ts). */
const SKEW_MS = 2 * MINUTE;
/** An order that is not listed this long after it was sent does not exist. */
export const SURE_AFTER_MS = 15 * MINUTE;
const HELD_MS = SURE_AFTER_MS + SKEW_MS;
/** How long after the call's own limit a lease ends. */
const LEASE_MARGIN_MS = 5 * SECOND;
const POLL_MS = 100;
/** An arbitrary number: the advisory lock of those who ask for the turn. */
const TURN_LOCK = 740_205_104;

export interface SentOrder {
  readonly reference: string;
  readonly bundle: string;
  readonly iccid: string | null;
  readonly sentAt: Date | null;
  readonly timesSent: number;
  readonly orderReference: string | null;
}

/** When an order was recorded as sent, or why it must not be sent. `uncertain` and `known`: it was sent before. */
export type Turn = Date | 'busy' | 'held' | 'uncertain' | 'known';

/** Their order, as far as it identifies one of ours. */
export interface TheirOrder {
  readonly orderReference: string;
  readonly iccid: string | null;
  readonly sourceIp: string | null;
}

export type SentOrders = ReturnType<typeof openSentOrders>;

/** When an order sent at this time can have been created, by their clock. */
export const windowOf = (sentAt: Date): { from: Date; to: Date } => ({
  from: new Date(sentAt.getTime() - SKEW_MS),
  to: new Date(sentAt.getTime() + SURE_AFTER_MS),
});

export function openSentOrders(db: Db, { clock, pauseMs }: { clock: Clock; pauseMs: number }) {
  const now = () => new Date(clock.now());
  const afterPause = () => new Date(clock.now() + pauseMs);
  // First come, first served within a process: only the first asks the database.
  let last: Promise<unknown> = Promise.resolve();

  const take = (order: Pick<SentOrder, 'reference' | 'bundle' | 'iccid'>, leaseMs: number): Promise<Turn> =>
    db.tx(async (tx) => {
      const { reference, bundle, iccid } = order;
      const at = now();
      const heldSince = new Date(at.getTime() - HELD_MS);
      const [, own, { busy, held }] = await Promise.all([
        tx.run(sql`select pg_advisory_xact_lock(${TURN_LOCK})`),
        tx.maybe<{ sentAt: Date | null; orderReference: string | null }>(sql`
          select sent_at as "sentAt", order_reference as "orderReference" from esim_go_orders where reference = ${reference}`),
        tx.one<{ busy: boolean; held: boolean }>(sql`
          select exists (select from esim_go_orders where busy_until > ${at}) as busy,
            exists (select from esim_go_orders where bundle = ${bundle} and order_reference is null and sent_at > ${heldSince}) as held`),
      ]);
      if (own?.orderReference) return 'known';
      if (own?.sentAt) return 'uncertain';
      if (busy) return 'busy';
      if (held) return 'held';
      const until = new Date(at.getTime() + leaseMs);
      await tx.run(sql`
        insert into esim_go_orders as sent (reference, bundle, iccid, sent_at, times_sent, busy_until)
        values (${reference}, ${bundle}, ${iccid}, ${at}, 1, ${until})
        on conflict (reference) do update set bundle = excluded.bundle, iccid = excluded.iccid, sent_at = excluded.sent_at,
          times_sent = sent.times_sent + 1, empty_looks = 0, busy_until = excluded.busy_until`);
      return at;
    });

  async function takeInTime(order: Parameters<typeof take>[0], deadline: Deadline): Promise<Turn> {
    for (;;) {
      const turn = await take(order, deadline.leftMs() + LEASE_MARGIN_MS);
      if (turn !== 'busy' || deadline.leftMs() <= POLL_MS) return turn;
      await wait(POLL_MS);
    }
  }

  return {
    find: (reference: string) =>
      db.maybe<SentOrder>(sql`
        select reference, bundle, iccid, sent_at as "sentAt", times_sent as "timesSent", order_reference as "orderReference"
        from esim_go_orders where reference = ${reference}`),

    /** Takes the turn and records the order as sent. Waits while another order is under way, until the deadline. */
    async begin(order: Parameters<typeof take>[0], deadline: Deadline): Promise<Turn> {
      const before = last;
      const { promise: done, resolve } = Promise.withResolvers<void>();
      last = before.then(() => done);
      try {
        const isFirst = await within(
          before.then(() => true),
          deadline.leftMs(),
          false,
        );
        return isFirst ? await takeInTime(order, deadline) : 'busy';
      } finally {
        resolve();
      }
    },

    /** Its outcome is unknown: others may send theirs. */
    async lost(reference: string): Promise<void> {
      await db.run(sql`update esim_go_orders set busy_until = ${afterPause()} where reference = ${reference}`);
    },

    /** What was sent at `sentAt` certainly had no effect. False: it was sent again since, or is known. */
    async void(reference: string, sentAt: Date): Promise<boolean> {
      const count = await db.run(sql`
        update esim_go_orders set sent_at = null, empty_looks = 0, busy_until = least(busy_until, ${afterPause()})
        where reference = ${reference} and sent_at = ${sentAt} and order_reference is null`);
      return count > 0;
    },

    /** Their order is ours. False: it is another order's, or ours is another. */
    async claim(reference: string, { orderReference, iccid, sourceIp }: TheirOrder): Promise<boolean> {
      try {
        const count = await db.run(sql`
          update esim_go_orders set order_reference = ${orderReference}, iccid = coalesce(${iccid}, iccid),
            source_ip = coalesce(${sourceIp}, source_ip), busy_until = least(busy_until, ${afterPause()})
          where reference = ${reference} and coalesce(order_reference, ${orderReference}) = ${orderReference}`);
        return count > 0;
      } catch (error) {
        if (sqlState(error) === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },

    /** A look-up found nothing: how often that has happened since it was sent. */
    async foundNothing(reference: string): Promise<number> {
      const { looks } = await db.one<{ looks: number }>(sql`
        update esim_go_orders set empty_looks = empty_looks + 1 where reference = ${reference} returning empty_looks as looks`);
      return looks;
    },

    /** Which of these are other orders of ours. */
    async others(reference: string, numbers: readonly string[], iccids: readonly string[]) {
      const rows = await db.query<{ number: string | null; iccid: string | null }>(sql`
        select order_reference as number, iccid from esim_go_orders
        where reference <> ${reference} and (order_reference = any(${numbers}::text[]) or iccid = any(${iccids}::text[]))`);
      return {
        numbers: new Set(rows.flatMap(({ number }) => number ?? [])),
        iccids: new Set(rows.flatMap(({ iccid }) => iccid ?? [])),
      };
    },

    /** Addresses that are certainly not ours. None while we do not know any of ours. */
    async foreign(addresses: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.query<{ address: string }>(sql`
        select address from unnest(${addresses}::text[]) as address
        where exists (select from esim_go_orders where source_ip is not null)
          and not exists (select from esim_go_orders where source_ip = address)`);
      return new Set(rows.map(({ address }) => address));
    },

    isOurs: async (iccid: string) =>
      (await db.maybe(sql`select 1 as one from esim_go_orders where iccid = ${iccid} limit 1`)) !== undefined,

    async noteWithdrawal(iccid: string): Promise<void> {
      await db.run(sql`update esim_go_orders set withdrawn_at = ${now()} where iccid = ${iccid}`);
    },

    isWithdrawn: async (iccid: string) =>
      (await db.maybe(sql`
        select 1 as one from esim_go_orders where iccid = ${iccid} and withdrawn_at is not null limit 1`)) !==
      undefined,
  };
}

const UNIQUE_VIOLATION = '23505';
