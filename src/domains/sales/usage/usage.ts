import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { bound } from '../../../platform/db/replicas.ts';
import { esimWatch } from '../../messages/webhooks/webhooks.ts';
import type { ProfileReading, Supplier } from '../../supply/port/port.ts';
import { autorefillRows } from '../autorefill-rows/autorefill-rows.ts';
import { isLatest, type KeptReading, type ProfileNews, type SoldEsim, soldEsims } from '../esims/esims.ts';
import { usageMarks } from '../orders/orders.ts';
import { percentUsedOf, type Usage, usageOf } from './figures.ts';
import { eventsOfReading, type WatchTerms } from './next-reading.ts';
import { noteProfileNews, type PhoneWorld, publishedEvents, publishNewEvents } from './publish-events.ts';
import { createWatcher } from './watch.ts';

export { percentUsedOf, type Usage, type UsageFigures, usageOf } from './figures.ts';
export { nextEndAt, type WatchTerms, watchedUsage } from './next-reading.ts';
export {
  forgetEsimEvents,
  noteProfileNews,
  type PhoneWorld,
  publishOnce,
  publishPhoneEvents,
} from './publish-events.ts';
export { usageStatesJob, watchJob } from './watch.ts';

/** The part of a world its usage readings need. */
interface UsageWorld extends PhoneWorld {
  readonly db: Db;
  readonly suppliers: { of(slug: string): Promise<Pick<Supplier, 'usage' | 'usagePerSecond'>> };
  readonly watchTerms: WatchTerms;
}

/** Usage of the eSIMs of one world: the last reading, renewed at the supplier when it is no longer fresh. */
export type UsageDesk = ReturnType<typeof createUsageDesk>;

/** How long a reading is served without asking the supplier again. */
const FRESH_MS = 90 * SECOND;
const ASK_LIMIT_MS = 5 * SECOND;
/** How long other readers wait for the one that is asking the supplier. */
const ASKING_MS = ASK_LIMIT_MS + 2 * SECOND;
const POLL_MS = 100;
/** Concurrent supplier calls for a list of readings. */
const ASK_AT_ONCE = 8;

export function createUsageDesk(world: UsageWorld, { clock }: { clock: Clock }) {
  const { db, suppliers, webhooks } = world;
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
    const last = kept?.reading.fetchedAt ? kept.reading : undefined;
    return mine ? ask({ ...sold, last }, until, time) : waitForOther(sold.iccid, time);
  }

  async function ask(sold: SoldEsim, until: Date, time: Clock): Promise<KeptReading | undefined> {
    const supplier = await suppliers.of(sold.supplier);
    const answer = await supplier.usage(sold, ASK_LIMIT_MS);
    if (answer.outcome !== 'reading') {
      await db.run(sql`
        update usage_readings set asking_until = '-infinity' where iccid = ${sold.iccid} and asking_until = ${until}`);
      return undefined;
    }
    const reading = { ...answer.reading, fetchedAt: new Date(time.now()) };
    await keep(sold, reading, newsIn(answer.profile), until);
    return reading;
  }

  /** Stores the reading, with what it says of the profile and to the rule of the eSIM, and publishes its events in one transaction. */
  async function keep(sold: SoldEsim, reading: KeptReading, news: ProfileNews | undefined, until: Date): Promise<void> {
    const now = reading.fetchedAt.getTime();
    const usage = usageOf(sold, reading, now);
    const written = keeping(sold, reading, usage, until, new Date(clock.now()));
    if (!news && eventsOfReading(sold, usage, now).length === 0) await db.run(written);
    else
      await db.tx(async (tx) => {
        // A reading that was dropped meanwhile publishes nothing: its account was reset, or its clock was turned.
        if ((await tx.run(written)) === 0) return;
        if (news) await noteProfileNews(tx, world, sold, news, now);
        await publishNewEvents(tx, webhooks, sold, usage, now);
      });
  }

  async function waitForOther(iccid: string, time: Clock): Promise<KeptReading | undefined> {
    for (let waitedMs = 0; waitedMs < ASKING_MS; waitedMs += POLL_MS) {
      await wait(POLL_MS);
      const kept = await keptReading(db, iccid, time.now());
      if (kept?.isFresh) return kept.reading;
      if (!kept?.isBeingRead) return undefined;
    }
    return undefined;
  }

  const watcher = createWatcher(world, { clock, read: current });

  return {
    /** Reads watched eSIMs that are due and publishes their events. Returns how many it looked at. */
    readDue: watcher.readDue,
    /** `eventsOf`: what was published about the eSIM that an order delivered, oldest first. */
    ...bound(db, { last: lastReadings, eventsOf: publishedEvents }),

    /** A supplier of this kind has news of an eSIM: makes its reading due, but not before the last one is no longer fresh. */
    async expedite(kind: string, iccid: string): Promise<void> {
      const now = new Date(clock.now());
      const dueAt = sql`least(watch_due_at, greatest(${now}, (
        select fetched_at + ${FRESH_MS}::float8 * interval '1 ms' from usage_readings where usage_readings.iccid = ${iccid})))`;
      await db.run(
        usageMarks.setDue(
          iccid,
          dueAt,
          sql`${isWatched} and supplier in (select slug from shared.suppliers where kind = ${kind})`,
        ),
      );
    },

    /** A supplier of this kind has told of an eSIM on the phone: keeps that and publishes its events. */
    async noteProfile(kind: string, iccid: string, told: Partial<ProfileReading>): Promise<void> {
      const news = newsIn(told);
      if (!news) return;
      const ofKind = sql`o.supplier in (select slug from shared.suppliers where kind = ${kind})`;
      const [sold] = await soldEsims(
        db,
        sql`o.iccid = ${iccid} and ${ofKind} and o.withdrawn_at is null and ${isLatest}`,
      );
      if (sold) await db.tx((tx) => noteProfileNews(tx, world, sold, news, clock.now()));
    },

    /** Undefined: not the partner's eSIM, never read, or the supplier does not answer. */
    async of(partnerId: number, iccid: string, time: Clock): Promise<Usage | undefined> {
      const [sold] = await soldEsims(db, sql`o.iccid = ${iccid} and o.partner_id = ${partnerId} and ${isLatest}`);
      const reading = sold && (await current(sold, time));
      if (!reading) return undefined;
      return usageOf(sold, reading, time.now());
    },

    /**
     * Readings of the eSIMs these orders delivered or refilled, renewed where they are not fresh. Orders whose supplier gave none are
     * missing.
     */
    async readings(orderIds: readonly bigint[]): Promise<Map<bigint, KeptReading>> {
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

/** What a supplier has told. Undefined: nothing. */
function newsIn({ state, device, country, seenAt }: Partial<ProfileReading> = {}): ProfileNews | undefined {
  const news = {
    ...(state !== undefined && state !== 'unknown' && { state }),
    ...(device && { brand: device.brand, model: device.model }),
    ...(country && { country }),
    ...(seenAt && { seenAt }),
  };
  return Object.keys(news).length > 0 ? news : undefined;
}

/** If the reading was dropped meanwhile, this one may already be too old: it is stored, but not as fresh. */
function keeping({ iccid, orderId }: SoldEsim, reading: KeptReading, usage: Usage, until: Date, now: Date): Sql {
  const percentUsed = percentUsedOf(usage);
  const crossed =
    percentUsed === undefined
      ? nothing
      : sql`, crossed as (${autorefillRows.crossed(orderId, { percentUsed, totalMb: usage.totalMb }, now)})`;
  const { state, totalMb, usedMb, activatedAt, expiresAt, fetchedAt } = reading;
  return sql`
    with kept as (
      update usage_readings set state = ${state}, total_mb = ${totalMb}, used_mb = ${usedMb}, activated_at = ${activatedAt},
        expires_at = ${expiresAt}, fetched_at = ${fetchedAt}, asking_until = '-infinity', order_id = ${orderId},
        fresh_until = case when asking_until = ${until} then ${new Date(fetchedAt.getTime() + FRESH_MS)}::timestamptz else '-infinity' end
      where iccid = ${iccid} returning iccid
    ), noted as (
      ${usageMarks.note(orderId, usage.status, expiresAt)}
    )${crossed}
    select iccid from kept`;
}

interface Kept {
  readonly reading: KeptReading;
  readonly isFresh: boolean;
  readonly isBeingRead: boolean;
}

function keptReading(db: Db, iccid: string, now: number): Promise<Kept | undefined> {
  return db
    .maybe<KeptReading & Omit<Kept, 'reading'>>(sql`
      select state, total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt",
        fetched_at as "fetchedAt", fresh_until > ${new Date(now)} as "isFresh", asking_until > ${new Date(now)} as "isBeingRead"
      from usage_readings where iccid = ${iccid}`)
    .then((row) => row && { reading: row, isFresh: row.isFresh, isBeingRead: row.isBeingRead });
}

/** Makes the next reads of eSIMs ask the supplier; as a statement or part of one. */
export const outdated = (which: Sql): Sql => sql`
      update usage_readings set fresh_until = '-infinity', asking_until = '-infinity' where ${which}`;

/** Makes the next read of an eSIM ask the supplier, and makes it due at once if it is watched. */
export async function readAgain(tx: Queryable, iccid: string, now: Date): Promise<void> {
  await tx.run(sql`
    with dropped as (${outdated(sql`iccid = ${iccid}`)})
    ${usageMarks.setDue(iccid, sql`${now}`, isWatched)}`);
}

/** Of `orders`: its partner subscribed to eSIM events, or it refills itself. */
const isWatched = sql`(${esimWatch.isWanted(sql`orders.partner_id`)} or ${autorefillRows.isAtWork(sql`orders.id`)})`;

/** The next reads of a partner's eSIMs ask the supplier, because the stored readings are of another time. */
export async function forgetReadings(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from usage_readings using orders where usage_readings.iccid = orders.iccid and partner_id = ${partnerId}`);
}

/** The last reading of each eSIM that has one, by ICCID. No supplier is asked. */
async function lastReadings(db: Queryable, iccids: readonly string[]): Promise<Map<string, KeptReading>> {
  const rows = await db.query<KeptReading & { iccid: string }>(sql`
    select iccid, state, total_mb as "totalMb", used_mb as "usedMb", activated_at as "activatedAt", expires_at as "expiresAt",
      fetched_at as "fetchedAt"
    from usage_readings where iccid = any(${iccids}::text[]) and fetched_at is not null`);
  return new Map(rows.map(({ iccid, ...reading }) => [iccid, reading]));
}
