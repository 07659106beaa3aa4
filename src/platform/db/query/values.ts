/** A parameter in the form PostgreSQL expects: text, or raw bytes. */
export type Encoded = string | Buffer | null;

export function encode(value: unknown): Encoded {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      if (Array.isArray(value)) return encodeArray(value);
      if (value instanceof Date) return value.toISOString();
      if (Buffer.isBuffer(value)) return value;
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

/** PostgreSQL's numbers of the types that travel as bytes. */
const BYTEA = 17;
const TEXT = 25;
const TIMESTAMPTZ = 1184;
/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/**
 * Times, bytes and texts with quotes in them, such as JSON, as PostgreSQL keeps them, because neither side is quick with their escapes;
 * anything else as text. So an array of such texts is a `text[]` in its statement, and JSON is cast afterwards.
 */
function encodeArray(items: readonly unknown[]): Encoded {
  // The first one says what the others can be, so that an array of numbers is not searched for anything else.
  const first = items.find((item) => item !== null && item !== undefined);
  if (isTime(first) && isAll(items, isTime)) return packed(TIMESTAMPTZ, items, () => 8, writeTime);
  if (Buffer.isBuffer(first) && isAll(items, Buffer.isBuffer))
    return packed(BYTEA, items, (bytes) => bytes.length, writeBytes);
  if (!isText(first) || !isAll(items, isText)) return arrayText(items);
  if (items.some(isEscaped)) return packed(TEXT, items, textSize, writeText);
  return `{${items.map((item) => (item === null || item === undefined ? 'NULL' : `"${item}"`)).join()}}`;
}

type Maybe<T> = T | null | undefined;

/** Whether each is such an item or is missing. */
const isAll = <T>(items: readonly unknown[], is: (item: unknown) => item is T): items is readonly Maybe<T>[] =>
  items.every((item) => item === null || item === undefined || is(item));

/** A one-dimensional array: dimensions, whether there are nulls, the type, length and first index, then each item after its length. */
function packed<T>(
  type: number,
  items: readonly Maybe<T>[],
  sizeOf: (item: T) => number,
  write: (item: T, to: Buffer, at: number) => void,
): Buffer {
  const sizes = items.map((item) => (item === null || item === undefined ? -1 : sizeOf(item)));
  const whole = Buffer.allocUnsafe(20 + sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), 0));
  let at = 0;
  for (const head of [1, sizes.includes(-1) ? 1 : 0, type, items.length, 1]) at = whole.writeInt32BE(head, at);
  items.forEach((item, i) => {
    const size = sizes[i] as number;
    at = whole.writeInt32BE(size, at);
    if (size < 0) return;
    write(item as T, whole, at);
    at += size;
  });
  return whole;
}

function writeTime(time: Date, to: Buffer, at: number): void {
  to.writeBigInt64BE(BigInt(time.getTime() - EPOCH_MS) * 1000n, at);
}

const isTime = (item: unknown): item is Date => item instanceof Date;
const isText = (item: unknown): item is string => typeof item === 'string';
const isEscaped = (item: unknown): boolean => isText(item) && (item.includes('"') || item.includes('\\'));
const textSize = (text: string): number => Buffer.byteLength(text);

function writeText(text: string, to: Buffer, at: number): void {
  to.write(text, at);
}

function writeBytes(bytes: Buffer, to: Buffer, at: number): void {
  bytes.copy(to, at);
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
  if (item instanceof Date) return timeText(item.toISOString());
  return quoted(typeof item === 'string' ? item : JSON.stringify(item));
}

/** PostgreSQL writes years of five digits and more without a sign. */
const timeText = (iso: string): string => `"${iso.startsWith('+') ? iso.replace(/^\+0*/, '') : iso}"`;

const ESCAPED = /["\\]/g;
const quoted = (text: string): string => `"${isEscaped(text) ? text.replace(ESCAPED, '\\$&') : text}"`;

const MAX_INT = 2 ** 31 - 1;

/** Milliseconds as they fit into an integer column. */
export const wholeMs = (ms: number): number => Math.min(Math.max(Math.round(ms), 0), MAX_INT);
