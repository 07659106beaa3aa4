import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TooManyAttempts } from '../../src/contract/refused.ts';
import { hashPassword } from '../../src/people/password.ts';

test('two passwords are hashed at once and 32 wait; more are refused immediately', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('correct horse')));
  const refused = asked.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 6);
  for (const { reason } of refused) assert.ok(reason instanceof TooManyAttempts);
  assert.match(await hashPassword('and afterwards it goes on'), /^scrypt/);
});
