import { nothing, pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { LOOKED_AT } from './page.ts';
import { LAST } from './spellings.ts';

/*
 * What was bought as lists of purchases: orders of one batch for the same plan are one purchase, named by the first of them, and any other
 * order is one by itself.
 */

/** How far a purchase is, by its first order. */
export const purchaseStates = ['completed', 'failed', 'refunded', 'partially_refunded'] as const;

export interface BoughtFilter {
  /** `purchases`: by their first order. `esims`: every eSIM that was delivered, by the order that brought it. */
  readonly rows: 'purchases' | 'esims';
  /** Only this purchase. */
  readonly id?: bigint | undefined;
  /** The reference begins with it, or contains it and is one of the latest. */
  readonly reference?: string | undefined;
  readonly iccid?: string | undefined;
  readonly state?: (typeof purchaseStates)[number] | undefined;
  /** Creation time: `from` is included, `to` is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const states: Readonly<Record<(typeof purchaseStates)[number], Sql>> = {
  completed: sql`o.status = 1 and o.refunded = 0`,
  failed: sql`o.status = 2`,
  refunded: sql`o.status <> 2 and o.refunded > 0 and o.refunded >= o.sale_price`,
  partially_refunded: sql`o.status <> 2 and o.refunded > 0 and o.refunded < o.sale_price`,
};

/** Most are by themselves, or name their batch: the others of a batch are the only ones that are looked up. */
const isFirst = sql`(o.batch_id is null or o.batch_id = o.id or not exists (select from orders earlier
  where earlier.batch_id = o.batch_id and earlier.product_id = o.product_id and earlier.id < o.id))`;
const broughtEsim = sql`o.status = 1 and o.refill_of is null and o.iccid is not null`;

/**
 * Orders whose reference is a text, begins with it, or contains it. No index finds what contains a text, so that is looked for among the
 * latest orders only; and many that are or begin with the same are followed only so far. So the cost does not depend on how many there are.
 */
function referring(partnerId: number, text: string): Sql {
  const mine = pinned('partner_id', partnerId);
  const latest = (where: Sql) =>
    sql`(select id, reference from orders where ${mine} and ${where} order by id desc limit ${LOOKED_AT})`;
  return sql`
    (select id from orders where ${mine} and ${pinned('reference', text)} and reference <> '' order by id desc limit ${LOOKED_AT})
    union all (select id from orders where ${mine} and reference <> '' and reference > ${text} collate "C"
      and reference <= ${text + LAST} collate "C" order by reference, id limit ${LOOKED_AT})
    union all select id from (${latest(sql`status <> 2`)} union all ${latest(sql`status = 2`)}) as latest
      where strpos(reference, ${text}) > 0`;
}

/** Orders that can be on a list, as `o`. Where an index names them it is read first, instead of all orders of the partner from the newest. */
function sourceOf(partnerId: number, { reference, iccid }: Pick<BoughtFilter, 'reference' | 'iccid'>): Sql {
  if (reference === undefined && iccid === undefined) return sql`orders o`;
  const ids = [
    ...(reference === undefined ? [] : [referring(partnerId, reference)]),
    ...(iccid === undefined ? [] : [sql`select id from orders where iccid = ${iccid}`]),
  ].reduce((all, one) => sql`(${all}) intersect (${one})`);
  return sql`(select distinct id from (${ids}) as named offset 0) as named cross join lateral (
    select id, partner_id, batch_id, product_id, status, refill_of, iccid, refunded, sale_price, created_at from orders
    where orders.id = named.id limit 1) as o`;
}

/** The rows that a list has, as what follows `from`. */
function rowsOf(partnerId: number, { rows, id, reference, iccid, state, from, to }: BoughtFilter): Sql {
  const conditions = [
    rows === 'esims' ? broughtEsim : isFirst,
    ...(id === undefined ? [] : [sql`o.id = ${id}`]),
    ...(state === undefined ? [] : [states[state]]),
    ...(from === undefined ? [] : [sql`o.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`o.created_at < ${to}`]),
  ].reduce((all, one) => sql`${all} and ${one}`, nothing);
  return sql`${sourceOf(partnerId, { reference, iccid })} where o.partner_id = ${partnerId} ${conditions}`;
}

/** How many rows a list has. */
export const boughtTotal = (partnerId: number, filter: BoughtFilter): Sql =>
  sql`select count(*)::int as total from ${rowsOf(partnerId, filter)}`;

/** The orders of a page, newest row first. */
export const boughtPage = (
  partnerId: number,
  filter: BoughtFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  columns: Sql,
): Sql => sql`
  with page as materialized (
    select o.id as head, o.batch_id as batch, o.product_id as product from ${rowsOf(partnerId, filter)}
    order by o.id desc limit ${limit} offset ${offset}
  )
  select page.head, found.* from page cross join lateral (
    select ${columns} from orders where id = page.head
    ${
      filter.rows === 'esims'
        ? nothing
        : sql`union all select ${columns} from orders
      where batch_id = page.batch and product_id = page.product and id <> page.head`
    }
  ) as found order by page.head desc, found.id`;
