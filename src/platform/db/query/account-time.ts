import type { Queryable } from '../database.ts';
import { type Sql, sql } from './sql.ts';

/**
 * How far an account's clock is ahead of real time, as an SQL expression. Zero unless the clock was turned, so always zero in live. A
 * column must come with its table: `partner_id` alone would be the clock's own, and every clock would match.
 */
export const aheadOfRealTime = (partnerId: Sql): Sql =>
  sql`coalesce((select ahead from account_clocks where account_clocks.partner_id = ${partnerId}), interval '0')`;

/** What an account's clock shows at a time, as an SQL expression. */
export const accountTime = (now: number, partnerId: Sql): Sql =>
  sql`${new Date(now)}::timestamptz + ${aheadOfRealTime(partnerId)}`;

export async function accountTimeOf(db: Queryable, now: number, partnerId: number): Promise<Date> {
  const { at } = await db.one<{ at: Date }>(sql`select ${accountTime(now, sql`${partnerId}::int`)} as at`);
  return at;
}
