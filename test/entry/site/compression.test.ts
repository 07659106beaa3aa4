import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { testApp } from '../../support/program/app.ts';
import { ORIGIN, signedIn } from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partnerId = await t.partner();
const ana = await signedIn(t, partnerId);
for (let member = 0; member < 29; member++) await signedIn(t, partnerId);
const LIST = '/api/members';

const ask = async (path: string, headers: Record<string, string>, body?: object) => {
  const answer = await request(`http://127.0.0.1:${t.port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      host: 'panel.test',
      origin: ORIGIN,
      cookie: ana.cookie,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: answer.statusCode,
    encoding: answer.headers['content-encoding'],
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  };
};

test('long answers to reads are compressed, as the browser accepts it', async () => {
  const plain = await ask(LIST, {});
  assert.deepEqual([plain.status, plain.encoding], [200, undefined]);
  const same = (bytes: Buffer) => assert.equal(JSON.parse(bytes.toString()).members.length, 30);
  same(plain.bytes);
  const br = await ask(LIST, { 'accept-encoding': 'gzip, br', 'sec-fetch-site': 'same-origin' });
  assert.equal(br.encoding, 'br');
  same(brotliDecompressSync(br.bytes));
  assert.ok(br.bytes.length < plain.bytes.length / 2);
  const gzip = await ask(LIST, { 'accept-encoding': 'gzip' });
  assert.equal(gzip.encoding, 'gzip');
  same(gunzipSync(gzip.bytes));
});

test('an answer that another site asked for, that is short or that answers a change is not', async () => {
  const accepted = { 'accept-encoding': 'br' };
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal((await ask(LIST, { ...accepted, 'sec-fetch-site': site })).encoding, undefined, site);
  assert.equal((await ask('/api/sandbox/v3/account/balance', accepted)).encoding, undefined);
  // The preview returns what was sent, and is long.
  const brand = { display_name: 'Nomad', color: '#0b5d7a', support_url: '' };
  const shown = await ask('/api/brand/preview', accepted, { ...brand, language: 'en', state: 'active' });
  assert.ok(shown.bytes.length > 1024, shown.bytes.toString());
  assert.equal(shown.encoding, undefined);
});
