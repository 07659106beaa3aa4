import { type ErrorCode, type Extra, errors } from './errors.ts';
import { messages, messagesByCause } from './messages.ts';

/** A refusal in the contract's words. Anything else that is thrown is a bug and becomes a logged 500. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly extra: Readonly<Record<string, unknown>>;

  /** The sentence in the answer. */
  readonly advice: string;

  constructor(code: ErrorCode, extra: Readonly<Record<string, unknown>>, advice: string = messages[code]) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.advice = advice;
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/**
 * Fields that only some refusals with a code have: the number of the order that was recorded, which a batch does not leave, and the item
 * of a batch that is refused, by its index.
 */
export const onlySometimes: Partial<Record<ErrorCode, 'order_id' | 'item'>> = {
  insufficient_balance: 'order_id',
  credit_limit_exceeded: 'order_id',
  credit_charge_failed: 'order_id',
  product_id_required: 'item',
  invalid_product: 'item',
  product_not_found: 'item',
  invalid_price: 'item',
  invalid_partner_price: 'item',
  reference_too_long: 'item',
  invalid_reference: 'item',
};

/** The same refusal, about one item of a batch. Anything else that was thrown stays as it is. */
export const aboutItem = (error: unknown, item: number): unknown =>
  error instanceof Failure && onlySometimes[error.code] === 'item'
    ? new Failure(error.code, { ...error.extra, item }, error.advice)
    : error;

/** The same refusal of a batch, which leaves no order behind and has a total for a price. */
export function ofBatch(failure: Failure): Failure {
  const { order_id, ...extra } = failure.extra;
  const kept = onlySometimes[failure.code] === 'order_id' || order_id === undefined ? extra : failure.extra;
  return new Failure(failure.code, batchExtra(failure.code, kept), failure.advice);
}

/** Fields that a batch names differently: what all of it would cost, in place of one price. */
const fieldsOfBatch: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  price_changed: { partner_price: 'total', max_price: 'max_total' },
};

export function batchExtra(
  code: ErrorCode,
  extra: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = fieldsOfBatch[code];
  return names ? Object.fromEntries(Object.entries(extra).map(([name, value]) => [names[name] ?? name, value])) : extra;
}

type ExtraArgs<C extends ErrorCode> = [keyof Extra<C>] extends [never] ? [] : [extra: Extra<C>];

/** throw fail('credit_limit_exceeded', { outstanding, credit_limit, available, required, order_id }) */
export function fail<C extends ErrorCode>(code: C, ...[extra]: ExtraArgs<C>): Failure {
  return new Failure(code, extra ?? {});
}

export function failBecause<C extends keyof typeof messagesByCause>(
  code: C,
  cause: keyof (typeof messagesByCause)[C] & string,
): Failure {
  return new Failure(code, {}, (messagesByCause[code] as Readonly<Record<string, string>>)[cause]);
}
