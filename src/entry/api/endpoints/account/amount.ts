import { type Cents, centsToNumber, parseCents } from '../../../../platform/amounts/cents.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';

const NUMBER = /^(-?)0*(\d+)(\.\d+)?$/;
const MOST_DIGITS = 15;
/** Trailing zeros past the cents are ignored. Any other digit there is refused, never rounded. */
const ZEROS_PAST_CENTS = /(?<=\.\d{2})0+$/;

/** `amount` in US dollars. With `paid`, zero and negative amounts count as missing; otherwise the range decides. */
export function amountField({ min, max, paid }: { min: Cents; max: Cents; paid: boolean }) {
  const range = { min: centsToNumber(min), max: centsToNumber(max) };
  return custom({
    schema: Type.Number({
      minimum: range.min,
      maximum: range.max,
      description: 'US dollars, with two decimals at most.',
    }),
    required: true,
    errors: ['amount_required', 'amount_out_of_range'],
    parse(raw): Cents {
      if (raw === undefined || raw === notPlain) throw fail('amount_required');
      const [, sign = '', whole = '', fraction = ''] = NUMBER.exec(raw) ?? [];
      const isNegative = sign !== '';
      if (paid && isNegative) throw fail('amount_required');
      if (whole.length > MOST_DIGITS) throw fail('amount_out_of_range', range);
      const cents = parseCents(`${whole}${fraction}`.replace(ZEROS_PAST_CENTS, ''));
      if (cents === undefined || (paid && cents === 0n)) throw fail('amount_required');
      if (cents < min || cents > max || (isNegative && cents !== 0n)) throw fail('amount_out_of_range', range);
      return cents;
    },
  });
}
