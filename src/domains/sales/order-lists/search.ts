import { bigIdIn } from '../../../platform/contract/ids.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { pinned, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { type ListedOrder, listed } from './lookup.ts';
import { LAST, ofPartner, spellings } from './spellings.ts';
import { type OrderSummary, summaryColumns } from './summaries.ts';

/** An order that a text names, and by what. */
export type FoundOrder = OrderSummary & { readonly by: 'id' | 'iccid' | 'reference' | 'idempotency_key' };

/** Entries of the index of ICCIDs, which is not by partner, and orders of the partner that are looked through for an ICCID. */
const LOOKED_THROUGH = 1_000;

/** The digits an ICCID begins with: all begin with 89, and a few more are needed to tell them apart. */
const ICCID = /^(89\d{3,20}|\d{18,22})$/;
const LONGEST_ICCID = 22;
/** Without its check digit. */
const WHOLE_ICCID = 18;

/**
 * The orders of a partner that a text names: by id, ICCID, reference, each also by its beginning, or by idempotency key. The case of
 * letters does not matter. Each way reads a few entries of an index and stops, so the cost does not depend on how many orders
 * there are; among very many eSIMs, an ICCID needs more digits to be found.
 */
export function findBy(db: Queryable, partnerId: number, text: string, limit: number): Promise<FoundOrder[]> {
  const mine = sql`partner_id = ${partnerId}`;
  const lookups: Sql[] = [
    sql`(select id, 'reference' as by, 3 as rank from (${withReference(sql`${partnerId}::int`, text, limit)}) as referred)`,
    sql`(select id, 'idempotency_key' as by, 2 as rank from orders
      where ${mine} and idempotency_key = any(${casesOf(text)}::text[]))`,
  ];
  if (bigIdIn(text) !== undefined)
    lookups.push(
      sql`(select id, 'id' as by, 0 as rank from orders where id = ${BigInt(text)} and ${mine})`,
      sql`(select id, 'id' as by, 4 as rank from (${idsFrom(text, sql`${pinned('partner_id', partnerId)} and status <> 2`, limit)}) as beginning)`,
      sql`(select id, 'id' as by, 4 as rank from (${idsFrom(text, sql`${pinned('partner_id', partnerId)} and status = 2`, limit)}) as failed)`,
    );
  if (ICCID.test(text))
    lookups.push(
      sql`(select id, 'iccid' as by, 1 as rank from (${ofIccid(text, LOOKED_THROUGH)}) as of_esim where ${mine} limit ${limit})`,
    );
  // So few digits may be those of very many eSIMs of others.
  if (ICCID.test(text) && text.length < WHOLE_ICCID)
    lookups.push(
      sql`(select id, 'iccid' as by, 1 as rank from (
        select id, iccid from orders where ${pinned('partner_id', partnerId)} and status <> 2 order by id desc limit ${LOOKED_THROUGH}
      ) as latest where starts_with(iccid, ${text}) limit ${limit})`,
    );
  return db.query(sql`
    with named as materialized (
      select distinct on (id) id, by, rank from (${unionOf(lookups)}) as lookup order by id, rank
    ), first as materialized (select id, by, rank from named order by rank, id desc limit ${limit})
    select first.by, found.* from first cross join lateral (
      select ${summaryColumns} from orders where orders.id = first.id limit 1
    ) as found order by first.rank, found.id desc`);
}

/** The same over all partners, for operators, who also know orders by our reference and the supplier's number. */
export function findInAll(
  db: Queryable,
  { id, text }: { readonly id: bigint | undefined; readonly text: string },
  limit: number,
): Promise<ListedOrder[]> {
  const lookups: Sql[] = [
    sql`(select id, 0 as rank from orders where id = ${id ?? null}::bigint)`,
    sql`(select id, 1 as rank from orders where supplier_order = any(${casesOf(text)}::text[]) limit ${limit})`,
    sql`(select id, 2 as rank from (${withReference(undefined, text, limit)}) as referred)`,
  ];
  if (bigIdIn(text) !== undefined)
    lookups.push(sql`(select id, 3 as rank from (${idsFrom(text, sql`true`, limit)}) as beginning)`);
  if (ICCID.test(text)) lookups.push(sql`(select id, 1 as rank from (${ofIccid(text, limit)}) as of_esim)`);
  return db.query(sql`
    with named as materialized (
      select distinct on (id) id, rank from (${unionOf(lookups)}) as lookup order by id, rank
    ), first as materialized (select id, rank from named order by rank, id desc limit ${limit})
    select found.* from first cross join lateral (
      select ${listed} from orders where orders.id = first.id limit 1
    ) as found order by first.rank, found.id desc`);
}

const unionOf = (lookups: readonly Sql[]): Sql => lookups.reduce((a, b) => sql`${a} union all ${b}`);

/** As it was typed, and as machines write it. */
const casesOf = (text: string): string[] => [...new Set([text, text.toLowerCase(), text.toUpperCase()])];

/** The first by their references of those that begin with a text, in upper or lower case. */
const withReference = (partnerId: Sql | undefined, text: string, limit: number): Sql => sql`
  select entry.id from (${spellings(partnerId, text)}) as spelling cross join lateral (
    select id, reference from orders where ${ofPartner(partnerId)}
      and reference >= spelling.begun and reference <= (spelling.begun || ${LAST}) collate "C"
    order by reference, id limit ${limit}
  ) as entry limit ${limit}`;

/**
 * The newest ids that begin with these digits and have more: one range for each length. `offset 0` hides
 * the limit from the planner, and the lower end of a range is looked at last: otherwise it would rather look for the partner's orders
 * along the key of all.
 */
function idsFrom(digits: string, where: Sql, limit: number): Sql {
  const widths = Array.from({ length: 18 - digits.length }, (_, i) => 10n ** BigInt(i + 1));
  const firsts = widths.map((width) => BigInt(digits) * width);
  const lasts = widths.map((width) => BigInt(digits) * width + width - 1n);
  return sql`
    select entry.id from unnest(${firsts}::bigint[], ${lasts}::bigint[]) as range (first, last) cross join lateral (
      select id from (
        select id from orders where ${where} and id <= range.last order by id desc offset 0
      ) as own limit ${limit}
    ) as entry where entry.id >= range.first order by entry.id desc limit ${limit}`;
}

/** ICCIDs are digits only, so in every collation those that begin with some of them lie together. */
const ofIccid = (digits: string, most: number): Sql => sql`
  select id, partner_id from orders where iccid >= ${digits} and iccid <= ${digits.padEnd(LONGEST_ICCID, '9')}
  order by iccid limit ${most}`;
