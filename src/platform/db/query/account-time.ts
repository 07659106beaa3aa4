import { type Sql, sql } from './sql.ts';

/**
 * How far an account's clock is ahead of real time, as an SQL expression. Zero unless the clock was turned, so always zero in live. A
 * column must come with its table: `partner_id` alone would be the clock's own, and every clock would match.
 */
export const aheadOfRealTime = (partnerId: Sql): Sql =>
  sql`coalesce((select ahead from account_clocks where account_clocks.partner_id = ${partnerId}), interval '0')`;
