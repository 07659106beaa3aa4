/** Replaces a secret. */
const HIDDEN = '[hidden]';

/**
 * Names of fields whose values are secrets, whatever a supplier calls them: activation data, links that lead to it, and
 * credentials. Compared in lower case without punctuation. Links are removed entirely: some suppliers put the QR code behind one.
 */
const secretNames: readonly RegExp[] = [
  /^(ac|lpa|pin\d?|puk\d?|ki|opc|eid|imsi|sharing)$/,
  /^smdp(address)?$/,
  /qr|activationcode|externalreferenceid|matchingid|confirmationcode|accesscode|apple|android|installation/,
  /(url|link|uri)$/,
  /token|secret|password|signature|authorization|apikey|accesskey|clientid|credential/,
];

/** Suppliers use few field names, so each is checked once. Overlong names are not remembered. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1_000;

function isSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const secret = secretNames.some((pattern) => pattern.test(plain));
  if (judged.size < MOST_JUDGED && name.length < 100) judged.set(name, secret);
  return secret;
}

/** `LPA:1$host$matching id`, also where it is part of a link. */
const LPA = /LPA(:|%3A)[^\s"'<>\\]*/gi;
/** In text without field names, anything long with letters and digits may be a code. */
const OPAQUE = /(?=[\w.$~+/=-]*\d)(?=[\w.$~+/=-]*[A-Za-z])[\w.$~+/=-]{20,}/g;

/** A text as it may be kept. `known`: values that must not be in it, wherever they stand. */
export function masked(text: string, known: readonly string[]): string {
  const parsed = parsedOf(text);
  return parsed === undefined
    ? scrubbed(text, known).replace(OPAQUE, HIDDEN)
    : JSON.stringify(maskedValue(parsed, known));
}

/** A path with its query: names of orders and plans stay readable. */
export const maskedPath = (path: string, known: readonly string[]): string => scrubbed(path, known);

export function maskedValue(value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return scrubbed(value, known);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, known));
  if (value === null || typeof value !== 'object') return value;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value))
    kept[name] = inner !== null && inner !== '' && isSecret(name) ? HIDDEN : maskedValue(inner, known);
  return kept;
}

function scrubbed(text: string, known: readonly string[]): string {
  // Every purchase masks a dozen short texts, and nearly all of them have neither character.
  const mayHaveCodes = text.includes(':') || text.includes('%');
  const withoutCodes = mayHaveCodes ? text.replace(LPA, HIDDEN) : text;
  return known.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, HIDDEN) : rest), withoutCodes);
}

function parsedOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
