import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword } from '../../../../src/domains/partners/people/passwords.ts';
import { TooManyAttempts } from '../../../../src/platform/contract/refused.ts';

const from = (network: number, isKnown = false) => ({ networks: [`2001:db8:${network}::/48`], isKnown });
const hashed = (network: number, isKnown = false) => hashPassword('correct horse', from(network, isKnown));

test('two passwords are hashed at once and 32 wait; more of the same network are refused immediately', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => hashed(1)));
  const refused = asked.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 6);
  for (const { reason } of refused) assert.ok(reason instanceof TooManyAttempts);
  assert.match(await hashed(1), /^scrypt/);
});

test('strangers of many networks fill their places only: somebody known has one, and goes first', async () => {
  const order: string[] = [];
  const strangers = Array.from({ length: 34 }, (_, n) => hashed(n).then(() => order.push(`stranger ${n}`)));
  await assert.rejects(hashed(99), TooManyAttempts);
  await hashed(99, true).then(() => order.push('known'));
  // The two that had begun may end before, and on a busy machine some that began after it.
  assert.ok(order.indexOf('known') <= 10, order.join());
  await Promise.all(strangers);
});
