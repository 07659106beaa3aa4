/** The door of money: amounts, the ledger, and what is read of it. */
export { readBalance } from './balance.ts';
export {
  type BookedLine,
  type Books,
  type Line,
  ledgerBooks,
  type OrderTransfer,
  type Page,
} from './books.ts';
export { type ByHand, byHand } from './by-hand.ts';
export {
  type Cents,
  centsToMicros,
  centsToNumber,
  divideHalfUp,
  formatCents,
  formatMicros,
  MICROS_PER_CENT,
  type Micros,
  microsToCentsHalfUp,
  parseCents,
  parseMicros,
  toCents,
  toMicros,
  ZERO,
} from './cents.ts';
export { type Funds, fundsOf, type Shortfall } from './funds.ts';
export { forgetMovements, lockWallets, NotEnoughMoney, post } from './ledger.ts';
export { type LedgerLook, lookAtLedger } from './ledger-look.ts';
export { fallenBelow, type LowBalance } from './low-balance.ts';
export { ledgerMatters } from './matters.ts';
export {
  type Book,
  type BookLine,
  ledgerPeriods,
  noPeriods,
  type Period,
  type PeriodSum,
  type Periods,
} from './periods.ts';
export { type Drift, type Proof, type ProofKind, proveBooks } from './proof.ts';
export {
  askForProof,
  lastProof,
  latestProofs,
  type OnProgress,
  type ProofRow,
  proofJob,
  recordProof,
} from './proofs.ts';
export { RefundTooLarge, refundOrders } from './refund.ts';
export type { SpendingPower } from './spending-power.ts';
export {
  apply,
  type DebtMovementType,
  debtMovementTypes,
  type LedgerAccount,
  type Movement,
  spendable,
  type Transfer,
  type Wallet,
  type WalletMovementType,
} from './wallet.ts';
export { openWallets, setBalanceAlert, setWalletTerms } from './wallet-terms.ts';
