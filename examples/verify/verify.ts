import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook is genuine and recent. `rawBody`: the bytes as they arrived, before any JSON parsing. `headers`: as Node has
 * them, with names in lower case. `secrets`: yours exactly as shown, `whsec_` included; while you rotate it, the new and the old one.
 */
export function isGenuine(
  rawBody: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  ...secrets: string[]
): boolean {
  const timestamp = String(headers['x-webhook-timestamp']);
  const signature = Buffer.from(String(headers['x-signature']));
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  return secrets.some((secret) => {
    const hash = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest('hex');
    const expected = Buffer.from(`sha256=${hash}`);
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
