import { setImmediate } from 'node:timers/promises';
import { toCents, toMicros } from '../../../platform/amounts/cents.ts';
import { type Clock, DAY, HOUR } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Destination, Plan } from './plan.ts';
import { coverageReader, planReader, readPastRows } from './plan-rows.ts';
import { type CatalogState, destinationJson, type Reading } from './read.ts';

/** Plans per statement and per turn of the event loop. */
const BATCH = 500;

/**
 * Plans by id as they were at an earlier state. A plan that is not in it has not changed. `ahead`: this process has not read a
 * state that late yet. Undefined: the state is not known (any more).
 */
export type Past = ReadonlyMap<number, Plan> | 'ahead' | undefined;

/**
 * What was different at `since`, compared with `reading`. The log has each plan and each destination as it was before each change,
 * so the first entry after `since` shows it as of `since`. Entries later than the reading's own state are ignored.
 */
export async function readPast(
  db: Db,
  reading: Reading,
  since: CatalogState,
  imageOf: (code: string) => string,
): Promise<Past> {
  return db.tx(async (tx) => {
    // One snapshot: what is old may be removed from the log at any moment.
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const isKnown = await tx.maybe(
      sql`select id from catalog_states where id = ${since.id} and token = ${since.token}`,
    );
    if (!isKnown) return undefined;
    const upTo = reading.state.id;
    if (since.id > upTo) return 'ahead';
    const past = await withPastDestinations(tx, reading, since, imageOf);
    const { ids } = await tx.one<{ ids: number[] | null }>(sql`
      select json_agg(distinct plan_id) as ids from plan_changes where state > ${since.id} and state <= ${upTo}`);
    if (ids === null) return past.plans;
    const now = new Map(reading.plans.map((plan) => [plan.id, plan]));
    for (let at = 0; at < ids.length; at += BATCH) {
      for (const row of await readPastRows(tx, ids.slice(at, at + BATCH), since.id, upTo)) {
        const plan = row.line ? past.toPlan(row.line) : (past.plans.get(row.id) ?? now.get(row.id));
        if (!plan) throw new Error(`plan ${row.id} changed and does not exist`);
        past.plans.set(row.id, {
          ...plan,
          onSale: row.on_sale,
          listPrice: toCents(BigInt(row.list_price)),
          cost: row.cost === null ? null : toMicros(BigInt(row.cost)),
        });
      }
    }
    return past.plans;
  });
}

/** The plans that name a destination which was different: they are sold for it or cover it. */
async function withPastDestinations(
  tx: Tx,
  { state, frame, plans }: Reading,
  since: CatalogState,
  imageOf: (code: string) => string,
) {
  const rows = await tx.query<{ code: string; destination: Omit<Destination, 'image'> | null }>(sql`
    select changes.code, case when changes.before is not null then ${destinationJson} end as destination
    from (
      select distinct on (code) code, before from destination_changes
      where state > ${since.id} and state <= ${state.id} order by code, state
    ) as changes, jsonb_populate_record(null::destinations, changes.before) as destinations`);
  const found = new Map<number, Plan>();
  if (rows.length === 0) return { plans: found, toPlan: frame.toPlan };
  const destinations = new Map(frame.referred.destinations);
  for (const { code, destination } of rows) {
    if (destination) destinations.set(code, { ...destination, image: imageOf(code) });
    else destinations.delete(code);
  }
  const changed = new Set(rows.map(({ code }) => code));
  const coverageOf = coverageReader(destinations);
  for (const [i, plan] of plans.entries()) {
    if (i % BATCH === 0) await setImmediate();
    const { destination, coverage } = plan;
    if (!changed.has(destination.code) && !coverage.codes.some((code) => changed.has(code))) continue;
    found.set(plan.id, {
      ...plan,
      // A plan whose destination is new is new itself, or has an entry of its own.
      destination: destinations.get(destination.code) ?? destination,
      coverage: coverageOf(coverage.codes.join(' ')),
    });
  }
  return { plans: found, toPlan: planReader({ ...frame.referred, destinations }) };
}

/**
 * Versions are valid for seven days. One day more, because another process may hand out a state shortly after the next one was
 * made.
 */
const LOG_KEPT_MS = 8 * DAY;
const PRUNED_AT_ONCE = 5_000;

/**
 * Removes expired states, and the log of what was different before them. A state is handed out until the next one is made, so its
 * time starts then: the newest state older than the limit is still needed, everything before it is not.
 */
export function catalogStatesJob(db: Db, clock: Clock): Job {
  return {
    name: 'catalog states',
    everyMs: HOUR,
    async run() {
      const before = new Date(clock.now() - LOG_KEPT_MS);
      const first = sql`(select max(id) from catalog_states where at < ${before})`;
      // States first: without its state a version is refused, so an incomplete log is never read.
      const states = await db.run(sql`delete from catalog_states where id < ${first}`);
      const destinations = await db.run(sql`delete from destination_changes where state <= ${first}`);
      const plans = await db.run(sql`
        delete from plan_changes where (plan_id, state) in (
          select plan_id, state from plan_changes where state <= ${first} order by state limit ${PRUNED_AT_ONCE})`);
      return states + destinations + plans;
    },
  };
}
