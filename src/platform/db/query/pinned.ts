import { raw, type Sql, sql } from './sql.ts';

/**
 * `column = value`, written twice, so that the planner reads the index that begins with the column.
 *
 * Statements are planned once for all values. If one partner has nearly all orders, the planner assumes that any partner has, and reads
 * all orders by id until enough of the partner's have come by: for a partner with one order, that is all of them. It takes two conditions to
 * be independent, so written twice it expects few rows. Measured for lists of orders: docs/benchmarks.md, "Plain versions".
 */
export const pinned = (column: string, value: number | string): Sql =>
  sql`${raw(column)} = ${value} and ${raw(column)} between ${value} and ${value}`;
