import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { custom, notPlain, type RawValue } from '../../contract/fields.ts';

const MAX_BYTES = 191;
const TRIMMED = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;
/** Quotes, backslash, angle brackets, C0 and C1 controls, and everything UTF-8 writes in four bytes. */
const REFUSED = /["'\\<>\p{Cc}\u{10000}-\u{10ffff}]/u;

/** Left raw here and parsed in `check`, because a problem with the product is reported first. */
export const idempotencyKey = custom({
  schema: Type.String({ maxLength: MAX_BYTES }),
  required: false,
  errors: ['idempotency_key_too_long', 'invalid_idempotency_key'],
  parse: (raw: RawValue): RawValue => raw,
});

/** The key as it is stored and compared, byte for byte; undefined: none was sent. */
export function parseIdempotencyKey(raw: RawValue): string | undefined {
  if (raw === undefined) return undefined;
  if (raw === notPlain) throw fail('invalid_idempotency_key');
  const key = raw.replace(TRIMMED, '');
  if (key === '') return undefined;
  // Length before characters; a key is never truncated.
  if (Buffer.byteLength(key) > MAX_BYTES) throw fail('idempotency_key_too_long');
  if (REFUSED.test(key)) throw fail('invalid_idempotency_key');
  return key;
}
