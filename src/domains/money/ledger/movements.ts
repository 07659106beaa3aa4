import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/**
 * What orders left in either book, as two reads: charges have an index that allows one per order, the rest has another. `where`
 * names the order.
 */
export const movementsOf = (columns: Sql, where: Sql): Sql => sql`
  select ${columns} from movements where ${where} and type in ('purchase', 'charge')
  union all
  select ${columns} from movements where ${where} and order_id is not null and type not in ('purchase', 'charge')`;
