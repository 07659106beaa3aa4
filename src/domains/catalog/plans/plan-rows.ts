import { toCents, toMicros } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { columnsOf, type RowOf } from '../../../platform/db/query/columns.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { PlanInput } from '../import/import-check.ts';
import {
  type Coverage,
  type Destination,
  dataText,
  type FairUse,
  type Network,
  type Plan,
  type Supplier,
} from './plan.ts';

/** A plan from an import, and the rows it belongs to. */
export interface PlanLine extends Omit<PlanInput, 'network'> {
  readonly id: number;
  readonly alias: string;
  readonly supplierId: number;
  readonly networkId: number;
  readonly isHeldBack: boolean;
}

/** The plans table: what an import writes and the catalog reads. */
const columns = columnsOf<PlanLine>()({
  id: ['integer', (plan) => plan.id],
  alias: ['text', (plan) => plan.alias],
  supplier_id: ['integer', (plan) => plan.supplierId],
  supplier_plan: ['text', (plan) => plan.supplierPlan],
  destination: ['text', (plan) => plan.destination],
  operator_id: ['integer', (plan) => plan.networkId],
  title: ['text', (plan) => plan.title],
  amount_mb: ['integer', (plan) => plan.amountMb],
  day: ['integer', (plan) => plan.day],
  is_unlimited: ['boolean', (plan) => plan.isUnlimited],
  network_type: ['text', (plan) => plan.networkType],
  list_price: ['bigint', (plan) => plan.listPrice],
  cost: ['bigint', (plan) => plan.cost],
  is_usage_metered: ['boolean', (plan) => plan.isUsageMetered],
  fup_kind: ['text', (plan) => plan.fupKind],
  fup_daily_mb: ['integer', (plan) => plan.fupDailyMb],
  fup_speed_kbps: ['integer', (plan) => plan.fupSpeedKbps],
  fair_use_text: ['text', (plan) => plan.fairUseText],
  voice: ['integer', (plan) => plan.voice],
  text: ['integer', (plan) => plan.text],
  short_info: ['text', (plan) => plan.shortInfo],
  install_window_days: ['integer', (plan) => plan.installWindowDays],
  coverage: ['text', (plan) => plan.coverage.join(' '), `string_to_array(coverage, ' ')`],
  on_sale: ['boolean', (plan) => plan.onSale],
  is_held_back: ['boolean', (plan) => plan.isHeldBack],
  refills: ['jsonb', (plan) => plan.refills && JSON.stringify(plan.refills)],
});

const upsert = columns.statement(sql`
  insert into plans (${columns.names}) overriding system value
  select ${columns.stored} from ${columns.unnested}
  on conflict (id) do update set ${columns.assigned(['id', 'alias'])}
  where (${columns.of('plans')}) is distinct from (${columns.of('excluded')})`);

/** Of which import the plans are kept as they were before it. */
export interface KeptFor {
  readonly supplierId: number;
  readonly importId: string;
}

/** Returns how many plans are new or have changed. Without `kept` they are not kept as they were. */
export const writePlanRows = (tx: Tx, plans: readonly PlanLine[], kept?: KeptFor): Promise<number> =>
  tx.run(kept ? sql`with written as (${upsert(plans)} returning id) ${keepBefore(kept)}` : upsert(plans));

/**
 * Keeps the plans that the part `written` of the same statement has changed as they were: a statement reads a table as it was when
 * the statement started.
 */
export const keepBefore = ({ supplierId, importId }: KeptFor): Sql => sql`
  insert into previous_plans (supplier_id, plan_id, import, before)
  select ${supplierId}::int, written.id, ${importId}::uuid, to_jsonb(plans) from written left join plans using (id)
  on conflict (supplier_id, plan_id) do update set import = excluded.import, before = excluded.before`;

type Written = RowOf<typeof columns>;

/** A row as JSON has it: numbers for bigints. */
export type PlanRow = { readonly [Name in keyof Written]: InJson<Written[Name]> };
type InJson<T> = T extends bigint ? number : T;

/** Lists are read as texts, so that plans with equal ones can share what is made of them. */
const readAs: Readonly<Record<string, string>> = {
  coverage: `array_to_string(coverage, ' ') as coverage`,
  refills: 'refills::text as refills',
};
const select = sql`select ${columns.list((name) => readAs[name] ?? name)}`;

export const planLine = (alias: string): Sql => sql`${select} from plans where alias = ${alias}`;

/** As one JSON text: the process parses it four times as fast as the same number of result rows. */
export async function readPlanRows(tx: Tx, ids: readonly number[]): Promise<readonly PlanRow[]> {
  const { rows } = await tx.one<{ rows: PlanRow[] | null }>(sql`
    select json_agg(line order by id) as rows from (${select} from plans where id = any(${ids}::int[])) as line`);
  return rows ?? [];
}

interface PastRow {
  readonly id: number;
  readonly on_sale: boolean;
  readonly list_price: number;
  readonly cost: number | null;
  /** Null: apart from these terms the plan was as it is. */
  readonly line: PlanRow | null;
}

/** Plans of which something was different after `since`, as they were then. `upTo` is the state whose rows are known. */
export async function readPastRows(
  tx: Tx,
  ids: readonly number[],
  since: bigint,
  upTo: bigint,
): Promise<readonly PastRow[]> {
  const { rows } = await tx.one<{ rows: PastRow[] | null }>(sql`
    with changes as materialized (
      select plan_id, state, on_sale, list_price, cost, before from plan_changes
      where plan_id = any(${ids}::int[]) and state > ${since} and state <= ${upTo}
    ), terms as (
      select distinct on (plan_id) plan_id as id, on_sale, list_price, cost from changes order by plan_id, state
    ), lines as (
      select distinct on (plan_id) plan_id as id, before from changes where before is not null order by plan_id, state
    )
    select json_agg(json_build_object('id', terms.id, 'on_sale', terms.on_sale, 'list_price', terms.list_price,
      'cost', terms.cost, 'line', (
        select to_json(line) from (
          ${select} from jsonb_populate_record(null::plans, lines.before) as plans where lines.before is not null) as line
      ))) as rows
    from terms left join lines using (id)`);
  return rows ?? [];
}

export interface Referred {
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly suppliers: ReadonlyMap<number, Supplier>;
  readonly networks: ReadonlyMap<number, Network>;
}

/** Turns a list of codes into the countries a plan covers. Those that are not sold have their English name. */
export function coverageReader(destinations: Referred['destinations']): (codes: string) => Coverage {
  const unsold = new Intl.DisplayNames('en', { type: 'region' });
  const nameOf = (code: string) => destinations.get(code)?.title ?? unsold.of(code) ?? code;
  return shared((codes: string): Coverage => {
    const list = codes.split(' ');
    return { codes: list, names: list.map(nameOf) };
  });
}

/** Turns rows into plans that share what they have in common, so 50,000 of them stay small. */
export function planReader({ destinations, suppliers, networks }: Referred): (row: PlanRow) => Plan {
  const coverageOf = coverageReader(destinations);
  const fairUses = new Map<string, FairUse>();
  const fairUseOf = (row: PlanRow): FairUse => {
    const { fup_kind: kind, fup_daily_mb: dailyMb, fup_speed_kbps: speedKbps, fair_use_text: text } = row;
    const key = `${kind} ${dailyMb} ${speedKbps} ${text}`;
    const known = fairUses.get(key) ?? { kind, dailyMb, speedKbps, text };
    fairUses.set(key, known);
    return known;
  };
  const dataOf = shared(dataText);
  const refillsOf = shared((codes: string): readonly string[] => JSON.parse(codes));

  return (row) => ({
    id: row.id,
    alias: row.alias,
    onSale: row.on_sale,
    title: row.title,
    destination: requireRow(destinations.get(row.destination)),
    supplier: requireRow(suppliers.get(row.supplier_id)),
    supplierPlan: row.supplier_plan,
    refills: row.refills === null ? null : refillsOf(row.refills),
    amountMb: row.amount_mb,
    day: row.day,
    isUnlimited: row.is_unlimited,
    data: dataOf(row.amount_mb),
    networkType: row.network_type,
    listPrice: toCents(BigInt(row.list_price)),
    cost: row.cost === null ? null : toMicros(BigInt(row.cost)),
    isUsageMetered: row.is_usage_metered,
    fairUse: fairUseOf(row),
    voice: row.voice,
    text: row.text,
    shortInfo: row.short_info,
    installWindowDays: row.install_window_days,
    network: requireRow(networks.get(row.operator_id)),
    coverage: coverageOf(row.coverage),
  });
}

/** Makes one value per key and returns it again. */
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

/** Foreign keys promise that it exists. */
function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a plan refers to a row that does not exist');
  return row;
}
