import { formatMicros, type Micros } from '../../../platform/amounts/cents.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { holdPlans } from './plan-store.ts';

export interface OperatorSupplier {
  readonly supplier: string;
  readonly title: string;
  readonly kind: string;
  readonly plans: number;
  readonly on_sale: number;
  /** List prices follow cost by this much; null: they are the supplier's own. */
  readonly markup_pct: string | null;
  readonly imported_at: Date | null;
  /** Since when it is off; null: it is on. */
  readonly off_since: Date | null;
  /** What is left of our balance there, and when that was read; null: not known. */
  readonly balance: string | null;
  readonly balance_at: Date | null;
  /** Below this the balance is low; null: it never is. */
  readonly balance_alert: string | null;
}

export async function listSuppliers(db: Queryable): Promise<OperatorSupplier[]> {
  const rows = await db.query<OperatorSupplier & { balance: Micros | null; balance_alert: Micros | null }>(sql`
    select slug as supplier, suppliers.title, kind, count(plans.id)::int as plans,
      (count(*) filter (where plans.on_sale))::int as on_sale, markup_pct, imported_at, off_since,
      balance_micros as balance, balance_at, balance_alert_micros as balance_alert
    from suppliers left join plans on plans.supplier_id = suppliers.id
    group by suppliers.id order by slug`);
  const amount = (micros: Micros | null) => (micros === null ? null : formatMicros(micros));
  return rows.map((row) => ({ ...row, balance: amount(row.balance), balance_alert: amount(row.balance_alert) }));
}

/** A supplier that is known before its list is imported. One that has plans already keeps its row and gets the title. */
async function introduce(tx: Tx, slug: string, title: string, kind: string): Promise<void> {
  await tx.run(sql`
    insert into suppliers (slug, title, kind) values (${slug}, ${title}, ${kind})
    on conflict (slug) do update set title = excluded.title`);
}

/** Null: no balance is low. */
async function setBalanceAlert(tx: Tx, slug: string, level: Micros | null): Promise<void> {
  await tx.run(sql`update suppliers set balance_alert_micros = ${level} where slug = ${slug}`);
}

/** The next import applies it. `pct` has at most two places; null: list prices are the supplier's own again. */
async function setMarkup(tx: Tx, slug: string, pct: string | null): Promise<void> {
  // The whole list again: a list of changes would leave out plans that only our markup changes.
  await tx.run(sql`update suppliers set markup_pct = ${pct}::numeric, list_version = null where slug = ${slug}`);
}

/**
 * Takes all plans of a supplier off sale, or puts them back on sale. In between, imports and changes by hand decide what goes on
 * sale again. Open orders continue.
 */
async function setOff(tx: Tx, slug: string, isOff: boolean, now: Date): Promise<void> {
  await holdPlans(tx);
  const supplier = sql`(select id from suppliers where slug = ${slug})`;
  await tx.run(sql`
    update suppliers set off_since = ${isOff ? now : null}
    where slug = ${slug} and (off_since is not null) <> ${isOff}::boolean`);
  await tx.run(
    isOff
      ? sql`update plans set on_sale = false, is_held_back = true where supplier_id = ${supplier} and on_sale`
      : sql`update plans set on_sale = true, is_held_back = false where supplier_id = ${supplier} and is_held_back`,
  );
}

const slugs = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ slug: string }>(sql`select slug from suppliers order by slug`)).map(({ slug }) => slug);

async function keepBalance(db: Queryable, slug: string, balance: Micros, now: number): Promise<void> {
  await db.run(sql`
    update suppliers set balance_micros = ${balance}, balance_at = ${new Date(now)} where slug = ${slug}`);
}

/**
 * Claims the suppliers of these kinds, or with these slugs, whose balance was last asked for before a time: they count as asked for
 * now.
 */
const dueForBalance = (
  db: Queryable,
  { kinds, slugs }: { readonly kinds: readonly string[]; readonly slugs: readonly string[] },
  now: Date,
  readBefore: Date,
): Promise<{ readonly slug: string }[]> =>
  db.query(sql`
    update suppliers set balance_asked_at = ${now}
    where (kind = any(${kinds}::text[]) or slug = any(${slugs}::text[]))
      and (balance_asked_at is null or balance_asked_at <= ${readBefore})
    returning slug`);

export const supplierRows = { slugs, introduce, setMarkup, setBalanceAlert, setOff, keepBalance, dueForBalance };
