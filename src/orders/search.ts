import type { Queryable } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** An order that a text names, and by what. */
export interface FoundOrder {
  readonly by: 'id' | 'iccid' | 'reference' | 'idempotency_key';
  readonly id: bigint;
  readonly productTitle: string;
  readonly countryCode: string;
  readonly status: number;
  readonly delivery: string;
  readonly iccid: string | null;
  readonly reference: string;
  readonly createdAt: Date;
}

/** The last character there is: a text followed by it sorts after all that begin with the text. */
const LAST = '\u{10ffff}';
const DIGITS = [...'0123456789'];

/**
 * The orders of a partner that a text names: by id, ICCID, the beginning of a reference, or idempotency key. Each way reads a few
 * entries of an index and stops, so the cost does not depend on how many orders there are.
 */
export function findBy(db: Queryable, partnerId: number, text: string, limit: number): Promise<FoundOrder[]> {
  const mine = sql`partner_id = ${partnerId}`;
  const ways: Sql[] = [
    sql`(select id, 'reference' as by, 3 as rank from orders
      where ${mine} and reference >= ${text} and reference <= ${text + LAST} and reference <> ''
      order by reference, id limit ${limit})`,
    sql`(select id, 'idempotency_key' as by, 2 as rank from orders where ${mine} and idempotency_key = ${text})`,
  ];
  if (/^[1-9]\d{0,17}$/.test(text))
    ways.push(sql`(select id, 'id' as by, 0 as rank from orders where id = ${BigInt(text)} and ${mine})`);
  if (/^\d{18,22}$/.test(text)) {
    // Many lists leave out the check digit at the end.
    const iccids = [text, ...DIGITS.map((digit) => text + digit)];
    ways.push(sql`(select id, 'iccid' as by, 1 as rank from orders where iccid = any(${iccids}::text[]) and ${mine})`);
  }
  const ids = ways.reduce((a, b) => sql`${a} union all ${b}`);
  return db.query(sql`
    with named as materialized (
      select distinct on (id) id, by, rank from (${ids}) as way order by id, rank
    ), first as materialized (select id, by, rank from named order by rank, id desc limit ${limit})
    select first.by, found.* from first cross join lateral (
      select id, product_title as "productTitle", country_code as "countryCode", status, delivery, iccid, reference,
        created_at as "createdAt" from orders where orders.id = first.id limit 1
    ) as found order by first.rank, found.id desc`);
}
