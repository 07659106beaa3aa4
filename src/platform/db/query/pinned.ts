import { raw, type Sql, sql } from './sql.ts';

/**
 * `column = value`, said twice. While one partner has nearly all orders, or one product is in nearly all of them, the planner takes
 * the condition to hold for every row, and walks all orders by id where the value is a rare one. Said twice, it expects few rows
 * and reads the index that begins with the column.
 */
export const pinned = (column: string, value: number | string): Sql =>
  sql`${raw(column)} = ${value} and ${raw(column)} between ${value} and ${value}`;
