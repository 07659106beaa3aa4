import type { Cents } from '../../../platform/amounts/cents.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { fundsOf } from './funds.ts';
import type { Wallet } from './wallet.ts';

/** A wallet has fallen below its partner's alert level. */
export interface LowBalance {
  readonly partnerId: number;
  /** What can be spent now. */
  readonly balance: Cents;
  readonly level: Cents;
  /** How often it has fallen below, this time included. */
  readonly n: number;
}

/** Undefined: what can be spent was below the level before, is not below it now, or there is no level. */
export function fallenBelow(before: Wallet, after: Wallet): LowBalance | undefined {
  const { partnerId, balanceAlert: level } = after;
  if (level === null) return undefined;
  const { available } = fundsOf(after);
  const balance = available(after);
  if (balance >= level || available(before) < level) return undefined;
  return { partnerId, balance, level, n: before.balanceLowEvents + 1 };
}

/** Counts an event `account.limit_reached` for each row of `marked`, as part of a statement; `total` is the number of the last. */
export const numberLimitEvents = (marked: Sql): Sql => sql`
  update wallets set limit_reached_events = limit_reached_events + counted.events
  from (select partner_id, count(*)::int as events from ${marked} group by partner_id) as counted
  where wallets.partner_id = counted.partner_id returning wallets.partner_id, limit_reached_events as total`;
