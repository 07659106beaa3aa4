import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { BasisPoints } from '../../../platform/amounts/percent.ts';
import { type Clock, DAY, HOUR } from '../../../platform/clock.ts';
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Plan } from '../catalog.ts';
import { toRules } from './read.ts';
import { priceOf, type Terms } from './rules.ts';

/** Everything that sets a partner's prices, in a form that can be stored. */
export interface PriceContract extends WrittenTerms {
  /** Equal for equal terms. */
  readonly id: string;
}

interface WrittenTerms {
  readonly generalRules: string;
  readonly ownRules: string;
  readonly cap: BasisPoints;
  readonly share: BasisPoints;
  readonly source: Terms['account']['source'];
}

/** Partners with more rules than fit have to read the whole catalog again when one changes. */
const MAX_RULES_LENGTH = 1024 * 1024;
/** A contract that is in use is marked as such once a day, so it is kept one day longer than the versions that name it. */
const MARKED_EVERY_MS = 1 * DAY;
const KEPT_MS = 9 * DAY;
const NOTED = 10_000;
const BATCH = 1_000;

/** `fingerprint` is equal for equal terms. */
export const priceContract = (fingerprint: string, terms: WrittenTerms): PriceContract => ({
  ...terms,
  id: createHash('sha256').update(fingerprint).digest('hex').slice(0, 16),
});

/** Stores a contract, or marks it as in use. Too many rules are not stored. */
export async function storeContract(
  db: Queryable,
  partnerId: number,
  { id, generalRules, ownRules, cap, share, source }: PriceContract,
  now: number,
): Promise<void> {
  if (generalRules.length + ownRules.length > MAX_RULES_LENGTH) return;
  await db.run(sql`
    insert into price_contracts (partner_id, contract, general_rules, own_rules, cap, share, source, seen_at)
    values (${partnerId}, ${id}, ${generalRules}, ${ownRules}, ${cap}, ${share}, ${source}, ${new Date(now)})
    on conflict (partner_id, contract) do update set seen_at = greatest(price_contracts.seen_at, excluded.seen_at)`);
}

/** The contracts that versions of the catalog name. A partner finds only those that were its own. */
export const openContracts = (db: Db, clock: Clock) => {
  /** When this process last wrote each. */
  const written = new LRUCache<string, number>({ maxSize: NOTED, sizeCalculation: () => 1 });
  return {
    async remember(partnerId: number, contract: PriceContract): Promise<void> {
      const name = `${partnerId} ${contract.id}`;
      const now = clock.now();
      const last = written.get(name);
      if (last !== undefined && now - last < MARKED_EVERY_MS) return;
      await storeContract(db, partnerId, contract, now);
      written.set(name, now);
    },

    async find(partnerId: number, id: string) {
      const row = await db.maybe<WrittenTerms>(sql`
      select general_rules as "generalRules", own_rules as "ownRules", cap, share, source from price_contracts
      where partner_id = ${partnerId} and contract = ${id}`);
      if (!row) return undefined;
      const { generalRules, ownRules, cap, share, source } = row;
      const terms: Terms = {
        own: toRules(ownRules).rules,
        general: toRules(generalRules).rules,
        account: { share, source },
        cap,
      };
      return {
        priceOf: (plan: Plan) => priceOf(plan, terms),
        /** Whether the account's own share or the cap is another one, and not only rules. */
        isOtherShareThan: (other: PriceContract) =>
          other.cap !== cap || other.share !== share || other.source !== source,
      };
    },
  };
};

/** Removes contracts that no version names any more. */
export const priceContractsJob = (db: Db, clock: Clock): Job => ({
  name: 'price contracts',
  everyMs: HOUR,
  run: () =>
    db.run(sql`
      delete from price_contracts where (partner_id, contract) in (
        select partner_id, contract from price_contracts where seen_at < ${new Date(clock.now() - KEPT_MS)}
        order by seen_at limit ${BATCH})`),
});
