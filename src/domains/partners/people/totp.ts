import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECOND } from '../../../platform/clock.ts';

/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app knows them: SHA-1, six digits, thirty seconds. An app's clock
 * may be one step off.
 */
const STEP_MS = 30 * SECOND;
const DIGITS = 6;
const DRIFT_STEPS = 1;
/** As long as the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 of random bytes: what people type and apps scan. */
export function randomBase32(bytes: number): string {
  const bits = [...randomBytes(bytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

export const newTotpSecret = (): string => randomBase32(SECRET_BYTES);

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of one step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) as number) & 15) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The step whose code this is, after `lastStep` and close to now; undefined if there is none. */
export function stepOfCode(secret: string, code: string, lastStep: number, now: number): number | undefined {
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, i) => stepAt(now) - DRIFT_STEPS + i);
  return steps.find((step) => step > lastStep && isEqual(totpCode(secret, step), code));
}

const isEqual = (right: string, given: string): boolean =>
  right.length === given.length && timingSafeEqual(Buffer.from(right), Buffer.from(given));

/** What the QR code says, in the form all apps read. Ours are the values they assume, so that the code has fewer squares. */
export function totpAddress(secret: string, account: string): string {
  const label = encodeURIComponent(`Wayfare:${account}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Wayfare`;
}
