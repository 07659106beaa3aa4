import { raw, type Sql, sql } from './sql.ts';

/**
 * `column = value`, written twice in different forms. While one partner has nearly all orders, or one product is in nearly all of them,
 * the planner assumes that the condition holds for every row, and scans all orders by id even for a rare value. With both conditions it
 * expects few rows and reads the index that begins with the column.
 */
export const pinned = (column: string, value: number | string): Sql =>
  sql`${raw(column)} = ${value} and ${raw(column)} between ${value} and ${value}`;
