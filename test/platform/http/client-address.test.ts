import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { suite, test } from 'node:test';
import { clientAddresses } from '../../../src/platform/http/client-address.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { refused } from '../../support/refusal.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

suite('the address a request comes from', () => {
  test('without TRUSTED_PROXIES forwarded headers are ignored', () => {
    assert.equal(clientAddresses([])(from('203.0.113.9', '198.51.100.1')), '203.0.113.9');
  });

  test('from a trusted proxy: the first hop from the right that is not trusted', () => {
    const address = clientAddresses(['10.0.0.0/8', '2001:db8::/32']);
    assert.equal(address(from('10.1.1.1', '198.51.100.1')), '198.51.100.1');
    assert.equal(address(from('10.1.1.1', '198.51.100.1, 10.2.2.2')), '198.51.100.1');
    assert.equal(address(from('2001:db8::1', '198.51.100.1,10.2.2.2, 2001:DB8:0::2')), '198.51.100.1');
    assert.equal(address(from('::ffff:10.1.1.1', '::FFFF:198.51.100.1')), '198.51.100.1');
  });

  test('what the client itself wrote further left is not believed', () => {
    const address = clientAddresses(['10.0.0.0/8']);
    assert.equal(address(from('10.1.1.1', '127.0.0.1, 10.9.9.9, 198.51.100.1')), '198.51.100.1');
    assert.equal(address(from('203.0.113.9', '10.0.0.1')), '203.0.113.9', 'nor anything from a stranger');
  });

  test('nothing forwarded, or nonsense: the nearest address we can vouch for', () => {
    const address = clientAddresses(['10.0.0.0/8']);
    assert.equal(address(from('10.1.1.1')), '10.1.1.1');
    assert.equal(address(from('10.1.1.1', '')), '10.1.1.1');
    assert.equal(address(from('10.1.1.1', 'unknown')), '10.1.1.1');
    assert.equal(address(from('10.1.1.1', '198.51.100.1, ::ffff:999.1.1.1, 10.2.2.2')), '10.2.2.2');
    assert.equal(address(from(undefined)), '');
  });
});

test('403 ip_not_allowed: the refused address and time are recorded on the key and shown by `key show`', async () => {
  await using t = await testApp({ config: { trustedProxies: ['127.0.0.0/8'] } });
  t.clock.freeze(Date.UTC(2026, 4, 1, 12, 0, 0));
  const partner = await t.partner();
  const create = [
    'key',
    'create',
    '--partner',
    String(partner),
    '--mode',
    'live',
    '--allow',
    '198.51.100.0/24,\n2001:db8::7',
  ];
  const { key, key_id } = await run(t.operator(), create);
  const ask = (address: string) => t.get('/account/balance', { key, headers: { 'x-forwarded-for': address } });
  for (const allowed of ['198.51.100.1', '::ffff:198.51.100.255', '2001:db8:0::7']) {
    assert.equal((await ask(allowed)).status, 200, allowed);
  }
  for (const stranger of ['198.51.101.1', '2001:db8::8', '127.0.0.1', '203.0.113.9']) {
    refused(await ask(stranger), 'ip_not_allowed');
  }
  const recorded = async () => (await run(t.operator(), `key show ${key_id}`)).refused_address === '203.0.113.9';
  await eventually('the refused address is recorded', recorded);
  const shown = await run(t.operator(), `key show ${key_id}`);
  assert.equal(shown.refused_at.toISOString(), '2026-05-01T12:00:00.000Z');
  assert.equal(shown.last_used_at.toISOString(), '2026-05-01T12:00:00.000Z');
});

test('an empty allow-list is no restriction', async () => {
  await using t = await testApp();
  assert.equal((await t.get('/account/balance', { key: await t.key(await t.partner()) })).status, 200);
});
