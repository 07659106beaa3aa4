import type { Answer, Fields, Operation } from './contract.ts';
import { type Calling, calling } from './reply.ts';
import type { CallOptions, Send, Sent } from './send.ts';

const posts: readonly Operation[] = [
  'purchase_buy',
  'purchase_refill',
  'purchase_batch',
  'order_refund',
  'order_cancel',
  'account_topup',
  'account_topupConfirm',
  'account_sandboxBalance',
  'account_sandboxReset',
  'webhook_test',
  'webhook_probe',
  'webhook_create',
  'webhook_update',
  'webhook_pause',
  'webhook_resume',
  'webhook_rotate',
  'webhook_delete',
  'sandbox_clock',
  'sandbox_profile',
  'sandbox_invoice',
  'esim_suspend',
  'esim_autorefill',
  'esim_resume',
  'esim_replace',
];

/**
 * POSTs that do the same when they are sent twice: purchases and replacements because of their key, a refund and a cancel because an order has one of each at
 * most, a confirmation because it credits once, and what a subscription or an eSIM is set to.
 */
export const repeatable: readonly Operation[] = [
  'purchase_buy',
  'purchase_refill',
  'purchase_batch',
  'order_refund',
  'order_cancel',
  'account_topupConfirm',
  'webhook_update',
  'webhook_pause',
  'webhook_resume',
  'esim_suspend',
  'esim_autorefill',
  'esim_resume',
  'esim_replace',
  'sandbox_profile',
];

export type Call = <Op extends Operation>(
  operation: Op,
  fields: Fields<Op>,
  options?: CallOptions,
  param?: string | number,
) => Calling<Answer<Op>>;

/** `order/detail` for `order_detail`, `purchase/batch` for `purchase_batchById`. */
const pathOf = (operation: Operation): string => operation.replace('_', '/').replace(/ById$/, '');

/** Turns an operation's name into its request: `order_detail` with 1001 is `order/detail/1001`. */
export const caller =
  (send: Send): Call =>
  <Op extends Operation>(operation: Op, fields: Fields<Op>, options?: CallOptions, param?: string | number) => {
    const path = pathOf(operation) + (param === undefined ? '' : `/${encodeURIComponent(param)}`);
    return request(send, posts.includes(operation) ? 'POST' : 'GET', path, fields, options) as Calling<Answer<Op>>;
  };

/** Sends any call of the API. A purchase without a key gets one, the same over all its attempts. */
export function request(
  send: Send,
  verb: Sent['verb'],
  path: string,
  given: object,
  options?: CallOptions,
): Calling<unknown> {
  const fields: Record<string, unknown> = { ...given };
  if (verb === 'POST' && path.startsWith('purchase/')) fields.idempotency_key ||= crypto.randomUUID();
  return calling(send({ verb, path, fields, isRepeatable: isRepeatable(verb, path, fields) }, options));
}

/** A POST this SDK does not know is safe to repeat only because of its key. */
function isRepeatable(
  verb: Sent['verb'],
  path: string,
  { idempotency_key }: Readonly<Record<string, unknown>>,
): boolean {
  const operation = path.split('/', 2).join('_') as Operation;
  if (verb === 'GET' || repeatable.includes(operation)) return true;
  return !posts.includes(operation) && Boolean(idempotency_key);
}
