import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, SECOND } from '../clock.ts';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { isLatest, type KeptReading, type SoldEsim, soldEsims } from '../esims/esims.ts';
import type { Supplier } from '../suppliers/suppliers.ts';
import { type UsageFigures, usageFigures } from './figures.ts';

export type { UsageFigures } from './figures.ts';
export { usageStatesJob } from './states.ts';

/** Usage of one eSIM as its partner reads it. */
export interface Usage extends UsageFigures {
  readonly iccid: string;
  readonly orderId: bigint;
  readonly productId: string;
  readonly productTitle: string;
  readonly isUnlimited: boolean;
  readonly activatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly fetchedAt: Date;
}

/** The part of a world its usage readings need. */
export interface UsageWorld {
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Pick<Supplier, 'usage'>> };
}

/** Usage of the eSIMs of one world: the last reading, renewed at the supplier when it is no longer fresh. */
export interface UsageDesk {
  /** Undefined: not the partner's eSIM, never read, or the supplier does not answer. */
  of(partnerId: number, iccid: string, time: Clock): Promise<Usage | undefined>;
  /** Readings of the eSIMs these orders brought or refilled, renewed where they are not fresh. Orders whose supplier gave none are missing. */
  readings(orderIds: readonly bigint[]): Promise<Map<bigint, KeptReading>>;
}

/** How long a reading is served without asking the supplier again. */
const FRESH_MS = 90 * SECOND;
const ASK_LIMIT_MS = 5 * SECOND;
/** How long other readers wait for the one that is asking the supplier. */
const ASKING_MS = ASK_LIMIT_MS + 2 * SECOND;
const POLL_MS = 100;
/** Concurrent supplier calls for a list of readings. */
const ASK_AT_ONCE = 8;

export function createUsageDesk(world: UsageWorld, { clock }: { clock: Clock }): UsageDesk {
  const { db, suppliers } = world;
  const asking = new Map<string, Promise<KeptReading | undefined>>();

  /** The supplier is asked once at a time per ICCID: within this process by the map, between processes by the row. */
  function current(sold: SoldEsim, time: Clock): Promise<KeptReading | undefined> {
    const under = asking.get(sold.iccid);
    if (under) return under;
    const reading = read(sold, time).finally(() => asking.delete(sold.iccid));
    asking.set(sold.iccid, reading);
    return reading;
  }

  async function read(sold: SoldEsim, time: Clock): Promise<KeptReading | undefined> {
    const kept = await keptReading(db, sold.iccid, time.now());
    if (kept?.isFresh) return kept.reading;
    const until = new Date(time.now() + ASKING_MS);
    const mine = await db.run(sql`
      insert into usage_readings as kept (iccid, asking_until) values (${sold.iccid}, ${until})
      on conflict (iccid) do update set asking_until = excluded.asking_until
      where kept.asking_until <= ${new Date(time.now())}`);
    return mine ? ask(sold, until, time) : waitForOther(sold.iccid, time);
  }

  async function ask(sold: SoldEsim, until: Date, time: Clock): Promise<KeptReading | undefined> {
    const supplier = await suppliers.of(sold.supplier);
    const answer = await supplier.usage(sold, ASK_LIMIT_MS);
    if (answer.outcome !== 'reading') {
      await db.run(sql`
        update usage_readings set asking_until = '-infinity' where iccid = ${sold.iccid} and asking_until = ${until}`);
      return undefined;
    }
    const { state, totalMb, usedMb, activatedAt, expiresAt } = answer.reading;
    const fetchedAt = new Date(time.now());
    const { status } = usageFigures(answer.reading, sold, fetchedAt.getTime());
    // If the reading was dropped meanwhile, this one may already be too old: it is kept, but does not count as fresh.
    await db.run(sql`
      with kept as (
        update usage_readings set state = ${state}, total_mb = ${totalMb}, used_mb = ${usedMb}, activated_at = ${activatedAt},
          expires_at = ${expiresAt}, fetched_at = ${fetchedAt}, asking_until = '-infinity', order_id = ${sold.orderId},
          fresh_until = case when asking_until = ${until} then ${new Date(fetchedAt.getTime() + FRESH_MS)}::timestamptz else '-infinity' end
        where iccid = ${sold.iccid} returning iccid
      )
      update orders set usage_state = ${status}, usage_ends_at = ${expiresAt} from kept
      where id = ${sold.orderId} and (usage_state, usage_ends_at) is distinct from (${status}::text, ${expiresAt}::timestamptz)`);
    return { ...answer.reading, fetchedAt };
  }

  async function waitForOther(iccid: string, time: Clock): Promise<KeptReading | undefined> {
    for (let waitedMs = 0; waitedMs < ASKING_MS; waitedMs += POLL_MS) {
      await wait(POLL_MS);
      const kept = await keptReading(db, iccid, time.now());
      if (kept?.isFresh) return kept.reading;
      if (!kept?.isAsked) return undefined;
    }
    return undefined;
  }

  return {
    async of(partnerId, iccid, time) {
      const [sold] = await soldEsims(db, sql`o.iccid = ${iccid} and o.partner_id = ${partnerId} and ${isLatest}`);
      const reading = sold && (await current(sold, time));
      if (!reading) return undefined;
      return usageOf(sold, reading, time.now());
    },

    async readings(orderIds) {
      const orders = await db.query<{ id: bigint; broughtBy: bigint }>(sql`
        select id, coalesce(refill_of, id) as "broughtBy" from orders where id = any(${orderIds}::bigint[])`);
      const fills = Map.groupBy(orders, ({ broughtBy }) => broughtBy);
      const waiting = await soldEsims(db, sql`o.id = any(${[...fills.keys()]}::bigint[])`);
      const taken = new Map<bigint, KeptReading>();
      const askers = Array.from({ length: ASK_AT_ONCE }, async () => {
        for (let sold = waiting.pop(); sold; sold = waiting.pop()) {
          const reading = await current(sold, clock);
          if (reading) for (const { id } of fills.get(sold.orderId) ?? []) taken.set(id, reading);
        }
      });
      await Promise.all(askers);
      return taken;
    },
  };
}

/** A reading of an eSIM as its partner reads it. */
export function usageOf(sold: SoldEsim, reading: KeptReading, now: number): Usage {
  const { iccid, orderId, productId, productTitle, isUnlimited } = sold;
  const { activatedAt, expiresAt, fetchedAt } = reading;
  const figures = usageFigures(reading, sold, now);
  return { ...figures, iccid, orderId, productId, productTitle, isUnlimited, activatedAt, expiresAt, fetchedAt };
}

interface Kept {
  readonly reading: KeptReading;
  readonly isFresh: boolean;
  readonly isAsked: boolean;
}

function keptReading(db: Db, iccid: string, now: number): Promise<Kept | undefined> {
  return db
    .maybe<KeptReading & Omit<Kept, 'reading'>>(sql`
      select state, total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt",
        fetched_at as "fetchedAt", fresh_until > ${new Date(now)} as "isFresh", asking_until > ${new Date(now)} as "isAsked"
      from usage_readings where iccid = ${iccid}`)
    .then((row) => row && { reading: row, isFresh: row.isFresh, isAsked: row.isAsked });
}

/** Makes the next read of a live eSIM ask the supplier. On the owner's connection. */
export async function dropReading(tx: Tx, iccid: string): Promise<void> {
  await tx.run(sql`
    update live.usage_readings set fresh_until = '-infinity', asking_until = '-infinity' where iccid = ${iccid}`);
}
