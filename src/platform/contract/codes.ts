import type { PlainErrorCode } from './errors.ts';

/** Where the contract names the same failure differently per world. */
export interface WorldCodes {
  readonly orderRead: PlainErrorCode;
  readonly orderInsert: PlainErrorCode;
  readonly webhookRead: PlainErrorCode;
  /** Live has no code of its own for an unreadable balance. */
  readonly balanceRead: PlainErrorCode | undefined;
  readonly balanceWrite: PlainErrorCode | undefined;
  /** The action exists in the other world only. */
  readonly unknownAction: 'sandbox_only_action' | 'sandbox_unsupported_action';
}

export const liveCodes: WorldCodes = {
  orderRead: 'order_read_failed',
  orderInsert: 'sale_insert_failed',
  webhookRead: 'webhook_read_failed',
  balanceRead: undefined,
  balanceWrite: undefined,
  unknownAction: 'sandbox_only_action',
};

export const sandboxCodes: WorldCodes = {
  orderRead: 'sandbox_order_read_failed',
  orderInsert: 'sandbox_order_insert_failed',
  webhookRead: 'sandbox_webhook_read_failed',
  balanceRead: 'sandbox_balance_read_failed',
  balanceWrite: 'sandbox_balance_write_failed',
  unknownAction: 'sandbox_unsupported_action',
};
