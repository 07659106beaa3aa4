import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type Cents,
  divideHalfUp,
  formatCents,
  MICROS_PER_CENT,
  type Micros,
  toCents,
} from '../../../platform/amounts/cents.ts';
import { WHOLE } from '../../../platform/amounts/percent.ts';
import type { Json } from '../../../platform/contract/json.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type DestinationEntry, HIGHEST_PRICE, type SupplierEntry } from '../import-format/import-format.ts';
import { aliasOf, type Network, type Sign } from '../plans/plan.ts';
import { type KeptFor, keepBefore, type PlanLine, writePlanRows } from '../plans/plan-rows.ts';
import type { CheckedImport, PlanInput } from './import-check.ts';

interface PlanTerms {
  readonly listPrice: Cents;
  /** Null: unknown. */
  readonly cost: Micros | null;
  readonly onSale: boolean;
}

/** Terms as they are stored: while its supplier is off, a plan that would be on sale is held back. */
interface StoredTerms extends PlanTerms {
  readonly isHeldBack: boolean;
}

/** The terms of a plan that exists, and which of them an operator has set by hand. */
interface KnownTerms extends StoredTerms {
  readonly priceByHand: boolean;
  readonly costByHand: boolean;
  readonly onSaleByHand: boolean;
}

/**
 * What an import makes of a plan's terms: as the import has them, except for those set by hand. With a markup the list price
 * follows the cost instead. While the supplier is off, nothing goes on sale.
 */
function termsAfterImport(
  imported: PlanTerms,
  known: KnownTerms | undefined,
  { markup, isOff }: { readonly markup: Markup | null; readonly isOff: boolean },
): StoredTerms {
  const cost = known?.costByHand ? known.cost : imported.cost;
  const isSold = known?.onSaleByHand ? known.onSale || known.isHeldBack : imported.onSale;
  return {
    listPrice: known?.priceByHand ? known.listPrice : (markedUp(cost, markup) ?? imported.listPrice),
    cost,
    onSale: isSold && !isOff,
    isHeldBack: isSold && isOff,
  };
}

/** In hundredths of a percent. It may be more than the whole, which a share may not. */
type Markup = bigint;

/** Cost and markup, rounded once, half up, to cents. Undefined without a markup or a cost to follow. */
function markedUp(cost: Micros | null, markup: Markup | null): Cents | undefined {
  if (markup === null || cost === null || cost === 0n) return undefined;
  const price = toCents(divideHalfUp(cost * (WHOLE + markup), WHOLE * MICROS_PER_CENT));
  if (price > HIGHEST_PRICE) return HIGHEST_PRICE;
  return price;
}

/** Rows per statement. */
const BATCH = 2_500;
/** Plans and rows of each kind that the report of an import names. */
const MOST_SHOWN = 20;

export type ImportCounts = Json<Awaited<ReturnType<typeof writeImport>>> & {
  /** The supplier's previous list was imported again. */
  readonly previous?: true;
};

interface NamedInReport {
  readonly code: string;
  readonly title: string;
  readonly price: string;
}

/** Writes a checked import. It is all or nothing, because it runs in the caller's transaction. */
export async function writeImport(
  tx: Tx,
  { supplier, full, keepRefills, removed, version, destinations, plans, skipped }: CheckedImport,
  sign: Sign,
  onProgress: (done: number, total: number) => void = () => {},
) {
  const { id: supplierId, ...terms } = await writeSupplier(tx, supplier, version);
  await writeDestinations(tx, destinations);
  const networkIdOf = await writeNetworks(tx, plans);
  const named = await namePlans(tx, supplierId, plans, sign);
  const kept: KeptFor = { supplierId, importId: randomUUID() };
  const isFirst = named.names.size === named.added;
  const added: NamedInReport[] = [];
  const repriced: { code: string; from: string; to: string }[] = [];
  const linesFrom = (at: number): PlanLine[] =>
    plans.slice(at, at + BATCH).map(({ network, ...plan }) => {
      const { id, alias, terms: known } = named.names.get(plan.supplierPlan) as NamedPlan;
      const networkId = networkIdOf(network);
      const after = termsAfterImport(plan, known, terms);
      if (!known && added.length < MOST_SHOWN)
        added.push({ code: plan.supplierPlan, title: plan.title, price: formatCents(after.listPrice) });
      if (known && known.listPrice !== after.listPrice)
        repriced.push({
          code: plan.supplierPlan,
          from: formatCents(known.listPrice),
          to: formatCents(after.listPrice),
        });
      return { ...plan, ...after, id, alias, supplierId, networkId };
    });
  let written = 0;
  let lines = linesFrom(0);
  for (let at = 0; lines.length > 0; at += BATCH) {
    // The next ones are made while the database writes these.
    const next = setImmediate().then(() => linesFrom(at + BATCH));
    const [count] = await Promise.all([writePlanRows(tx, lines, isFirst ? undefined : kept), next]);
    written += count;
    onProgress(at + lines.length, plans.length);
    lines = await next;
  }
  const isUnnamed = sql`not exists (
    select from unnest(${plans.map(({ supplierPlan }) => supplierPlan)}::text[]) as named (code)
    where named.code = plans.supplier_plan)`;
  const gone = full
    ? sql`(refills is null or not ${keepRefills}::boolean) and ${isUnnamed}`
    : removed &&
      sql`(supplier_plan = any(${removed}::text[]) or (refills is not null and not ${keepRefills}::boolean and ${isUnnamed}))`;
  const offSale = gone ? await withdraw(tx, kept, gone) : { count: 0, first: [] };
  if (!isFirst && written + offSale.count > 0)
    await tx.run(sql`
      delete from previous_plans where supplier_id = ${supplierId} and import <> ${kept.importId}::uuid`);
  const sold = await tx.one<{ stay: number; all: number }>(sql`
    select count(before.id)::int as stay, count(*)::int as all
    from plans left join unnest(${named.onSale}::int[]) as before (id) using (id)
    where supplier_id = ${supplierId} and ${isSold}`);
  return {
    supplier: supplier.slug,
    plans: plans.length,
    added: named.added,
    added_plans: added,
    changed: written - named.added,
    /** Plans that were on sale and are no longer in the list. */
    off_sale: offSale.count,
    off_sale_plans: offSale.first,
    on_sale_before: named.onSale.length,
    /** How many of them are not on sale after it: no longer in the list, or listed as not on sale or without a price. */
    leave_sale: named.onSale.length - sold.stay,
    on_sale_after: sold.all,
    repriced: repriced.length,
    repriced_plans: repriced.slice(0, MOST_SHOWN),
    skipped: skipped.length,
    skipped_rows: skipped.slice(0, MOST_SHOWN).map(({ code, reason }) => ({ code, reason })),
  };
}

async function writeSupplier(
  tx: Tx,
  { slug, title, kind }: SupplierEntry,
  version: string | null,
): Promise<{ id: number; markup: Markup | null; isOff: boolean }> {
  return tx.one(sql`
    insert into suppliers (slug, title, kind, imported_at, list_version)
    values (${slug}, ${title}, ${kind}, now(), ${version})
    on conflict (slug) do update set title = excluded.title, imported_at = excluded.imported_at,
      list_version = excluded.list_version
    returning id, (markup_pct * 100)::bigint as markup, off_since is not null as "isOff"`);
}

async function writeDestinations(tx: Tx, destinations: readonly DestinationEntry[]): Promise<void> {
  if (destinations.length === 0) return;
  // Regions first: countries refer to them.
  const rows = [...destinations].sort((a, b) => Number(a.scope === 'country') - Number(b.scope === 'country'));
  await tx.run(sql`
    insert into destinations (code, scope, title, slug, region, continent)
    select code, scope, title, slug, region, coalesce(continent, '')
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (code text, scope text, title text, slug text, region text, continent text)
    on conflict (code) do update set title = excluded.title, slug = excluded.slug, region = excluded.region,
      continent = excluded.continent`);
}

/** The ids of the plans' networks. Each distinct description is stored once. */
async function writeNetworks(tx: Tx, plans: readonly PlanInput[]): Promise<(network: Network) => number> {
  const texts = new Map(plans.map(({ network }) => [network, JSON.stringify(network)]));
  const details = [...new Set(texts.values())];
  await tx.run(sql`
    insert into networks (details) select unnest(${details}::text[])::jsonb on conflict ((md5(details::text))) do nothing`);
  const rows = await tx.query<{ id: number; given: string }>(sql`
    select networks.id, given.text as given from unnest(${details}::text[]) as given (text)
    join networks on md5(networks.details::text) = md5(given.text::jsonb::text)`);
  const ids = new Map(rows.map(({ id, given }) => [given, id]));
  return (network) => ids.get(texts.get(network) as string) as number;
}

interface NamedPlan {
  readonly id: number;
  readonly alias: string;
  /** Undefined: it is new. */
  readonly terms?: KnownTerms;
}

/** Partners can find and buy it, or could if its supplier were not off. */
const isSold = sql`((on_sale or is_held_back) and list_price > 0)`;

/** Id and alias of every plan by the supplier's code: those it already has, with their terms, or new ones. `onSale`: ids of those on sale. */
async function namePlans(
  tx: Tx,
  supplierId: number,
  plans: readonly PlanInput[],
  sign: Sign,
): Promise<{ names: ReadonlyMap<string, NamedPlan>; added: number; onSale: readonly number[] }> {
  const existing = await tx.query<
    KnownTerms & { id: number; alias: string; supplierPlan: string; isSold: boolean }
  >(sql`
    select id, alias, supplier_plan as "supplierPlan", list_price as "listPrice", cost, on_sale as "onSale",
      is_held_back as "isHeldBack", price_by_hand as "priceByHand", cost_by_hand as "costByHand", on_sale_by_hand as "onSaleByHand",
      ${isSold} as "isSold"
    from plans where supplier_id = ${supplierId}`);
  const names = new Map<string, NamedPlan>(
    existing.map(({ supplierPlan, id, alias, isSold: _, ...terms }) => [supplierPlan, { id, alias, terms }]),
  );
  const added = plans.filter(({ supplierPlan }) => !names.has(supplierPlan));
  const drawn = await tx.query<{ id: number }>(sql`
    select nextval('plans_id_seq')::int as id from generate_series(1, ${added.length}::int)`);
  drawn.forEach(({ id }, i) => {
    names.set((added[i] as PlanInput).supplierPlan, { id, alias: aliasOf(id, sign) });
  });
  return { names, added: added.length, onSale: existing.filter((plan) => plan.isSold).map(({ id }) => id) };
}

/** Also plans put on sale by hand: a supplier does not deliver what it does not list. */
async function withdraw(tx: Tx, kept: KeptFor, gone: Sql): Promise<{ count: number; first: NamedInReport[] }> {
  const rows = await tx.query<{ count: number; code: string; title: string; price: bigint }>(sql`
    with written as (
      update plans set on_sale = false, is_held_back = false, on_sale_by_hand = false
      where supplier_id = ${kept.supplierId} and (on_sale or is_held_back) and ${gone}
      returning id, supplier_plan as code, title, list_price as price
    ), kept as (${keepBefore(kept)})
    select (count(*) over ())::int as count, code, title, price from written order by id limit ${MOST_SHOWN}`);
  const first = rows.map(({ code, title, price }) => ({ code, title, price: formatCents(toCents(price)) }));
  return { count: rows[0]?.count ?? 0, first };
}
