/** The door of the books: what partners and operators read of the ledger. */
export { type BookedLine, type Books, type Line, ledgerBooks, type OrderTransfer } from './lines.ts';
export {
  type Book,
  type BookLine,
  ledgerPeriods,
  noPeriods,
  type Period,
  type PeriodSum,
  type Periods,
} from './periods.ts';
export { ledgerWallets, type SpendingPower } from './spending-power.ts';
export { type LedgerLook, lookAtLedger } from './stretches.ts';
