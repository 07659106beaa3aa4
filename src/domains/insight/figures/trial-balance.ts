import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import type { LedgerAccount } from '../../money/ledger/ledger.ts';

interface AccountTotal {
  readonly account: LedgerAccount;
  readonly debits: Cents;
  readonly credits: Cents;
}

export interface TrialBalance {
  readonly accounts: readonly AccountTotal[];
  /** What the partners' wallets hold and owe; each must equal the balance of its account. Null for a moment in the past. */
  readonly wallets: Readonly<Record<'cash' | 'promo' | 'receivable', Cents>> | null;
}

/**
 * The debits and credits of every account so far, or up to `before`. Movements older than a day come from sums by month, later ones
 * from the ledger itself, in one statement: so it is exact, and quick however long the ledger is. A world without such sums is added up
 * from its transfers.
 */
export async function readTrialBalance(db: Queryable, before?: Date): Promise<TrialBalance> {
  const rows = await db.query<
    Omit<AccountTotal, 'account'> & { account: LedgerAccount | null } & {
      cash: bigint;
      promo: bigint;
      receivable: bigint;
    }
  >(sql`
    with line as (
      select account, debits, credits from ledger_by_month
      ${before ? sql`where month < (${before}::timestamptz at time zone 'UTC')::date` : nothing}
      union all
      select side.account, side.debits, side.credits
      from transfers ${before ? sql`join movements on movements.id = transfers.movement_id and movements.at < ${before}` : nothing}
      cross join lateral (
        values (transfers.debit, transfers.amount, 0), (transfers.credit, 0, transfers.amount)
      ) as side (account, debits, credits)
      where transfers.movement_id > coalesce((select movements_to from ledger_by_month_progress), 0)
    )
    select account, sum(debits)::bigint as debits, sum(credits)::bigint as credits, held.cash, held.promo, held.receivable
    from (
      select coalesce(sum(cash), 0)::bigint as cash, coalesce(sum(promo), 0)::bigint as promo,
        coalesce(sum(outstanding), 0)::bigint as receivable
      from wallets
    ) as held left join line on true
    group by account, held.cash, held.promo, held.receivable order by account`);
  const [first] = rows;
  // The wallets are there when the ledger is empty, too.
  const accounts = rows.flatMap(({ account, debits, credits }) =>
    account === null ? [] : [{ account, debits, credits }],
  );
  if (before) return { accounts, wallets: null };
  const { cash, promo, receivable } = first ?? { cash: 0n, promo: 0n, receivable: 0n };
  return { accounts, wallets: { cash: toCents(cash), promo: toCents(promo), receivable: toCents(receivable) } };
}
