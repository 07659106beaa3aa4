import { type Sql, sql } from './sql.ts';

/** How far an account's clock is ahead of real time, as an SQL expression. Zero unless the clock was turned, so always zero in live. */
export const aheadOfRealTime = (partnerId: Sql): Sql =>
  sql`coalesce((select ahead from account_clocks where account_clocks.partner_id = ${partnerId}), interval '0')`;
