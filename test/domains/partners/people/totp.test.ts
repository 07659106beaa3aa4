import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  newTotpSecret,
  stepAt,
  stepOfCode,
  totpAddress,
  totpCode,
} from '../../../../src/domains/partners/people/second-factor.ts';
import { SECOND } from '../../../../src/platform/clock.ts';

/** '12345678901234567890' in base32, the key of RFC 6238's examples. */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('the codes of RFC 6238, of which we take the last six digits', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(totpCode(KEY, stepAt(seconds * SECOND)), code);
});

test('a code counts in its own step and in the ones beside it, after the last one used', () => {
  const now = 1_700_000_000_000;
  const step = stepAt(now);
  for (const off of [-1, 0, 1]) assert.equal(stepOfCode(KEY, totpCode(KEY, step + off), 0, now), step + off);
  for (const off of [-2, 2]) assert.equal(stepOfCode(KEY, totpCode(KEY, step + off), 0, now), undefined);
  assert.equal(stepOfCode(KEY, totpCode(KEY, step), step, now), undefined, 'it was used');
  assert.equal(stepOfCode(KEY, totpCode(KEY, step - 1), step, now), undefined, 'a later one was used');
  for (const bad of ['', '12345', '1234567', 'abcdef']) assert.equal(stepOfCode(KEY, bad, 0, now), undefined);
});

test('keys are random, of 160 bits, and apps get the names of the site and the account', () => {
  const key = newTotpSecret();
  assert.match(key, /^[A-Z2-7]{32}$/);
  assert.notEqual(newTotpSecret(), key);
  assert.equal(
    totpAddress(KEY, 'ana+x@example.com', 'Nomad: & Co'),
    `otpauth://totp/Nomad%20%20%26%20Co:ana%2Bx%40example.com?secret=${KEY}&issuer=Nomad%20%20%26%20Co`,
  );
});
