import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  maskSecret,
  newSecret,
  sign,
  signingKey,
} from '../../../../../src/domains/messages/webhooks/send/signature.ts';

const body = '{"event":"order.paid","note":"öß漢字"}';
const eventId = 'order.paid:1042:1';

function standardHeaders(signed: ReturnType<typeof sign>): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': signed.timestamp,
    'webhook-signature': signed.standardSignature,
  };
}

test('a secret is whsec_ and 64 hex characters, and its mask keeps the prefix and the last four', () => {
  const secret = newSecret();
  assert.match(secret, /^whsec_[0-9a-f]{64}$/);
  assert.notEqual(secret, newSecret());
  assert.equal(maskSecret(secret.slice(-4)), `whsec_********${secret.slice(-4)}`);
});

test('X-Signature is sha256= and the hex HMAC of timestamp, dot and raw body, keyed with the secret as shown', () => {
  const secret = newSecret();
  const { timestamp, signature } = sign([signingKey(secret)], eventId, body, 1_700_000_000_999);
  assert.equal(timestamp, '1700000000');
  const expected = createHmac('sha256', secret).update(`1700000000.${body}`).digest('hex');
  assert.equal(signature, `sha256=${expected}`);
});

test('the Standard Webhooks library accepts the delivery with the very secret that is shown', () => {
  const secret = newSecret();
  const signed = sign([signingKey(secret)], eventId, body, Date.now());
  assert.deepEqual(new Webhook(secret).verify(body, standardHeaders(signed)), JSON.parse(body));
  assert.throws(() => new Webhook(secret).verify(`${body} `, standardHeaders(signed)), /No matching signature/);
  assert.throws(() => new Webhook(newSecret()).verify(body, standardHeaders(signed)), /No matching signature/);
});

test('while a rotation is open, X-Signature uses the old secret and webhook-signature carries both', () => {
  const [old, fresh] = [newSecret(), newSecret()];
  const signed = sign([signingKey(fresh), signingKey(old)], eventId, body, Date.now());
  const alone = sign([signingKey(old)], eventId, body, Number(signed.timestamp) * 1000);
  assert.equal(signed.signature, alone.signature);
  for (const secret of [old, fresh]) {
    assert.deepEqual(new Webhook(secret).verify(body, standardHeaders(signed)), JSON.parse(body));
  }
});
