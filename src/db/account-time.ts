import { type Sql, sql } from './sql.ts';

/** How far an account's time is ahead of the real one, as an expression: zero unless its clock was turned, so always in live. */
export const aheadOf = (partnerId: Sql): Sql =>
  sql`coalesce((select ahead from account_clocks where account_clocks.partner_id = ${partnerId}), interval '0')`;
