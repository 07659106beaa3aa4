import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** The last character there is: a text followed by it sorts after all that begin with the text. */
export const LAST = '\u{10ffff}';

/** A reference has 64 bytes at most. */
const LONGEST = 64;
/** So many beginnings are followed at most. Usually there are one or two for each character. */
const FOLLOWED = 2_000;
/** More ways to write one reference than anybody uses. */
const MOST_SPELLINGS = 10;

/** Of one partner, which may be a column; or of all, which have an index of their own. */
export const ofPartner = (partnerId: Sql | undefined): Sql =>
  partnerId === undefined ? sql`reference <> ''` : sql`partner_id = ${partnerId} and reference <> ''`;

/**
 * The ways in which references of a partner, or of all, that begin with a text write that beginning: `trip` finds `Trip` and `TRIP`.
 *
 * References are indexed as they are: an index of their lower case would cost every purchase. So we go down the index as down a tree:
 * each character in both cases, and only where some reference begins like that. That takes a few index entries for each
 * character, however many orders there are.
 */
export function spellings(partnerId: Sql | undefined, text: string): Sql {
  const letters = [...text].slice(0, LONGEST + 1);
  const [lower, upper] = [letters.map((letter) => same(letter.toLowerCase(), letter)), letters.map(upperOf)];
  return sql`
    with recursive spelled as (
      select ''::text collate "C" as begun, 0 as n
      union all
      select (spelled.begun || next.letter) collate "C", spelled.n + 1 from spelled
      cross join lateral (
        select distinct letter from unnest(array[(${lower}::text[])[spelled.n + 1], (${upper}::text[])[spelled.n + 1]]) as letter
      ) as next
      where spelled.n < ${letters.length}::int and (
        select true from orders where ${ofPartner(partnerId)}
          and reference >= (spelled.begun || next.letter) collate "C"
          and reference <= (spelled.begun || next.letter || ${LAST}) collate "C"
        limit 1)
    )
    select begun from (select begun, n from spelled limit ${FOLLOWED}) as followed where n = ${letters.length}::int`;
}

const upperOf = (letter: string): string => same(letter.toUpperCase(), letter);
/** Some letters become two in the other case. */
const same = (changed: string, letter: string): string => ([...changed].length === 1 ? changed : letter);

/** Every reference of a partner, or of all, that is this text in upper or lower case. */
export async function spelledLike(db: Queryable, partnerId: number | undefined, text: string): Promise<string[]> {
  const owner = partnerId === undefined ? undefined : sql`${partnerId}::int`;
  const found = await db.query<{ begun: string }>(sql`
    select spelling.begun from (${spellings(owner, text)}) as spelling
    where (select true from orders where ${ofPartner(owner)} and reference = spelling.begun limit 1)
    limit ${MOST_SPELLINGS}`);
  return found.map(({ begun }) => begun);
}

/**
 * The newest orders of all partners with exactly this reference. Only the index of references has this order: by id alone the planner would
 * walk all orders where one reference is in many of them, and that takes as long as there are orders where this is another one.
 */
export const newestReferred = (reference: string, more: Sql, limit: number): Sql => sql`
  (select id from orders where reference = any(${[reference]}::text[]) and reference <> '' ${more}
  order by reference desc, id desc limit ${limit})`;
