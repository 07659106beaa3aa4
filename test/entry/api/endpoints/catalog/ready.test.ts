import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { ReadyAnswers } from '../../../../../src/entry/api/ready.ts';
import { run } from '../../../../support/program/operator.ts';
import { entry, eventually, type StockedApp, stockedApp } from '../../../../support/sales/catalog.ts';

/** Bytes as they came: the harness reads text. */
async function bytes(t: StockedApp, headers: Record<string, string>) {
  const answer = await request(`http://127.0.0.1:${t.port}/v3/catalog/products?country=TR`, {
    headers: { host: 'live.test', 'x-api-key': t.key1, ...headers },
  });
  return {
    status: answer.statusCode,
    encoding: answer.headers['content-encoding'],
    etag: String(answer.headers.etag),
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

test('brotli and gzip have the same body after decoding, each with an ETag of its own', async () => {
  await using t = await stockedApp([1, 2, 3].map((day) => entry({ day })));
  const plain = await bytes(t, {});
  const brotli = await bytes(t, { 'accept-encoding': 'gzip, deflate, br' });
  const gzip = await bytes(t, { 'accept-encoding': 'br;q=0.5, gzip' });
  assert.deepEqual([plain.encoding, brotli.encoding, gzip.encoding], [undefined, 'br', 'gzip']);
  assert.deepEqual(brotliDecompressSync(brotli.body), plain.body);
  assert.deepEqual(gunzipSync(gzip.body), plain.body);
  assert.equal(new Set([plain.etag, brotli.etag, gzip.etag]).size, 3);
  for (const refusing of ['identity', 'br;q=0, gzip;q=0', ''])
    assert.equal((await bytes(t, { 'accept-encoding': refusing })).encoding, undefined);
});

test('If-None-Match with the ETag: 304 without a body, until the catalog changes', async () => {
  await using t = await stockedApp([entry({ code: 'one' })]);
  const { etag } = await bytes(t, {});
  const same = await bytes(t, { 'if-none-match': etag });
  assert.deepEqual([same.status, same.body.length, same.etag], [304, 0, etag]);
  await run(t.operator(), `catalog product set ${await t.alias('one')} --price 7`);
  await eventually(async () => assert.equal((await bytes(t, { 'if-none-match': etag })).status, 200));
});

test('cached answers stay within their memory limit, the least recently used being dropped first', async () => {
  const answers = new ReadyAnswers(3_000);
  let made = 0;
  const ask = (key: string) =>
    answers.reply(key, undefined, () => {
      made += 1;
      return key.repeat(1_000);
    });
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a']) await ask(key);
  assert.equal(made, 4, 'a was kept all along');
  await ask('b');
  assert.equal(made, 5, 'b had to go for d');
  assert.equal(answers.bytes, 3_000);
});

test('an answer that was dropped while it was compressed is not counted', async () => {
  const answers = new ReadyAnswers(4_000);
  const coming = answers.reply('a', 'gzip', () => 'a'.repeat(3_000));
  answers.reply('b', undefined, () => 'b'.repeat(3_000));
  await coming;
  assert.equal(answers.bytes, 3_000);
});
