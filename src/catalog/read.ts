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

/** Rows per statement: small enough that turning them into plans never holds up requests for long. */
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
    const plans: Plan[] = [];
    for (;;) {
      const rows = await readPlans(tx, plans.at(-1)?.id ?? 0);
      for (const row of rows) plans.push(toPlan(row));
      if (rows.length < BATCH) return new Snapshot(destinations, plans);
    }
  });
}

const byId = <T extends { readonly id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

async function readDestinations(tx: Tx, imageOf: (code: string) => string): Promise<Destination[]> {
  const rows = await tx.query<Omit<Destination, 'image'>>(sql`
    select code, scope, title, slug, coalesce(region, case scope when 'country' then '' else code end) as region, continent
    from destinations`);
  return rows.map((row) => ({ ...row, image: imageOf(row.code) }));
}

interface PlanRow {
  id: number;
  alias: string;
  supplier_id: number;
  supplier_plan: string;
  destination: string;
  operator_id: number;
  title: string;
  amount_mb: number;
  day: number;
  is_unlimited: boolean;
  network_type: NetworkType;
  list_price: bigint;
  cost: bigint | null;
  is_usage_metered: boolean;
  fup_kind: string;
  fup_daily_mb: number;
  fup_speed_kbps: number;
  fair_use_text: string;
  voice: number | null;
  text: number | null;
  short_info: string | null;
  coverage: string;
  on_sale: boolean;
}

function readPlans(tx: Tx, afterId: number): Promise<PlanRow[]> {
  return tx.query<PlanRow>(sql`
    select id, alias, supplier_id, supplier_plan, destination, operator_id, title, amount_mb, day, is_unlimited, network_type,
      list_price, cost, is_usage_metered, fup_kind, fup_daily_mb, fup_speed_kbps, fair_use_text, voice, text, short_info,
      array_to_string(coverage, ' ') as coverage, on_sale
    from plans where id > ${afterId} order by id limit ${BATCH}`);
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
    const list = codes.split(' ').sort();
    return { codes: list, names: list.map(nameOf) };
  });
  const fairUses = new Map<string, FairUse>();
  const fairUseOf = (row: PlanRow): FairUse => {
    const { fup_kind: kind, fup_daily_mb: dailyMb, fup_speed_kbps: speedKbps, fair_use_text: text } = row;
    const key = `${kind} ${dailyMb} ${speedKbps} ${text}`;
    const known = fairUses.get(key) ?? { kind, dailyMb, speedKbps, text };
    fairUses.set(key, known);
    return known;
  };
  const dataOf = shared(dataText);
  const textOf = shared((text: string) => text);

  return (row) => ({
    id: row.id,
    alias: row.alias,
    onSale: row.on_sale,
    title: textOf(row.title),
    destination: known(destinations.get(row.destination)),
    supplier: known(suppliers.get(row.supplier_id)),
    supplierPlan: row.supplier_plan,
    amountMb: row.amount_mb,
    day: row.day,
    isUnlimited: row.is_unlimited,
    data: dataOf(row.amount_mb),
    networkType: row.network_type,
    listPrice: toCents(row.list_price),
    cost: row.cost === null ? null : toMicros(row.cost),
    isUsageMetered: row.is_usage_metered,
    fairUse: fairUseOf(row),
    voice: row.voice,
    text: row.text,
    shortInfo: row.short_info === null ? null : textOf(row.short_info),
    operator: known(operators.get(row.operator_id)),
    coverage: coverageOf(row.coverage),
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
