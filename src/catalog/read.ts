import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Destination, Operator, Plan, Supplier } from './plan.ts';
import { type PlanRow, planReader, readPlanRows } from './plan-rows.ts';
import { Snapshot } from './snapshot.ts';

/** Plans per statement: few enough that turning them into objects never holds up requests for long. */
const BATCH = 2_000;

/** The catalog as read at one moment, with what is needed to read only what has changed since. */
export interface Reading {
  readonly snapshot: Snapshot;
  readonly frame: Frame;
  /** By id, each with the version of the row it was made from. */
  readonly plans: readonly Plan[];
  readonly versions: readonly string[];
}

/** What plans refer to. When any of it changes, every plan is made anew. */
interface Frame {
  readonly hash: string;
  readonly destinations: readonly Destination[];
  readonly toPlan: (row: PlanRow) => Plan;
}

/**
 * Reads the catalog as it stands at one moment; of the plans, only rows that are not as they were in `before`. The same
 * reading comes back when nothing has changed. `imageOf` gives the address of a destination's flag.
 */
export async function readCatalog(db: Db, imageOf: (code: string) => string, before?: Reading): Promise<Reading> {
  return db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const frame = await readFrame(tx, imageOf, before?.frame);
    const known = frame === before?.frame ? before : undefined;
    const { ids, versions } = await readVersions(tx);
    const changed = changedSince(known, ids, versions);
    if (known && changed.length === 0 && ids.length === known.plans.length) return known;
    const fresh = new Map<number, Plan>();
    for (let at = 0; at < changed.length; at += BATCH) {
      for (const row of await readPlanRows(tx, changed.slice(at, at + BATCH))) fresh.set(row.id, frame.toPlan(row));
    }
    const plans = merged(ids, known?.plans ?? [], fresh);
    return { snapshot: new Snapshot(frame.destinations, plans), frame, plans, versions };
  });
}

/** The frame as it stands: the one from before when it is the same. */
async function readFrame(tx: Tx, imageOf: (code: string) => string, before: Frame | undefined): Promise<Frame> {
  const { text } = await tx.one<{ text: string }>(sql`
    select json_build_object(
      'destinations', (select json_agg(json_build_object('code', code, 'scope', scope, 'title', title, 'slug', slug,
        'region', coalesce(region, case scope when 'country' then '' else code end), 'continent', continent)
        order by code) from destinations),
      'suppliers', (select json_agg(json_build_object('id', id, 'slug', slug, 'title', title, 'kind', kind) order by id)
        from suppliers),
      'operators', (select json_agg(json_build_object('id', id, 'details', details) order by id) from operators))::text as text`);
  const hash = createHash('sha256').update(text).digest('base64');
  if (before?.hash === hash) return before;
  const found = JSON.parse(text) as {
    destinations: Omit<Destination, 'image'>[] | null;
    suppliers: Supplier[] | null;
    operators: { id: number; details: Operator }[] | null;
  };
  const destinations = (found.destinations ?? []).map((row) => ({ ...row, image: imageOf(row.code) }));
  const toPlan = planReader({
    destinations: new Map(destinations.map((row) => [row.code, row])),
    suppliers: new Map(found.suppliers?.map((row) => [row.id, row])),
    operators: new Map(found.operators?.map((row) => [row.id, row.details])),
  });
  return { hash, destinations, toPlan };
}

/** Every plan's id with the version of its row: `xmin` is the transaction that wrote it last. */
async function readVersions(tx: Tx): Promise<{ ids: number[]; versions: string[] }> {
  const row = await tx.one<{ ids: number[] | null; versions: string[] | null }>(sql`
    select json_agg(id order by id) as ids, json_agg(xmin::text order by id) as versions from plans`);
  return { ids: row.ids ?? [], versions: row.versions ?? [] };
}

/** Ids of plans that are new or whose row was written since. Both lists are by id, and plans are never deleted. */
function changedSince(known: Reading | undefined, ids: readonly number[], versions: readonly string[]): number[] {
  let at = 0;
  return ids.filter((id, i) => {
    if (known?.plans[at]?.id !== id) return true;
    at += 1;
    return known.versions[at - 1] !== versions[i];
  });
}

function merged(ids: readonly number[], kept: readonly Plan[], fresh: ReadonlyMap<number, Plan>): Plan[] {
  let at = 0;
  return ids.map((id) => {
    const old = kept[at]?.id === id ? kept[at++] : undefined;
    const plan = fresh.get(id) ?? old;
    if (!plan) throw new Error(`plan ${id} was not read`);
    return plan;
  });
}
