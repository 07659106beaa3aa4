import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { checkPassword, hashPassword } from '../../src/accounts/accounts.ts';
import { verifyPassword } from '../../src/accounts/password.ts';
import { TooManyAttempts } from '../../src/refused.ts';

test('a hash says how it was made, differs each time, and fits its password alone', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.match(one, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, two);
  assert.deepEqual(await verifyPassword('correct horse', one), { right: true, outdated: false });
  assert.deepEqual(await verifyPassword('correct horsf', one), { right: false, outdated: false });
});

test('a letter written in two ways is one letter', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  assert.equal((await verifyPassword('cafe\u0301 au lait', hash)).right, true);
});

test('a hash with other parameters is read by its own, and said to be outdated', async () => {
  const salt = Buffer.from('sixteen bytes ok');
  const weak = scryptSync('correct horse', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const stored = `scrypt$10$8$1$${salt.toString('base64url')}$${weak.toString('base64url')}`;
  assert.deepEqual(await verifyPassword('correct horse', stored), { right: true, outdated: true });
  assert.deepEqual(await verifyPassword('another horse', stored), { right: false, outdated: false });
});

test('where there is no password none is right, and it takes the same work to say so', async () => {
  const timed = async (stored: string | null | undefined) => {
    const began = performance.now();
    assert.equal((await verifyPassword('correct horse', stored)).right, false);
    return performance.now() - began;
  };
  const known = await hashPassword('something else');
  const median = async (stored: string | null | undefined) =>
    [await timed(stored), await timed(stored), await timed(stored)].sort((a, b) => a - b)[1] ?? 0;
  const [wrong, nobody, pending] = [await median(known), await median(undefined), await median(null)];
  // Hundreds of milliseconds beside less than one, were it not done: how busy the machine is does not matter.
  for (const ms of [nobody, pending]) assert.ok(ms > wrong / 10, `${ms} ms beside ${wrong} ms`);
});

test('two are hashed at once and 32 wait; more are turned away at once and not queued', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword('correct horse')));
  const refused = asked.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 6);
  for (const { reason } of refused) assert.ok(reason instanceof TooManyAttempts);
  assert.match(await hashPassword('and afterwards it goes on'), /^scrypt/);
});

test('a password has 10 to 200 characters', () => {
  for (const fits of ['x'.repeat(10), 'x'.repeat(200)]) assert.equal(checkPassword(fits), fits);
  assert.throws(() => checkPassword('x'.repeat(9)), { code: 'password_too_short' });
  assert.throws(() => checkPassword('x'.repeat(201)), { code: 'password_too_long' });
});
