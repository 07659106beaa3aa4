import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { signedIn } from '../../../support/program/panel.ts';
import { refused, sandbox } from '../../../support/refusal.ts';
import { sendRaw } from '../../../support/servers/raw.ts';

const t = await testApp({ config: { healthPort: 0 } });
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const key = await t.key(partner, 'sandbox');
const encoded = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');

test('an address has one spelling: its fixed parts are never decoded, on any host', async () => {
  const panel = (path: string) => t.get(path, { host: 'panel', headers: { accept: '*/*' } });
  for (const path of [
    '/%6detrics',
    '/metric%73',
    '/%72eadyz',
    '/%66lags/tr.svg',
    '/%61pi/me',
    '/%70ay/x',
    '/%69ndex.html',
  ])
    assert.deepEqual([(await panel(path)).status, (await panel(path)).text], [404, 'Not found\n'], path);
  const health = await fetch(`http://127.0.0.1:${t.healthPort}/%6detrics`);
  assert.equal(health.status, 404);
  refused(await t.get('/account/%62alance', { key }), 'unknown_method', sandbox);
  assert.equal((await t.ask('/%763/account/balance', { key, host: 'sandbox' })).status, 301);
  refused(await t.get('/openapi%2ejson', { host: 'live' }), 'api_key_required');
});

test('parameters are decoded, once', async () => {
  assert.equal((await t.get('/flags/%74r.svg', { host: 'panel' })).headers['content-type'], 'image/svg+xml');
  assert.equal((await t.get('/flags/%2574r.svg', { host: 'panel' })).status, 404);
  const member = await signedIn(t, partner);
  assert.equal((await member.get(`/api/${encoded('sandbox')}/v3/account/balance`)).body.balance, 1000);
});

test('a path the panel cannot decode, or with a NUL, is a bad request and not a fault', async () => {
  for (const path of [
    '/pay/%00',
    '/pay/a%00b',
    '/qr/%00.svg',
    '/flags/%00.svg',
    '/%00',
    '/api/keys/%00',
    '/pay/%ff',
    '/pay/%',
  ])
    for (const method of ['GET', 'POST'])
      assert.equal((await t.get(path, { host: 'panel', method })).status, 400, `${method} ${path}`);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = { host: 'panel', method: 'POST', headers: form, body: 'do=%00' } as const;
  assert.equal((await t.get('/pay/nothing', posted)).status, 404);
});

test('two Host headers are refused: a proxy may have used the other one', async () => {
  const twice = (path: string, first: string, second: string): Promise<Answer> =>
    sendRaw(t.port, `GET ${path} HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nconnection: close\r\n\r\n`);
  refused(await twice('/v3/openapi.json', 'live.test', 'sandbox.test'), 'malformed_request');
  refused(await twice('/v3/openapi.json', 'sandbox.test', 'sandbox.test'), 'malformed_request', sandbox);
  refused(await twice('/v3/openapi.json', 'unknown.test', 'live.test'), 'malformed_request');
  const panel = await twice('/healthz', 'panel.test', 'live.test');
  assert.deepEqual([panel.status, panel.text], [400, 'Bad request\n']);
});

test('the log names the route, never the path as sent: percent signs hide keys and codes from the redaction', async () => {
  const code = `LPA:1$rsp.example$${'C0DE'.repeat(3)}`;
  const before = t.logged.length;
  const member = await signedIn(t, partner);
  for (const secret of [code, key]) {
    for (const sent of [encoded(secret), encodeURIComponent(secret), `%65${secret.slice(1)}`]) {
      await t.get(`/order/usage/${sent}`, { key });
      await t.get(`/${sent}/x`, { key });
      await t.get(`/order/${sent}`, { key });
      await t.ask(`/${sent}`, { host: 'live', method: 'POST' });
      await t.ask(`/${sent}`, { host: 'legacy' });
      await member.post(`/api/keys/${sent}/revoke`);
      await member.v3('sandbox', `/order/usage/${sent}`);
      await t.get(`/pay/${sent}`, { host: 'panel' });
      await t.get(`/qr/${sent}.svg`, { host: 'panel' });
    }
  }
  const lines = t.logged.slice(before);
  const paths = new Set(lines.map((line) => JSON.parse(line).path));
  assert.deepEqual(
    [...paths].sort(),
    ['/api/keys/{id}/revoke', '/order/usage/{iccid}', 'unknown_endpoint', 'unknown_method'].sort(),
  );
  const text = decodeURIComponent(lines.join(''));
  for (const part of ['C0DE', key.slice(8)]) assert.ok(!text.includes(part), `${part} was logged`);
});
