import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import {
  hashPassword,
  isOutdated,
  requirePasswordLength,
  verifyPassword,
} from '../../../../src/domains/partners/people/passwords.ts';

const from = { networks: ['192.0.2.1'] };

test('a hash says how it was made, differs each time, and fits its password alone', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse', from), hashPassword('correct horse', from)]);
  assert.match(one, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  assert.notEqual(one, two);
  assert.deepEqual([await verifyPassword('correct horse', from, [one]), isOutdated(one)], [[one], false]);
  assert.deepEqual(await verifyPassword('correct horsf', from, [one]), []);
});

test('a letter encoded in two ways is one letter', async () => {
  const hash = await hashPassword('caf\u00e9 au lait', from);
  assert.deepEqual(await verifyPassword('cafe\u0301 au lait', from, [hash]), [hash]);
});

test('a hash with other parameters is verified with its own, and counts as outdated', async () => {
  const salt = Buffer.from('sixteen bytes ok');
  const weak = scryptSync('correct horse', salt, 32, { N: 2 ** 10, r: 8, p: 1 });
  const stored = `scrypt$10$8$1$${salt.toString('base64url')}$${weak.toString('base64url')}`;
  assert.deepEqual([await verifyPassword('correct horse', from, [stored]), isOutdated(stored)], [[stored], true]);
  assert.deepEqual(await verifyPassword('another horse', from, [stored]), []);
});

test('it takes the same work to refuse a password where there is none, one or several to match', async () => {
  // Processor time, not time: how long it takes is up to what else the machine does.
  const timed = async (stored: readonly string[]) => {
    const before = process.cpuUsage();
    assert.deepEqual(await verifyPassword('correct horse', from, stored), []);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const known = await hashPassword('something else', from);
  const more = await Promise.all(['third', 'fourth', 'fifth', 'sixth'].map((one) => hashPassword(one, from, [known])));
  const median = async (stored: readonly string[]) =>
    [await timed(stored), await timed(stored), await timed(stored)].sort((a, b) => a - b)[1] ?? 0;
  const [wrong, unknown, several] = [await median([known]), await median([]), await median([known, ...more])];
  // Skipped work would take less than a millisecond instead of hundreds, five derivations five times as long as one.
  assert.ok(unknown > wrong / 10, `${unknown} ms beside ${wrong} ms`);
  assert.ok(several < wrong * 3, `${several} ms beside ${wrong} ms`);
});

test('a password has 10 to 200 characters', () => {
  for (const fits of ['x'.repeat(10), 'x'.repeat(200)]) requirePasswordLength(fits);
  assert.throws(() => requirePasswordLength('x'.repeat(9)), { code: 'password_too_short' });
  assert.throws(() => requirePasswordLength('x'.repeat(201)), { code: 'password_too_long' });
});
