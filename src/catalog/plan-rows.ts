import type { Tx } from '../db/database.ts';
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

/** A row of the plans table; coverage is one text, so that equal lists are found by it. */
export type PlanRow = readonly [
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

/** One JSON text for all of them: an API process parses that four times as fast as as many rows. */
export async function readPlanRows(tx: Tx, ids: readonly number[]): Promise<readonly PlanRow[]> {
  const { rows } = await tx.one<{ rows: PlanRow[] | null }>(sql`
    select json_agg(json_build_array(
      id, alias, on_sale, title, destination, supplier_id, supplier_plan, amount_mb, day, is_unlimited, network_type,
      list_price, cost, is_usage_metered, fup_kind, fup_daily_mb, fup_speed_kbps, fair_use_text, voice, text, short_info,
      operator_id, array_to_string(coverage, ' ')) order by id) as rows
    from plans where id = any(${ids}::int[])`);
  return rows ?? [];
}

/** What plans refer to. */
interface Referred {
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly suppliers: ReadonlyMap<number, Supplier>;
  readonly operators: ReadonlyMap<number, Operator>;
}

/** Turns rows into plans that share what they have in common, so 50,000 of them stay small. */
export function planReader({ destinations, suppliers, operators }: Referred): (row: PlanRow) => Plan {
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
