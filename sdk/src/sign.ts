/** A webhook to sign, as the server sends it. */
export interface Unsigned {
  readonly body: string;
  readonly event: string;
  readonly eventId: string;
  readonly deliveryId: string;
}

/** The headers of a delivery, signed with both signatures. */
export async function signedHeaders(
  { body, event, eventId, deliveryId }: Unsigned,
  secret: string,
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const own = await hmac(new TextEncoder().encode(secret), `${timestamp}.${body}`);
  const standardKey = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  const standard = await hmac(standardKey, `${eventId}.${timestamp}.${body}`);
  return {
    'content-type': 'application/json',
    'x-webhook-event': event,
    'x-webhook-id': deliveryId,
    'x-webhook-timestamp': timestamp,
    'x-signature': `sha256=${hex(own)}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const made = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', made, new TextEncoder().encode(text)));
}
