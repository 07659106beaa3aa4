import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newSecret, openVault } from '../../../src/platform/vault/secrets.ts';
import { testApp } from '../../support/program/app.ts';

const [secret, other] = [newSecret(), newSecret()];

suite('the vault', () => {
  const vault = openVault(secret);

  test('opens what it sealed, whatever it was, and never seals twice alike', () => {
    for (const text of ['', 'LPA:1$sm-dp.example$CODE', 'ü€😀', 'a'.repeat(100_000)]) {
      assert.equal(vault.open(vault.seal(text)), text);
    }
    assert.notDeepEqual(vault.seal('same'), vault.seal('same'));
    assert.ok(!vault.seal('LPA:1$secret').includes('secret'));
  });

  test('no nonce is used twice', () => {
    const nonces = new Set(Array.from({ length: 2000 }, () => vault.seal('same').subarray(4, 16).toString('hex')));
    assert.equal(nonces.size, 2000);
  });

  test('one bit changed anywhere, or a piece missing, and it does not open', () => {
    const sealed = vault.seal('LPA:1$sm-dp.example$CODE');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => vault.open(changed));
      assert.throws(() => vault.open(sealed.subarray(0, at)));
    }
  });

  test('with an old secret known it reads both and writes with the new one', () => {
    const before = openVault(other).seal('kept');
    const both = openVault(secret, [other]);
    assert.equal(both.open(before), 'kept');
    assert.throws(() => openVault(secret).open(before), /a secret that this process does not have/);
    const fresh = both.seal('kept');
    assert.equal(openVault(secret).open(fresh), 'kept');
    assert.deepEqual(
      [fresh.subarray(0, 4).equals(both.keyId), before.subarray(0, 4).equals(both.keyId)],
      [true, false],
    );
  });

  test('a signature holds for its purpose, its text and its secret only; an old secret still verifies', () => {
    const signature = vault.sign('qr', '17');
    assert.match(signature, /^[0-9a-f]{64}$/);
    assert.equal(vault.verify('qr', '17', signature), true);
    assert.equal(openVault(other, [secret]).verify('qr', '17', signature), true);
    for (const [purpose, text, given] of [
      ['pay', '17', signature],
      ['qr', '18', signature],
      ['qr', '17', signature.slice(1)],
      ['qr', '17', ''],
      ['qr', '17', signature.toUpperCase()],
    ] as const) {
      assert.equal(vault.verify(purpose, text, given), false);
    }
    assert.equal(openVault(other).verify('qr', '17', signature), false);
  });

  test('a secret that is too short is refused', () => {
    assert.throws(() => openVault('short'), /at least 32 characters/);
  });
});

test('a program with another secret than the database was sealed with does not start', async () => {
  await using t = await testApp({ secret });
  const wrong = testApp({ url: t.base.url, secret: other });
  await assert.rejects(wrong, /WAYFARE_SECRET is not the secret this database was sealed with/);
  await using both = await testApp({ url: t.base.url, secret: other, config: { oldSecrets: [secret] } });
  assert.ok(both.port > 0, 'knowing the old one as well it does');
});
