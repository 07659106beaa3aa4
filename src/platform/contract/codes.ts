import type { PlainErrorCode } from './errors.ts';

export const liveCodes = {
  orderRead: 'order_read_failed',
  orderInsert: 'sale_insert_failed',
  webhookRead: 'webhook_read_failed',
  /** Live has no code of its own for an unreadable balance. */
  balanceRead: undefined,
  balanceWrite: undefined,
  /** The action exists in the other world only. */
  unknownAction: 'sandbox_only_action',
} as const satisfies Readonly<Record<string, PlainErrorCode | undefined>>;

export const sandboxCodes = {
  orderRead: 'sandbox_order_read_failed',
  orderInsert: 'sandbox_order_insert_failed',
  webhookRead: 'sandbox_webhook_read_failed',
  balanceRead: 'sandbox_balance_read_failed',
  balanceWrite: 'sandbox_balance_write_failed',
  unknownAction: 'sandbox_unsupported_action',
} as const satisfies Record<keyof typeof liveCodes, PlainErrorCode>;

/** Where the contract names the same failure differently per world. */
export type WorldCodes = typeof liveCodes | typeof sandboxCodes;
