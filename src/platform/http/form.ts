import { notPlain, type RawValue } from '../contract/fields.ts';

/** A broken percent sign, or bytes that are not UTF-8. */
export class Undecodable extends Error {}

const PLAIN = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/;

/**
 * `application/x-www-form-urlencoded` text, decoded strictly; `text` holds one character per byte. A field that is repeated,
 * written with brackets, or contains a NUL is marked as not plain. An empty field counts as not sent, but `has` still sees it.
 */
export class Form {
  readonly #fields = new Map<string, RawValue>();
  /** Of its text, in bytes. */
  readonly length: number;

  /** Throws `Undecodable`. A `tolerated` field that cannot be decoded is marked as not plain instead. */
  constructor(text: string, tolerated: readonly string[] = []) {
    this.length = text.length;
    if (text === '') return;
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const cut = pair.indexOf('=');
      const sentName = decode(cut < 0 ? pair : pair.slice(0, cut));
      const bracket = sentName.indexOf('[');
      const name = bracket > 0 ? sentName.slice(0, bracket) : sentName;
      const repeated = bracket > 0 || this.#fields.has(name);
      const value = decodeValue(cut < 0 ? '' : pair.slice(cut + 1), tolerated.includes(name));
      this.#fields.set(name, repeated ? notPlain : value);
    }
  }

  /** Sent at all, even empty. */
  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Of everything that was sent, empty fields too. */
  names(): Iterable<string> {
    return this.#fields.keys();
  }

  /** Everything that was sent, empty fields too. */
  entries(): Iterable<[name: string, value: RawValue]> {
    return this.#fields.entries();
  }

  get(name: string): RawValue {
    const value = this.#fields.get(name);
    return value === '' ? undefined : value;
  }
}

function decodeValue(text: string, tolerated: boolean): RawValue {
  try {
    const value = decode(text);
    // The field's own rules look at a NUL in a tolerated field, so that its length is still checked first.
    return value.includes('\0') && !tolerated ? notPlain : value;
  } catch (error) {
    if (tolerated) return notPlain;
    throw error;
  }
}

/** `+` is a space, %XX is a byte, and the bytes must be UTF-8. A byte order mark is kept: keys are compared byte for byte. */
function decode(text: string): string {
  if (PLAIN.test(text)) return text;
  const escaped = text.replaceAll('+', ' ').replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new Undecodable();
  }
}

/** A path or a part of one, where `+` is a plus sign; throws `Undecodable`. */
export const decodePath = (path: string): string => decode(path.includes('+') ? path.replaceAll('+', '%2B') : path);
