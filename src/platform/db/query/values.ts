/** A parameter in the form PostgreSQL expects: text, or raw bytes. */
export type Encoded = string | Buffer | null;

export function encode(value: unknown): Encoded {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      if (Array.isArray(value)) return arrayText(value);
      if (value instanceof Date) return value.toISOString();
      if (Buffer.isBuffer(value)) return value;
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

function arrayText(items: readonly unknown[]): string {
  let text = '{';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ',';
    text += encodeItem(items[i]);
  }
  return `${text}}`;
}

function encodeItem(item: unknown): string {
  if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return String(item);
  if (item === null || item === undefined) return 'NULL';
  if (Array.isArray(item)) return arrayText(item);
  if (Buffer.isBuffer(item)) return `"\\\\x${item.toString('hex')}"`;
  // PostgreSQL writes years of five digits and more without a sign.
  if (item instanceof Date) return `"${item.toISOString().replace(/^\+0*/, '')}"`;
  return quoted(typeof item === 'string' ? item : JSON.stringify(item));
}

const SPECIAL = /["\\]/;

const quoted = (text: string): string => `"${SPECIAL.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;

const MAX_INT = 2 ** 31 - 1;

/** Milliseconds as they fit into an integer column. */
export const wholeMs = (ms: number): number => Math.min(Math.max(Math.round(ms), 0), MAX_INT);
