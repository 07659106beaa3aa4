import type { WebhookEvent } from './contract.ts';

const TOLERANCE_SECONDS = 300;

/** Headers as Fetch or Node have them. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The secret as it was shown, `whsec_` included. While you rotate it, the new and the old one. */
  secret: string | readonly string[];
  /** Unix milliseconds; by default the time it is. */
  now?: number;
}

/** A webhook that must not be trusted. */
export class WebhookRejected extends Error {
  readonly reason: 'no_signature' | 'too_old_or_early' | 'wrong_signature' | 'not_json';

  constructor(reason: WebhookRejected['reason']) {
    super(`The webhook was rejected: ${reason}`);
    this.name = 'WebhookRejected';
    this.reason = reason;
  }
}

/**
 * The event, if the webhook is genuine and recent; throws `WebhookRejected` otherwise. `rawBody` has to be the bytes as they
 * arrived: parsing and serializing JSON can change them. Accepts `X-Signature` and `webhook-signature` (Standard Webhooks), whichever
 * is there and right.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: HeaderSource,
  { secret, now = Date.now() }: VerifyOptions,
): Promise<WebhookEvent> {
  const body = bytes(rawBody);
  const secrets = secretsOf(secret);
  const header = (name: string) => headerOf(headers, name);
  const styles: Style[] = [ownStyle(header), standardStyle(header)].filter((one) => one !== undefined);
  if (styles.length === 0) throw new WebhookRejected('no_signature');

  const recent = styles.filter(({ timestamp }) => isRecent(timestamp, now));
  if (recent.length === 0) throw new WebhookRejected('too_old_or_early');
  for (const { signatures, prefix, keyOf } of recent)
    for (const one of secrets) if (await isSigned(keyOf(one), signatures, prefix, body)) return eventIn(body);
  throw new WebhookRejected('wrong_signature');
}

/** Throws unless each is a whole secret: anybody could sign with `whsec_` alone. An empty one beside another is left out. */
export function secretsOf(secret: VerifyOptions['secret']): readonly string[] {
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter((one) => one !== '');
  if (secrets.length === 0 || !secrets.every((one) => /^whsec_[0-9A-Za-z+/=]{32,}$/.test(one)))
    throw new TypeError('A webhook needs the secret of your subscription as it was shown: whsec_ and what follows it');
  return secrets;
}

interface Style {
  readonly timestamp: string;
  readonly signatures: readonly Bytes[];
  /** What is signed before the body. */
  readonly prefix: string;
  readonly keyOf: (secret: string) => Bytes;
}

type Bytes = Uint8Array<ArrayBuffer>;
type Header = (name: string) => string;

/** `sha256=` and hex, signed with the secret as shown. */
function ownStyle(header: Header): Style | undefined {
  const timestamp = header('x-webhook-timestamp');
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header('x-signature'))?.[1];
  if (!hex) return undefined;
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { timestamp, signatures: [signature], prefix: `${timestamp}.`, keyOf: bytes };
}

/** `v1,` and base64, one for each secret, signed with what follows `whsec_`. */
function standardStyle(header: Header): Style | undefined {
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature')
    .split(' ')
    .flatMap((one) => (/^v1,[0-9A-Za-z+/]{43}=$/.test(one) ? [base64(one.slice(3))] : []));
  if (signatures.length === 0) return undefined;
  const prefix = `${header('webhook-id')}.${timestamp}.`;
  return { timestamp, signatures, prefix, keyOf: (secret) => base64(secret.replace(/^whsec_/, '')) };
}

const isRecent = (timestamp: string, now: number): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(key: Bytes, signatures: readonly Bytes[], prefix: string, body: Bytes): Promise<boolean> {
  if (key.length === 0) return false;
  const start = bytes(prefix);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures) if (await crypto.subtle.verify('HMAC', hmac, signature, signed)) return true;
  return false;
}

function eventIn(body: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookRejected('not_json');
  }
}

export function headerOf(headers: HeaderSource, name: string): string {
  // By what it can do: frameworks bring a class of their own.
  if (isHeaders(headers)) return headers.get(name) ?? '';
  const value = headers[name] ?? Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : '';
}

const isHeaders = (headers: HeaderSource): headers is Headers => typeof headers.get === 'function';

function bytes(from: Uint8Array | ArrayBuffer | string): Bytes {
  return typeof from === 'string' ? new TextEncoder().encode(from) : new Uint8Array(from);
}

function base64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
