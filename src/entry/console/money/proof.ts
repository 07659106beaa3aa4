import { type Drift, lastProof, latestProofs, type ProofRow } from '../../../domains/money/proof/proof.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const SHOWN = 10;

/** The proofs of the ledger: the last result with its age, the one that runs, and those before. */
export const proofActions = [operatorRead('/operator/api/money/proofs', proofs)];

async function proofs({ now, context: { db } }: OperatorCall) {
  const [latest, last] = await Promise.all([latestProofs(db, SHOWN), lastProof(db)]);
  return {
    last: last ? proofView(last, now) : null,
    open: latest.filter(({ finishedAt }) => finishedAt === null).map((one) => proofView(one, now))[0] ?? null,
    latest: latest.filter(({ finishedAt }) => finishedAt !== null).map((one) => proofView(one, now)),
  };
}

const proofView = (proof: ProofRow, now: number) => ({
  by: proof.requestedBy,
  asked_at: iso(proof.requestedAt),
  ...jsonOf(proof, 'id', 'startedAt', 'done', 'total', 'finishedAt', 'error'),
  age_seconds: secondsFrom(proof.finishedAt, new Date(now)),
  seconds: secondsFrom(proof.startedAt, proof.finishedAt),
  result: proof.result as ProofResult | null,
});

const secondsFrom = (start: Date | null, end: Date | null): number | null =>
  start && end && Math.max(0, Math.round((end.getTime() - start.getTime()) / 1000));

/** As JSON keeps it: counts are numbers, amounts texts. */
interface ProofResult {
  readonly ok: boolean;
  readonly live: ProvedWorld;
  readonly sandbox: ProvedWorld;
}
type ProvedWorld = Readonly<Record<'orders' | 'movements' | 'transfers', number>> & {
  readonly drift: readonly Drift[];
};
