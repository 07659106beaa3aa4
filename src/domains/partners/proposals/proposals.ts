import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { DAY, HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { counted } from '../../../platform/db/alerts.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';

/*
 * What operators proposed in the console and another operator has to approve, as rows. `src/entry/console/four-eyes.ts` decides what
 * has to be proposed; here is what is kept of it.
 *
 *   waiting ──► approved    in the transaction of the change itself, so a proposal is approved exactly when it was carried out
 *      ├──────► rejected    by another operator
 *      ├──────► withdrawn   by the one who proposed it
 *      └ ─ ─ ─► expired     24 hours later; the row stays as it is
 */

const EXPIRES_AFTER_MS = DAY;
/** Amounts of one operator to one partner count together for this long. */
const TOGETHER_MS = HOUR;

/** The values a decision rests on, as people read them. */
export type Terms = Readonly<Record<string, string>>;

export interface PartnerAmount {
  readonly partnerId: number;
  readonly amount: Cents;
}

interface NewProposal {
  readonly action: string;
  readonly input: unknown;
  readonly operatorId: number;
  /** As the audit log names them. */
  readonly who: string;
  readonly key: string;
  readonly partnerId: number | null;
  /** Null: it has none. */
  readonly amount: Cents | null;
  readonly words: string;
  readonly terms: Terms;
}

export interface Proposal extends Omit<NewProposal, 'input'> {
  readonly id: number;
  readonly sealed: Buffer;
  readonly status: 'waiting' | 'approved' | 'rejected' | 'withdrawn' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly decidedKey: string | null;
  readonly reason: string;
}

interface ProposalDecision {
  readonly state: 'approved' | 'rejected' | 'withdrawn';
  readonly by: string;
  readonly key: string;
  readonly reason: string;
}

const columns = (now: number) => sql`
  id, action, sealed, operator_id as "operatorId", who, key, partner_id as "partnerId", amount, words, terms,
  case when state = 'waiting' and expires_at <= ${new Date(now)} then 'expired' else state end as status, created_at as "createdAt",
  expires_at as "expiresAt", decided_at as "decidedAt", decided_by as "decidedBy", decided_key as "decidedKey", reason`;

export const proposals = {
  async add(tx: Tx, vault: Vault, wanted: NewProposal, now: number): Promise<Pick<Proposal, 'id' | 'expiresAt'>> {
    const sealed = vault.seal(JSON.stringify(wanted.input));
    return tx.one(sql`
      insert into proposals
        (action, sealed, operator_id, who, key, partner_id, amount, words, terms, created_at, expires_at)
      values (${wanted.action}, ${sealed}, ${wanted.operatorId}, ${wanted.who}, ${wanted.key}, ${wanted.partnerId},
        ${wanted.amount}, ${wanted.words}, ${JSON.stringify(wanted.terms)}::jsonb, ${new Date(now)},
        ${new Date(now + EXPIRES_AFTER_MS)})
      returning id, expires_at as "expiresAt"`);
  },

  /** The one that this operator's request with this key has made. */
  byKey: (db: Queryable, operatorId: number, key: string): Promise<{ readonly id: number } | undefined> =>
    db.maybe(sql`select id from proposals where operator_id = ${operatorId} and key = ${key}`),

  async find(db: Queryable, id: number, now: number): Promise<Proposal> {
    return requireFound(await db.maybe<Proposal>(sql`select ${columns(now)} from proposals where id = ${id}`));
  },

  /** Locks it until the end of the transaction; refused unless it is still waiting. */
  async lockWaiting(tx: Tx, id: number, now: number): Promise<Proposal> {
    const found = requireFound(
      await tx.maybe<Proposal>(sql`select ${columns(now)} from proposals where id = ${id} for update`),
    );
    if (found.status !== 'waiting') throw proposalClosed(found);
    return found;
  },

  async decide(tx: Tx, id: number, { state, by, key, reason }: ProposalDecision, now: number): Promise<void> {
    await tx.run(sql`
      update proposals set state = ${state}, decided_at = ${new Date(now)}, decided_by = ${by}, decided_key = ${key},
        reason = ${reason} where id = ${id}`);
    // What will never happen leaves its room to others.
    if (state !== 'approved') await tx.run(sql`delete from operator_amounts where proposal_id = ${id}`);
  },

  /** Those that wait, longest first; then the latest others. */
  list: (db: Queryable, now: number, limit: number): Promise<Proposal[]> =>
    db.query(sql`
      select ${columns(now)} from proposals
      order by state = 'waiting' and expires_at > ${new Date(now)} desc,
        case when state = 'waiting' and expires_at > ${new Date(now)} then id end, id desc limit ${limit}`),

  inputOf: (vault: Vault, { sealed }: Pick<Proposal, 'sealed'>): unknown => JSON.parse(vault.open(sealed)),
};

function requireFound(found: Proposal | undefined): Proposal {
  if (!found) throw new Refused('proposal_not_found');
  return found;
}

export const proposalClosed = ({ status, decidedBy }: Proposal): Refused =>
  new Refused(
    'proposal_closed',
    status === 'expired'
      ? 'the proposal has expired; propose it again'
      : `the proposal was ${status}${decidedBy === null ? '' : ` by ${decidedBy.replace(/^operator:/, '')}`}`,
  );

/**
 * Counts what somebody moves or promises, in the transaction that does it, and returns the largest sum that one partner was given in
 * the last hour. Transactions that count for the same person and partner wait for each other, so none misses another's amount.
 */
export async function countAmounts(
  tx: Tx,
  who: string,
  amounts: readonly PartnerAmount[],
  now: number,
  proposalId: number | null = null,
): Promise<Cents> {
  let largest = ZERO;
  for (const { partnerId, amount } of amounts.toSorted((a, b) => a.partnerId - b.partnerId)) {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`amounts of ${who} to ${partnerId}`}, 0))`);
    // None of these counts any more.
    await tx.run(sql`
      delete from shared.operator_amounts
      where who = ${who} and partner_id = ${partnerId} and at <= ${new Date(now - TOGETHER_MS)}`);
    await tx.run(sql`
      insert into shared.operator_amounts (who, partner_id, amount, at, proposal_id)
      values (${who}, ${partnerId}, ${amount}, ${new Date(now)}, ${proposalId})`);
    const { sum } = await tx.one<{ sum: bigint }>(sql`
      select sum(amount)::bigint as sum from shared.operator_amounts
      where who = ${who} and partner_id = ${partnerId} and at > ${new Date(now - TOGETHER_MS)}`);
    if (sum > largest) largest = toCents(sum);
  }
  return largest;
}

export const proposalAlerts = (now: number): Sql =>
  counted(
    'proposals',
    sql`select created_at as since from shared.proposals
      where state = 'waiting' and expires_at > ${new Date(now)} order by created_at`,
  );
