import { createHmac } from 'node:crypto';

/**
 * A payload with the signature that Airalo's own SDK computes: over JSON with "/" written as "\/". We send exactly the bytes we
 * signed, so the signature fits whether the receiver checks the raw body or serializes it again.
 */
export function signedBody(payload: object, secret: string): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify(payload).replaceAll('/', '\\/');
  return { body, signature: createHmac('sha512', secret).update(body).digest('hex') };
}
