import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecret, openVault } from '../src/secrets.ts';

const secret = newSecret();
const text = 'LPA:1$rsp.example$K2-1RNKH0-1F7Z';

test('what is sealed can be opened, and only whole', () => {
  const vault = openVault(secret);
  const sealed = vault.seal(text);
  assert.equal(vault.open(sealed), text);
  assert.ok(!sealed.includes('K2-1RNKH0'));
  for (const at of [0, 5, 20, sealed.length - 1]) {
    const spoilt = Buffer.from(sealed);
    spoilt.writeUInt8(spoilt.readUInt8(at) ^ 1, at);
    assert.throws(() => vault.open(spoilt), `byte ${at} changed`);
  }
});

test('no nonce is used twice', () => {
  const vault = openVault(secret);
  const nonces = new Set(Array.from({ length: 2000 }, () => vault.seal(text).subarray(4, 16).toString('hex')));
  assert.equal(nonces.size, 2000);
});

test('an old secret still opens and verifies, and is written with no more', () => {
  const old = openVault(secret);
  const vault = openVault(newSecret(), [secret]);
  const sealed = old.seal(text);
  assert.equal(vault.open(sealed), text);
  assert.deepEqual([vault.isCurrent(sealed), vault.isCurrent(vault.seal(text))], [false, true]);
  assert.throws(() => openVault(newSecret()).open(sealed), /does not have/);
  assert.ok(vault.verify('qr', '7', old.sign('qr', '7')));
  assert.notEqual(vault.sign('qr', '7'), old.sign('qr', '7'));
});

test('a signature stands for one purpose and one text', () => {
  const vault = openVault(secret);
  const signature = vault.sign('qr', 'live 7');
  assert.ok(vault.verify('qr', 'live 7', signature));
  assert.ok(!vault.verify('product alias', 'live 7', signature));
  assert.ok(!vault.verify('qr', 'live 8', signature));
  assert.ok(!vault.verify('qr', 'live 7', signature.slice(1)));
});
