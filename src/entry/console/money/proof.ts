import { type Drift, lastProof, latestProofs, type ProofRow } from '../../../domains/money/proof/proof.ts';
import { iso } from '../../site/json/action.ts';
import { type OperatorAction, type OperatorCall, operatorRead } from '../action.ts';

const SHOWN = 10;

/** The proofs of the ledger: the last result with its age, the one that runs, and those before. */
export const proofActions: readonly OperatorAction[] = [operatorRead('/operator/api/money/proofs', proofs)];

async function proofs({ now, context: { db } }: OperatorCall) {
  const [latest, last] = await Promise.all([latestProofs(db, SHOWN), lastProof(db)]);
  return {
    last: last ? proofView(last, now) : null,
    open: latest.filter(({ finishedAt }) => finishedAt === null).map((one) => proofView(one, now))[0] ?? null,
    latest: latest.filter(({ finishedAt }) => finishedAt !== null).map((one) => proofView(one, now)),
  };
}

const proofView = (
  { id, requestedBy, requestedAt, startedAt, done, total, finishedAt, result, error }: ProofRow,
  now: number,
) => ({
  id: String(id),
  by: requestedBy,
  asked_at: iso(requestedAt),
  started_at: iso(startedAt),
  done,
  total,
  finished_at: iso(finishedAt),
  age_seconds: finishedAt === null ? null : Math.max(0, Math.round((now - finishedAt.getTime()) / 1000)),
  seconds:
    startedAt === null || finishedAt === null
      ? null
      : Math.max(0, Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000)),
  result: result as ProofResult | null,
  error,
});

/** As JSON keeps it: counts are numbers, amounts texts. */
interface ProofResult {
  readonly ok: boolean;
  readonly live: ProvedWorld;
  readonly sandbox: ProvedWorld;
}
type ProvedWorld = Readonly<Record<'orders' | 'movements' | 'transfers', number>> & {
  readonly drift: readonly Drift[];
};

export type ProofView = ReturnType<typeof proofView>;
export type ProofsView = Awaited<ReturnType<typeof proofs>>;
