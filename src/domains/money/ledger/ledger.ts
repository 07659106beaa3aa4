/** The door of money: wallets, and the ledger that every movement is written to. */

export { type Funds, fundsOf, type Shortfall } from './funds.ts';
export { fallenBelow, type LowBalance, numberLimitEvents } from './low-balance.ts';
export { type ManualMovement, manualMovements } from './manual-movements.ts';
export { RefundTooLarge, refundOrders } from './refund.ts';
export { forgetMovements, lockWallets, movementsOf, NotEnoughMoney, post, readBalance } from './transfers.ts';
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
export { walletTx } from './wallet-tx.ts';
