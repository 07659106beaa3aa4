/** The door of money: wallets, and the ledger that every movement is written to. */

export { type Funds, fundsOf, type Shortfall } from './funds.ts';
export { RefundTooLarge, refundOrders } from './refund.ts';
export {
  fallenBelow,
  forgetMovements,
  type LowBalance,
  lockWallets,
  movementsOf,
  NotEnoughMoney,
  numberLimitEvents,
  openWallets,
  post,
  readBalance,
  setBalanceAlert,
  setOverdue,
  setWalletTerms,
  walletTx,
} from './transfers.ts';
export {
  apply,
  type DebtMovementType,
  debtMovementTypes,
  type LedgerAccount,
  type ManualMovement,
  type Movement,
  manualMovements,
  spendable,
  type Transfer,
  type Wallet,
  type WalletMovementType,
} from './wallet.ts';
