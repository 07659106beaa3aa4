import { createHash } from 'node:crypto';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Destination, Network, Plan, Supplier } from './plan.ts';
import { type PlanRow, planLine, planReader, type Referred, readPlanRows } from './plan-rows.ts';
import { Snapshot } from './snapshot.ts';

/** Plans per statement: few enough that turning them into objects never holds up requests for long. */
const BATCH = 2_000;

/** The catalog as read at one moment, with what is needed to read only the changes next time. */
export interface Reading {
  readonly state: CatalogState;
  readonly snapshot: Snapshot;
  readonly frame: Frame;
  /** Plans by id, and for each the version of the row it was made from. */
  readonly plans: readonly Plan[];
  readonly versions: readonly string[];
}

/** Names the catalog of one moment, for every process and after a restart. Both parts must match: see the table. */
export interface CatalogState {
  readonly id: bigint;
  readonly token: string;
}

export const latestState = (db: Queryable): Promise<CatalogState> =>
  db.one<CatalogState>(sql`select id, token from catalog_states order by id desc limit 1`);

/** What plans refer to. When any of it changes, every plan is rebuilt. */
interface Frame {
  readonly hash: string;
  readonly destinations: readonly Destination[];
  readonly referred: Referred;
  readonly toPlan: (row: PlanRow) => Plan;
}

/**
 * Reads the catalog in one snapshot. Of the plans it reads only rows that changed since `before`, and when nothing has changed it
 * returns `before` itself. `imageOf` gives the address of a destination's flag.
 */
export async function readCatalog(db: Db, imageOf: (code: string) => string, before?: Reading): Promise<Reading> {
  return db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const frame = await readFrame(tx, imageOf, before?.frame);
    const known = frame === before?.frame ? before : undefined;
    const state = await latestState(tx);
    const { ids, versions } = await readVersions(tx);
    const changed = changedSince(known, ids, versions);
    const isSame = known?.state.id === state.id && changed.length === 0 && ids.length === known.plans.length;
    if (known && isSame) return known;
    const fresh = new Map<number, Plan>();
    for (let at = 0; at < changed.length; at += BATCH) {
      for (const row of await readPlanRows(tx, changed.slice(at, at + BATCH))) fresh.set(row.id, frame.toPlan(row));
    }
    const plans = merged(ids, known?.plans ?? [], fresh);
    return { state, snapshot: new Snapshot(frame.destinations, plans), frame, plans, versions };
  });
}

export const destinationJson = sql`json_build_object('code', destinations.code, 'scope', destinations.scope,
  'title', destinations.title, 'slug', destinations.slug, 'continent', destinations.continent,
  'region', coalesce(destinations.region, case destinations.scope when 'country' then '' else destinations.code end))`;
const supplierJson = sql`json_build_object('id', suppliers.id, 'slug', suppliers.slug, 'title', suppliers.title,
  'kind', suppliers.kind)`;

/** One plan with what it refers to, in one statement. Names of covered countries may be those of the older `frame`. */
export async function readPlan(
  db: Queryable,
  alias: string,
  imageOf: (code: string) => string,
  frame: Pick<Frame, 'destinations'>,
): Promise<Plan | undefined> {
  const found = await db.maybe<{
    plan: PlanRow;
    destination: Omit<Destination, 'image'>;
    supplier: Supplier;
    network: Network;
  }>(sql`
    select to_json(plan) as plan, ${destinationJson} as destination, ${supplierJson} as supplier, networks.details as network
    from (${planLine(alias)}) as plan
    join destinations on destinations.code = plan.destination
    join suppliers on suppliers.id = plan.supplier_id
    join networks on networks.id = plan.operator_id`);
  if (!found) return undefined;
  const { plan, destination, supplier, network } = found;
  const destinations = new Map(frame.destinations.map((row) => [row.code, row]));
  const toPlan = planReader({
    destinations: destinations.set(destination.code, { ...destination, image: imageOf(destination.code) }),
    suppliers: new Map([[supplier.id, supplier]]),
    networks: new Map([[plan.operator_id, network]]),
  });
  return toPlan(plan);
}

/** Returns the frame from before when it has not changed. */
async function readFrame(tx: Tx, imageOf: (code: string) => string, before: Frame | undefined): Promise<Frame> {
  const { text } = await tx.one<{ text: string }>(sql`
    select json_build_object(
      'destinations', (select json_agg(${destinationJson} order by code) from destinations),
      'suppliers', (select json_agg(${supplierJson} order by id) from suppliers),
      'networks', (select json_agg(json_build_object('id', id, 'details', details) order by id) from networks))::text as text`);
  const hash = createHash('sha256').update(text).digest('base64');
  if (before?.hash === hash) return before;
  const found = JSON.parse(text) as {
    destinations: Omit<Destination, 'image'>[] | null;
    suppliers: Supplier[] | null;
    networks: { id: number; details: Network }[] | null;
  };
  const destinations = (found.destinations ?? []).map((row) => ({ ...row, image: imageOf(row.code) }));
  const referred: Referred = {
    destinations: new Map(destinations.map((row) => [row.code, row])),
    suppliers: new Map(found.suppliers?.map((row) => [row.id, row])),
    networks: new Map(found.networks?.map((row) => [row.id, row.details])),
  };
  return { hash, destinations, referred, toPlan: planReader(referred) };
}

/** Every plan's id with the version of its row: `xmin` is the last transaction that wrote it. */
async function readVersions(tx: Tx): Promise<{ ids: number[]; versions: string[] }> {
  const row = await tx.one<{ ids: number[] | null; versions: string[] | null }>(sql`
    select json_agg(id order by id) as ids, json_agg(xmin::text order by id) as versions from plans`);
  return { ids: row.ids ?? [], versions: row.versions ?? [] };
}

/** Ids of plans that are new or were written since. Both lists are in id order, and plans are never deleted. */
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
