import { MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Services } from '../../../platform/start/services.ts';
import { supplierRows } from '../../catalog/catalog.ts';
import { supplierAccounts } from '../accounts/account-store.ts';
import { namedSuppliers } from '../accounts/accounts.ts';
import type { Suppliers } from '../accounts/registry.ts';

interface BalanceParts extends Pick<Services, 'clock' | 'log'> {
  readonly db: Queryable;
  readonly suppliers: Suppliers;
  readonly kinds: readonly string[];
}

/** At most once in this time, however many workers there are. */
const FRESH_MS = 5 * MINUTE;
const LIMIT_MS = 20 * SECOND;

/** Reads what is left of our balance at each supplier whose API reports it, and stores it with the supplier. */
export function balancesJob({ db, suppliers, kinds, clock, log }: BalanceParts): Job {
  // Those without an account have no balance, and asking the simulated one would start it.
  const real = namedSuppliers(kinds).map(({ kind }) => kind);

  async function read(slug: string): Promise<void> {
    const supplier = await suppliers.of(slug);
    const answer = await supplier.balance?.(LIMIT_MS);
    if (answer?.outcome === 'unavailable')
      log.warn({ supplier: slug, reason: answer.reason }, "a supplier's balance could not be read");
    if (answer?.outcome === 'balance') await supplierRows.keepBalance(db, slug, answer.balance, clock.now());
  }

  return {
    name: 'supplier balances',
    everyMs: MINUTE,
    async run() {
      const now = clock.now();
      const slugs = (await supplierAccounts.list(db)).map(({ slug }) => slug);
      const due = await supplierRows.dueForBalance(db, { kinds: real, slugs }, new Date(now), new Date(now - FRESH_MS));
      await Promise.all(due.map(({ slug }) => read(slug)));
      return 0;
    },
  };
}
