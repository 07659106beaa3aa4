import { createHmac } from 'node:crypto';

/**
 * A payload in the JSON style of Airalo's server ("/" as "\/", ASCII only) and its signature. We send exactly the bytes we signed,
 * so the signature fits whether the receiver checks the raw body or serializes it again.
 */
export function signedBody(payload: object, secret: string): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify(payload)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return { body, signature: createHmac('sha512', secret).update(body).digest('hex') };
}
