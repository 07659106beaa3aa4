import { fail } from '../../../../platform/contract/failure.ts';
import { custom, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { parsePlainText } from './plain-text.ts';

const MAX_BYTES = 64;
const schema = Type.String({
  maxLength: MAX_BYTES,
  description: 'Your own reference of the order. It need not be unique. At most 64 bytes.',
  examples: ['booking-4711'],
});
const invalid = () => fail('invalid_reference');

/** The partner's own name for an order. Left raw here and parsed in `check`, after the idempotency key. */
export const reference = rawField(schema, 'reference_too_long', 'invalid_reference');

/** The reference as it is stored; empty: none was sent. */
export const parseReference = (raw: RawValue): string =>
  parsePlainText(raw, { maxBytes: MAX_BYTES, tooLong: () => fail('reference_too_long'), invalid }) ?? '';

/** A reference to look for. One that is too long cannot have been stored, so it is as invalid as any other. */
export const referenceFilter = custom({
  schema,
  required: false,
  errors: ['invalid_reference'],
  parse: (raw) => parsePlainText(raw, { maxBytes: MAX_BYTES, tooLong: invalid, invalid }),
});
