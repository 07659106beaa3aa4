import { type Failure, fail } from '../contract/errors.ts';
import { notPlain, type RawValue } from '../contract/fields.ts';

const MAX_BYTES = 191;
const TRIMMED = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;
/** Quotes, backslash, angle brackets, C0 and C1 controls, and everything UTF-8 writes in four bytes. */
const REFUSED = /["'\\<>\p{Cc}\u{10000}-\u{10ffff}]/u;

/** The key as it is stored and compared, byte for byte; undefined: none was sent. */
export function parseIdempotencyKey(raw: RawValue): string | undefined {
  if (raw === undefined) return undefined;
  if (raw === notPlain) throw refused();
  const key = raw.replace(TRIMMED, '');
  if (key === '') return undefined;
  // Length before characters; a key is never truncated.
  if (Buffer.byteLength(key) > MAX_BYTES) throw fail('idempotency_key_too_long');
  if (REFUSED.test(key)) throw refused();
  return key;
}

const refused = (): Failure => fail('invalid_idempotency_key');
