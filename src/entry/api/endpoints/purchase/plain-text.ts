import { notPlain, type RawValue } from '../../../../platform/contract/fields.ts';

const TRIMMED = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;
/** Quotes, backslash, angle brackets, C0 and C1 controls, and everything UTF-8 writes in four bytes. */
const REFUSED = /["'\\<>\p{Cc}\u{10000}-\u{10ffff}]/u;

/** A text of the partner's own that we store and compare byte for byte: trimmed, never truncated. Undefined: none was sent. */
export function parsePlainText(
  raw: RawValue,
  rules: { readonly maxBytes: number; tooLong(): Error; invalid(): Error },
): string | undefined {
  if (raw === undefined) return undefined;
  if (raw === notPlain) throw rules.invalid();
  const text = raw.replace(TRIMMED, '');
  if (text === '') return undefined;
  // Length before characters.
  if (Buffer.byteLength(text) > rules.maxBytes) throw rules.tooLong();
  if (REFUSED.test(text)) throw rules.invalid();
  return text;
}
