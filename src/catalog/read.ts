import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { toCents, toMicros } from '../money/money.ts';
import {
  type Coverage,
  type Destination,
  dataText,
  type FairUse,
  type NetworkType,
  type Operator,
  type Plan,
  type Supplier,
} from './plan.ts';
import { Snapshot } from './snapshot.ts';

/** Ids per statement: few enough that turning them into plans never holds up requests for long. */
const BATCH = 2_000;

/** Reads the whole catalog as it stood at one moment. `imageOf` gives the address of a destination's flag. */
export async function readCatalog(db: Db, imageOf: (code: string) => string): Promise<Snapshot> {
  return db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const destinations = await readDestinations(tx, imageOf);
    const suppliers = byId(await tx.query<Supplier>(sql`select id, slug, title, kind from suppliers`));
    const operators = byId(
      (await tx.query<{ id: number; details: Operator }>(sql`select id, details from operators`)).map(
        ({ id, details }) => ({ id, ...details }),
      ),
    );
    const toPlan = planReader(new Map(destinations.map((one) => [one.code, one])), suppliers, operators);
    const { last } = await tx.one<{ last: number }>(sql`select coalesce(max(id), 0) as last from plans`);
    const plans: Plan[] = [];
    for (let after = 0; after < last; after += BATCH) {
      for (const row of await readPlans(tx, after)) plans.push(toPlan(row));
    }
    return new Snapshot(destinations, plans);
  });
}

const byId = <T extends { readonly id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

async function readDestinations(tx: Tx, imageOf: (code: string) => string): Promise<Destination[]> {
  const rows = await tx.query<Omit<Destination, 'image'>>(sql`
    select code, scope, title, slug, coalesce(region, case scope when 'country' then '' else code end) as region, continent
    from destinations`);
  return rows.map((row) => ({ ...row, image: imageOf(row.code) }));
}

type PlanRow = readonly [
  id: number,
  alias: string,
  onSale: boolean,
  title: string,
  destination: string,
  supplierId: number,
  supplierPlan: string,
  amountMb: number,
  day: number,
  isUnlimited: boolean,
  networkType: NetworkType,
  listPrice: number,
  cost: number | null,
  isUsageMetered: boolean,
  fupKind: string,
  fupDailyMb: number,
  fupSpeedKbps: number,
  fairUseText: string,
  voice: number | null,
  text: number | null,
  shortInfo: string | null,
  operatorId: number,
  coverage: string,
];

/** Each batch is one JSON text: an API process parses that four times as fast as as many rows. */
async function readPlans(tx: Tx, afterId: number): Promise<readonly PlanRow[]> {
  const { rows } = await tx.one<{ rows: PlanRow[] | null }>(sql`
    select json_agg(json_build_array(
      id, alias, on_sale, title, destination, supplier_id, supplier_plan, amount_mb, day, is_unlimited, network_type,
      list_price, cost, is_usage_metered, fup_kind, fup_daily_mb, fup_speed_kbps, fair_use_text, voice, text, short_info,
      operator_id, array_to_string(coverage, ' ')) order by id) as rows
    from plans where id > ${afterId} and id <= ${afterId + BATCH}`);
  return rows ?? [];
}

/** Turns rows into plans that share what they have in common, so 50,000 of them stay small. */
function planReader(
  destinations: ReadonlyMap<string, Destination>,
  suppliers: ReadonlyMap<number, Supplier>,
  operators: ReadonlyMap<number, Operator>,
): (row: PlanRow) => Plan {
  const unsold = new Intl.DisplayNames('en', { type: 'region' });
  const nameOf = (code: string) => destinations.get(code)?.title ?? unsold.of(code) ?? code;
  const coverageOf = shared((codes: string): Coverage => {
    const list = codes.split(' ');
    return { codes: list, names: list.map(nameOf) };
  });
  const fairUses = new Map<string, FairUse>();
  const fairUseOf = (kind: string, dailyMb: number, speedKbps: number, text: string): FairUse => {
    const key = `${kind} ${dailyMb} ${speedKbps} ${text}`;
    const known = fairUses.get(key) ?? { kind, dailyMb, speedKbps, text };
    fairUses.set(key, known);
    return known;
  };
  const dataOf = shared(dataText);

  return ([
    id,
    alias,
    onSale,
    title,
    destination,
    supplierId,
    supplierPlan,
    amountMb,
    day,
    isUnlimited,
    networkType,
    listPrice,
    cost,
    isUsageMetered,
    fupKind,
    fupDailyMb,
    fupSpeedKbps,
    fairUseText,
    voice,
    text,
    shortInfo,
    operatorId,
    coverage,
  ]) => ({
    id,
    alias,
    onSale,
    title,
    destination: known(destinations.get(destination)),
    supplier: known(suppliers.get(supplierId)),
    supplierPlan,
    amountMb,
    day,
    isUnlimited,
    data: dataOf(amountMb),
    networkType,
    listPrice: toCents(BigInt(listPrice)),
    cost: cost === null ? null : toMicros(BigInt(cost)),
    isUsageMetered,
    fairUse: fairUseOf(fupKind, fupDailyMb, fupSpeedKbps, fairUseText),
    voice,
    text,
    shortInfo,
    operator: known(operators.get(operatorId)),
    coverage: coverageOf(coverage),
  });
}

/** Remembers what was made of each key. */
function shared<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
}

/** A foreign key promises it. */
function known<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('the catalog names a row that does not exist');
  return row;
}
