import { type Cents, parseCents } from '../../../../platform/amounts/cents.ts';
import type { PlainErrorCode } from '../../../../platform/contract/errors.ts';
import { type Failure, fail, failBecause } from '../../../../platform/contract/failure.ts';
import { notPlain, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';

const AMOUNT = /^\d+(\.\d{1,2})?$/;
/** No price comes near it, so longer ceilings mean the same. */
const MOST_DIGITS = 15;

const ceiling = (invalid: PlainErrorCode, description: string, example: string) =>
  rawField(Type.String({ pattern: AMOUNT.source, description, examples: [example] }), invalid);

export const maxPrice = ceiling(
  'invalid_max_price',
  'The most you agree to pay, in USD with at most two decimals. At a higher price nothing is bought: 409 `price_changed`.',
  '4.50',
);
export const maxTotal = ceiling(
  'invalid_max_total',
  'The most you agree to pay for all of them, in USD with at most two decimals. Above it nothing is bought: 409 `price_changed`.',
  '45.00',
);

/** `rule`: of a rule, which has to name one. */
export const parseMaxPrice = (raw: RawValue, of: 'ceiling' | 'rule' = 'ceiling'): Cents | undefined =>
  parseCeiling(raw, () => failBecause('invalid_max_price', of));
export const parseMaxTotal = (raw: RawValue): Cents | undefined => parseCeiling(raw, () => fail('invalid_max_total'));

/** Undefined: none was sent. */
function parseCeiling(raw: RawValue, refuse: () => Failure): Cents | undefined {
  if (raw === undefined) return undefined;
  if (raw === notPlain || !AMOUNT.test(raw)) throw refuse();
  const [whole = '', fraction = ''] = raw.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  const amount = parseCents(digits.length > MOST_DIGITS ? '9'.repeat(MOST_DIGITS) : `${digits}.${fraction || '0'}`);
  if (amount === undefined || amount <= 0n) throw refuse();
  return amount;
}
