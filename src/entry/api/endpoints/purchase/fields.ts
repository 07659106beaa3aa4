import { type Cents, parseCents } from '../../../../platform/amounts/cents.ts';
import { described, type Meanings, vocabulary } from '../../../../platform/contract/described.ts';
import type { PlainErrorCode } from '../../../../platform/contract/errors.ts';
import { type Failure, fail, failBecause } from '../../../../platform/contract/failure.ts';
import { custom, notPlain, type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Script } from '../../../../worlds/world.ts';

const TRIMMED = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;
/** Quotes, backslash, angle brackets, C0 and C1 controls, and everything UTF-8 writes in four bytes. */
const REFUSED = /["'\\<>\p{Cc}\u{10000}-\u{10ffff}]/u;

/** A text of the partner's own that we store and compare byte for byte: trimmed, never truncated. Undefined: none was sent. */
function parsePlainText(
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

const MAX_KEY_BYTES = 191;

/** Left raw here and parsed in `check`, because a problem with the product is reported first. */
export const idempotencyKey = rawField(
  Type.String({
    maxLength: MAX_KEY_BYTES,
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
    maxBytes: MAX_KEY_BYTES,
    tooLong: () => fail('idempotency_key_too_long'),
    invalid: () => fail('invalid_idempotency_key'),
  });

const MAX_REFERENCE_BYTES = 64;
const referenceSchema = Type.String({
  maxLength: MAX_REFERENCE_BYTES,
  description: 'Your own reference of the order. It need not be unique. At most 64 bytes.',
  examples: ['booking-4711'],
});
const invalid = () => fail('invalid_reference');

/** The partner's own name for an order. Left raw here and parsed in `check`, after the idempotency key. */
export const reference = rawField(referenceSchema, 'reference_too_long', 'invalid_reference');

/** The reference as it is stored; empty: none was sent. */
export const parseReference = (raw: RawValue): string =>
  parsePlainText(raw, { maxBytes: MAX_REFERENCE_BYTES, tooLong: () => fail('reference_too_long'), invalid }) ?? '';

/** A reference to look for. One that is too long cannot have been stored, so it is as invalid as any other. */
export const referenceFilter = custom({
  schema: referenceSchema,
  required: false,
  errors: ['invalid_reference'],
  parse: (raw) => parsePlainText(raw, { maxBytes: MAX_REFERENCE_BYTES, tooLong: invalid, invalid }),
});

const CEILING = /^\d+(\.\d{1,2})?$/;
/** No price comes near it, so longer ceilings mean the same. */
const MOST_CEILING_DIGITS = 15;

const ceiling = (invalid: PlainErrorCode, description: string, example: string) =>
  rawField(Type.String({ pattern: CEILING.source, description, examples: [example] }), invalid);

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
  if (raw === notPlain || !CEILING.test(raw)) throw refuse();
  const [whole = '', fraction = ''] = raw.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '');
  const amount = parseCents(
    digits.length > MOST_CEILING_DIGITS ? '9'.repeat(MOST_CEILING_DIGITS) : `${digits}.${fraction || '0'}`,
  );
  if (amount === undefined || amount <= 0n) throw refuse();
  return amount;
}

const scenarios = ['success', 'deferred', 'failed'] as const;
const usages = ['not_active', 'active', 'depleted', 'expired'] as const;

/** Left raw here: only a world with scripts reads them. */
const scripted = (
  about: string,
  meanings: Meanings,
  error: 'invalid_sandbox_scenario' | 'invalid_sandbox_usage',
  byDefault: string,
) =>
  rawField({ ...vocabulary(`${about} Sandbox keys only; live keys ignore it.`, meanings), default: byDefault }, error);

export const scriptFields = {
  sandbox_scenario: scripted(
    'What becomes of the order.',
    {
      success: 'Delivered at once.',
      deferred: 'Paid, and delivered by the first read after 60 seconds.',
      failed: 'Not delivered; nothing is taken from the balance.',
    } satisfies Meanings<(typeof scenarios)[number]>,
    'invalid_sandbox_scenario',
    'success',
  ),
  sandbox_usage: scripted(
    'What the usage of the eSIM shows.',
    {
      not_active: '0 of 1024 MB used.',
      active: '512 of 1024 MB used.',
      depleted: '1024 of 1024 MB used.',
      expired: 'The end has passed.',
    } satisfies Meanings<(typeof usages)[number]>,
    'invalid_sandbox_usage',
    'not_active',
  ),
};

/** What a purchase asks its order to play. By default it succeeds, with an eSIM that is not activated. */
export function parseScript(raw: { sandbox_scenario: RawValue; sandbox_usage: RawValue }): Script {
  const scenario = raw.sandbox_scenario ?? 'success';
  const usage = raw.sandbox_usage ?? 'not_active';
  const played = scenarios.find((known) => known === scenario);
  if (!played) throw fail('invalid_sandbox_scenario');
  const used = usages.find((known) => known === usage);
  if (!used) throw fail('invalid_sandbox_usage');
  return { scenario: played, usage: used };
}
