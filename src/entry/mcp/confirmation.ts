import { randomBytes } from 'node:crypto';
import { type Cents, toCents } from '../../platform/amounts/cents.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import type { Vault } from '../../platform/vault/secrets.ts';

/** How long a price can be confirmed. */
export const CONFIRMATION_MS = 10 * MINUTE;

const PURPOSE = 'agent confirmation';
/** The prefix is how the log knows one and cuts it out. The signature is 32 bytes in base64url. */
const TOKEN = /^wfc_(\d{1,12})-(\d{1,15})-([0-9a-f]{32})-([\w-]{43})$/;

/** What a confirmation is for: this key, this tool and exactly these arguments. */
export interface Subject {
  readonly keyId: number;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface Confirmation {
  /** Different for each. A purchase is made under it as its idempotency key. */
  readonly id: string;
  readonly price: Cents;
  readonly expiresAt: Date;
}

/** A token that can be redeemed only by the same key, with the same arguments, at this price, until it expires. */
export function newConfirmation(
  vault: Vault,
  subject: Subject,
  price: Cents,
  now: number,
): { token: string; expiresAt: Date } {
  const expires = Math.floor((now + CONFIRMATION_MS) / SECOND);
  const named = `${expires}-${price}-${randomBytes(16).toString('hex')}`;
  const signature = Buffer.from(vault.sign(PURPOSE, signed(subject, named)), 'hex').toString('base64url');
  return { token: `wfc_${named}-${signature}`, expiresAt: new Date(expires * SECOND) };
}

/** Undefined unless it is ours and for this subject. Whether it has expired is up to the caller. */
export function readConfirmation(vault: Vault, subject: Subject, token: string): Confirmation | undefined {
  const [, expires = '', price = '', nonce = '', signature = ''] = TOKEN.exec(token) ?? [];
  const bytes = Buffer.from(signature, 'base64url');
  // The last character has bits to spare: each token has one spelling.
  if (signature === '' || bytes.toString('base64url') !== signature) return undefined;
  if (!vault.verify(PURPOSE, signed(subject, `${expires}-${price}-${nonce}`), bytes.toString('hex'))) return undefined;
  return { id: `mcp-${nonce}`, price: toCents(BigInt(price)), expiresAt: new Date(Number(expires) * SECOND) };
}

function signed({ keyId, tool, args }: Subject, named: string): string {
  return JSON.stringify([keyId, tool, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)), named]);
}
