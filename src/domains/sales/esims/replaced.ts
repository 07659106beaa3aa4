import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/*
 * An order whose eSIM was replaced, and the free order that replaced it, seen from either end. An eSIM that replaced another can be
 * replaced itself, so both follow the chain. A replacement is younger than what it replaces: the largest id is the last.
 */

/** `replaced`: its successor is delivered. `placed`: it is at least ordered. */
const statuses = { replaced: sql`('replaced')`, placed: sql`('pending', 'replaced')` };

const chain = (id: Sql, which: keyof typeof statuses): Sql => sql`
  with recursive brought (id) as (
    select ${id}::bigint
    union all
    select replaced.order_id from brought
    join esim_replacements replaced on replaced.old_order_id = brought.id and replaced.status in ${statuses[which]}
  )`;

/** The order whose eSIM stands in for that of order `id`: the last one that replaced it, or the order itself. */
const lastInPlaceOf = (id: Sql, which: keyof typeof statuses): Sql =>
  sql`(${chain(id, which)} select max(id) from brought)`;

/** Whether all eSIMs that others replaced for order `id`, or are ordered to replace, were withdrawn. */
const areFormerWithdrawn = (id: Sql): Sql => sql`not exists (
  ${chain(id, 'placed')}
  select from brought join orders former on former.id = brought.id
  where former.withdrawn_at is null and brought.id < (select max(id) from brought))`;

export const replacedEsims = { lastInPlaceOf, areFormerWithdrawn };
