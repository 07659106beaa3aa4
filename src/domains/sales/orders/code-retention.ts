import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Services } from '../../../platform/start/services.ts';
import { OWN_KEY } from '../../../platform/vault/secrets.ts';
import { orderDeliveries } from '../../messages/webhooks/webhooks.ts';

/** An eSIM of which nobody reports that it was used counts as ended this long after its days could have begun. */
const UNUSED_DAYS = 365;
const BATCH = 200;
/** However long codes are kept: a shorter time that is set later counts for all of them within this time. */
const LOOK_AGAIN_DAYS = 30;

interface CodeWorld {
  readonly schema: string;
  readonly db: Db;
}

interface CodeParts extends Pick<Services, 'vault' | 'clock'> {
  /** `CODE_RETENTION_DAYS`. */
  readonly keptMs: number;
  /** Copies of the codes that the items of these sales have. Only live has stock. */
  forgetStock(tx: Tx, sales: readonly string[]): Promise<unknown>;
}

/** Times of eSIMs that do not end are in no column, so everything about them is compared here. */
const lastRefill = sql`(select max(refill.delivered_at) from orders refill where refill.refill_of = orders.id and refill.status = 1)`;
const lastReading = sql`(select fetched_at from usage_readings where usage_readings.iccid = orders.iccid)`;

/** When the eSIM of a delivered order ended; null: it has not, as far as anybody can know. Test clocks do not count. */
const endedAt = (now: Date): Sql => sql`case
  when withdrawn_at is not null then withdrawn_at
  when usage_state = 'expired' or (usage_state in ('active', 'depleted') and usage_ends_at <= ${now})
    then greatest(coalesce(usage_ends_at, ${lastReading}, delivered_at), ${lastRefill})
  when usage_ends_at is null or usage_state = 'not_active'
    then (select at from (select greatest(delivered_at, ${lastRefill}) + (${UNUSED_DAYS} + day) * interval '1 day' as at) unused where at <= ${now})
  end`;

interface Due {
  readonly id: bigint;
  readonly supplierOrder: string | null;
  readonly endedAt: Date | null;
}

/** Destroys the codes of eSIMs that ended long enough ago, and says when to look at the others of the batch again. */
async function destroyDue(world: CodeWorld, { clock, keptMs, forgetStock }: CodeParts): Promise<number> {
  const now = new Date(clock.now());
  return world.db.tx(async (tx) => {
    const due = await tx.query<Due>(sql`
      with due as materialized (
        select id from esim_keys where check_at <= ${now} order by check_at limit ${BATCH} for update skip locked)
      select orders.id, supplier_order as "supplierOrder", ${endedAt(now)} as "endedAt"
      from due join orders on orders.id = due.id`);
    const isOver = ({ endedAt: at }: Due) => at !== null && at.getTime() + keptMs <= now.getTime();
    const over = due.filter(isOver);
    const ids = over.map(({ id }) => id);
    await tx.run(sql`delete from esim_keys where id = any(${ids}::bigint[])`);
    await orderDeliveries.forgetBodies(tx, ids);
    await forgetStock(
      tx,
      over.flatMap(({ supplierOrder }) => supplierOrder ?? []),
    );
    await lookAgain(
      tx,
      due.filter((one) => !isOver(one)),
      keptMs,
      now,
    );
    return due.length;
  });
}

/** One that has not ended by now is kept for the whole time at least, so looking again then is early enough. */
async function lookAgain(tx: Tx, rows: readonly Due[], keptMs: number, now: Date): Promise<void> {
  const latest = now.getTime() + LOOK_AGAIN_DAYS * DAY;
  const at = rows.map(({ endedAt }) => new Date(Math.min(latest, (endedAt ?? now).getTime() + keptMs)));
  await tx.run(sql`
    update esim_keys set check_at = again.at
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${at}::timestamptz[]) as again (id, at) where esim_keys.id = again.id`);
}

/** Orders that may still be delivered by a server of the previous version are left for later. */
const SETTLED_DAYS = 3;
const WINDOW = 500;

/**
 * Gives activation data that is sealed with the main secret a key of its own, in windows of ids. How far that is stands in the
 * settings, which the owner's connection writes; a window that is repeated changes nothing.
 */
async function giveKeys({ schema, db }: CodeWorld, owner: Db, { vault, clock }: CodeParts): Promise<number> {
  const name = `own keys ${schema}`;
  const progress = await owner.maybe<{ value: string }>(sql`select value from settings where name = ${name}`);
  const settled = new Date(clock.now() - SETTLED_DAYS * DAY);
  const done = await db.tx(async (tx) => {
    const rows = await tx.query<{ id: bigint; esim: Buffer | null }>(sql`
      select id, case when substring(esim from 1 for 4) <> ${OWN_KEY} then esim end as esim
      from orders where id > ${BigInt(progress?.value ?? 0)} and created_at < ${settled}
      order by id limit ${WINDOW} for no key update`);
    const old = rows.flatMap(({ id, esim }) => (esim ? [{ id, ...vault.sealApart(vault.open(esim)) }] : []));
    // The previous version still runs and could not read them.
    if (old.some(({ key }) => key === null)) return undefined;
    await tx.run(sql`
      with given as (
        update orders set esim = own.sealed
        from unnest(${old.map(({ id }) => id)}::bigint[], ${old.map(({ sealed }) => sealed)}::bytea[],
          ${old.map(({ key }) => key)}::bytea[]) as own (id, sealed, key)
        where orders.id = own.id returning orders.id, own.key
      )
      insert into esim_keys (id, sealed, check_at) select id, key, ${new Date(clock.now())}::timestamptz from given`);
    return { count: rows.length, last: rows.at(-1)?.id };
  });
  if (!done?.last) return 0;
  await owner.run(sql`
    insert into settings (name, value) values (${name}, ${JSON.stringify(String(done.last))}::jsonb)
    on conflict (name) do update set value = excluded.value`);
  return done.count;
}

export const codeJobs = (world: CodeWorld, owner: Db, parts: CodeParts): Job[] => [
  { name: `destroy codes ${world.schema}`, everyMs: MINUTE, run: () => destroyDue(world, parts) },
  { name: `own keys ${world.schema}`, everyMs: HOUR, run: () => giveKeys(world, owner, parts) },
];
