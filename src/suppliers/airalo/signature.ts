import { createHmac } from 'node:crypto';

/**
 * A payload as Airalo's own side writes JSON ("/" as "\/", ASCII only) and its signature. The very bytes that are signed are
 * sent, so it does not matter whether the receiver checks what came or writes it anew.
 */
export function signedBody(payload: object, secret: string): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify(payload)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { body, signature: createHmac('sha512', secret).update(body).digest('hex') };
}
