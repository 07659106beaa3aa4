import { notPlain, type RawValue } from '../contract/fields.ts';

/** Not decodable: a broken percent sign or bytes that are no UTF-8. */
export class Undecodable extends Error {}

// A byte order mark is a character like any other: keys compare byte for byte.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PLAIN = /^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/;
/** The one field whose broken encoding is its own error (`invalid_idempotency_key`) and not the whole request's. */
const OWNS_ITS_ENCODING = 'idempotency_key';

/**
 * Decodes `application/x-www-form-urlencoded` text strictly; `text` holds one character per byte. A field sent twice, with
 * brackets or with a NUL is marked as not plain; an empty one counts as not sent but stays visible as a name.
 */
export class Form {
  private readonly fields = new Map<string, RawValue>();

  constructor(text: string) {
    if (text === '') return;
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const cut = pair.indexOf('=');
      const sentName = decode(cut < 0 ? pair : pair.slice(0, cut));
      const bracket = sentName.indexOf('[');
      const name = bracket > 0 ? sentName.slice(0, bracket) : sentName;
      const seen = bracket > 0 || this.fields.has(name);
      const value = decodeValue(name, cut < 0 ? '' : pair.slice(cut + 1));
      this.fields.set(name, seen ? notPlain : value);
    }
  }

  /** Sent at all, even empty. */
  has(name: string): boolean {
    return this.fields.has(name);
  }

  get(name: string): RawValue {
    const value = this.fields.get(name);
    return value === '' ? undefined : value;
  }
}

function decodeValue(name: string, text: string): RawValue {
  try {
    const value = decode(text);
    // A NUL in the key is one of its refused characters, which come after its length.
    return value.includes('\0') && name !== OWNS_ITS_ENCODING ? notPlain : value;
  } catch (error) {
    if (name === OWNS_ITS_ENCODING) return notPlain;
    throw error;
  }
}

/** `+` is a space, %XX is a byte, and the bytes must be UTF-8. */
function decode(text: string): string {
  if (PLAIN.test(text)) return text;
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x2b) bytes[length++] = 0x20;
    else if (code === 0x25) {
      const hex = text.slice(i + 1, i + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new Undecodable();
      bytes[length++] = Number.parseInt(hex, 16);
      i += 2;
    } else bytes[length++] = code;
  }
  try {
    return utf8.decode(bytes.subarray(0, length));
  } catch {
    throw new Undecodable();
  }
}

/** A path or a piece of one; here `+` is a plus sign. */
export const decodePath = (path: string): string => decode(path.includes('+') ? path.replaceAll('+', '%2B') : path);
