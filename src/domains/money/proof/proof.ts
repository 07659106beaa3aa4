/** The door of the ledger's proof: proving it, and the proofs that were made. */
export {
  askForProof,
  lastProof,
  latestProofs,
  ledgerAlerts,
  type OnProgress,
  type ProofRow,
  proofJob,
  recordProof,
} from './proofs.ts';
export { type Drift, type Proof, proveBooks } from './prove.ts';
