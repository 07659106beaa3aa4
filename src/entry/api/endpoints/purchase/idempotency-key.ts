import { described } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { parsePlainText } from './plain-text.ts';

const MAX_BYTES = 191;

/** Left raw here and parsed in `check`, because a problem with the product is reported first. */
export const idempotencyKey = rawField(
  Type.String({
    maxLength: MAX_BYTES,
    description:
      'Your name for this purchase. Sent again with the same product, it returns the recorded outcome and charges nothing. At most 191 bytes; letters, digits and `- _ . :` are safe.',
    examples: ['booking-4711-1'],
  }),
  'idempotency_key_too_long',
  'invalid_idempotency_key',
);

/** Left raw in the same way, for an endpoint that cannot do without it. */
export const requiredKey = (description: string, example: string) =>
  described(
    `${description} At most 191 bytes; letters, digits and \`- _ . :\` are safe.`,
    { ...idempotencyKey, required: true },
    { example },
  );

export function requireIdempotencyKey(raw: RawValue): string {
  const key = parseIdempotencyKey(raw);
  if (key === undefined) throw fail('idempotency_key_required');
  return key;
}

/** The key as it is stored and compared, byte for byte; undefined: none was sent. */
export const parseIdempotencyKey = (raw: RawValue): string | undefined =>
  parsePlainText(raw, {
    maxBytes: MAX_BYTES,
    tooLong: () => fail('idempotency_key_too_long'),
    invalid: () => fail('invalid_idempotency_key'),
  });
