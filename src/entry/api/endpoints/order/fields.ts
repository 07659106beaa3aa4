import { described } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain, type RawValue, rawField, requiredText } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';

const MAX_REASON = 200;

export function parseReason(raw: RawValue): string {
  if (raw === notPlain || (raw !== undefined && [...raw].length > MAX_REASON)) throw fail('reason_too_long');
  return raw ?? '';
}

const schema = (example: string) =>
  Type.String({ maxLength: MAX_REASON, description: 'Why, in your words.', examples: [example] });

/** Why something is asked for, in the partner's words. */
export const reasonField = (example: string) =>
  custom<string>({ schema: schema(example), required: false, errors: ['reason_too_long'], parse: parseReason });

/** Left raw, for an endpoint that reports problems with other fields first. */
export const rawReason = (example: string) => rawField(schema(example), 'reason_too_long');

/** The order that is given back. */
export const orderId = described(
  'The order.',
  requiredText('order_id_required', { schema: Type.Integer({ minimum: 1 }) }),
  {
    example: 1042,
  },
);
