import type { Queryable } from '../../db/database.ts';
import type { Walks } from '../../db/walk.ts';
import { type Books, ledgerBooks, noPeriods, type Periods, ZERO } from '../../money/money.ts';
import type { ShareBook } from '../../revenue-share/revenue-share.ts';

const NO_LINES = { limit: 0, start: 1 };

/** Play money leaves no trace in the books: the balance is real, every list is empty, the account is prepaid. */
export function emptyBooks(db: Queryable, walks: Walks): Books & Periods & ShareBook {
  const kept = ledgerBooks(db, walks);
  return {
    ...noPeriods,
    balance: kept.balance,
    spendingPower: kept.spendingPower,
    history: (partnerId) => kept.history(partnerId, NO_LINES),
    statement: async () => ({
      billingMode: 'prepaid',
      creditLimit: ZERO,
      outstanding: ZERO,
      status: 1,
      profitShareEnabled: false,
      lines: [],
      reached: undefined,
    }),
    shares: async () => ({ enabled: false, rows: [], totalShare: ZERO, totalUnusedMb: 0n, reached: undefined }),
    sharesAfter: async () => [],
  };
}
