import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { contentPolicy } from '../../../../src/entry/site/pages/pages.ts';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { testApp } from '../../../support/program/app.ts';
import { sendRaw } from '../../../support/servers/raw.ts';

const folder = await mkdtemp(join(tmpdir(), 'wayfare-web-'));
await mkdir(join(folder, 'dist/assets'), { recursive: true });
await writeFile(join(folder, 'outside.txt'), 'not to be served');
await writeFile(
  join(folder, 'dist/index.html'),
  '<!doctype html><title>Panel</title><meta nonce="{nonce}"><script>first()</script>',
);
await writeFile(join(folder, 'dist/favicon.svg'), '<svg/>');
/** Long enough to be worth compressing. */
const script = 'console.log(1);'.repeat(100);
await writeFile(join(folder, 'dist/assets/index-Ab12.js'), script);
await writeFile(join(folder, 'dist/assets/index-Ab12.css'), 'body{}');
await writeFile(join(folder, 'dist/assets/built-Cd34.js'), script);
await writeFile(join(folder, 'dist/assets/built-Cd34.js.br'), 'as the build left it');
await writeFile(join(folder, 'dist/operator.html'), '<!doctype html><title>Console</title>');
/** The panel alone: what strangers get at `/` is in test/entry/public/. */
const site = { ...readConfig({}).site, isPublic: false };
const t = await testApp({ config: { webDist: join(folder, 'dist'), site } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.get(path, { host: 'panel', headers, method });

test('the page runs and calls only its own files, cannot be framed, and is revalidated each time', async () => {
  const { status, text, headers } = await get('/', html);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'private, no-cache');
  const policy = String(headers['content-security-policy']).split('; ');
  for (const rule of ["default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "connect-src 'self'"])
    assert.ok(policy.includes(rule), rule);
  assert.deepEqual([headers['x-content-type-options'], headers['referrer-policy']], ['nosniff', 'no-referrer']);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(String(headers['permissions-policy']), /^camera=\(\), .*payment=\(\)/);
  const nonce = /nonce="([\w+/]{22}==)"/.exec(text)?.[1] ?? '';
  assert.equal(text, `<!doctype html><title>Panel</title><meta nonce="${nonce}"><script>first()</script>`);
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`), 'inline styles need the nonce');
  const hash = createHash('sha256').update('first()').digest('base64');
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}'`), 'an inline script needs to be known');
  const again = await get('/', { ...html, 'if-none-match': String(headers.etag) });
  assert.equal(again.status, 200, 'a page kept by the browser would carry a nonce that the new policy does not allow');
  assert.ok(!again.text.includes(nonce), 'no two answers share a nonce');
});

test('only a place that names an addition may reach anybody else', () => {
  const policy = contentPolicy({ nonce: 'abc', and: ['stripe'] }).split('; ');
  assert.ok(policy.includes("script-src 'self' https://js.stripe.com https://*.js.stripe.com"));
  assert.ok(policy.includes("connect-src 'self' https://api.stripe.com"));
  assert.doesNotMatch(contentPolicy({ nonce: 'abc' }), /https|unsafe/);
});

test('below /operator is the console, everywhere else the panel', async () => {
  const titles = ['/operator', '/operator/orders/7', '/operators', '/live/orders'].map(
    async (path) => /<title>(.*)<\/title>/.exec((await get(path, html)).text)?.[1],
  );
  assert.deepEqual(await Promise.all(titles), ['Console', 'Console', 'Panel', 'Panel']);
});

test('what the build has compressed is sent as it is, and only to clients that take it', async () => {
  const path = '/assets/built-Cd34.js';
  const sent = await get(path, { 'accept-encoding': 'br' });
  assert.deepEqual([sent.headers['content-encoding'], sent.text], ['br', 'as the build left it']);
  assert.equal((await get(path)).text, script);
  assert.equal((await get(`${path}.br`)).status, 404);
});

test('files named by their content are kept for a year', async () => {
  for (const [path, type] of [
    ['/assets/index-Ab12.js', 'text/javascript; charset=utf-8'],
    ['/assets/index-Ab12.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers['content-type']], [200, type]);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  }
  assert.deepEqual(
    [(await get('/favicon.svg')).status, (await get('/favicon.svg')).headers['cache-control']],
    [200, 'private, no-cache'],
  );
});

test('who takes brotli gets it, with a tag of its own', async () => {
  const plain = await get('/assets/index-Ab12.js');
  const packed = await get('/assets/index-Ab12.js', { 'accept-encoding': 'gzip, deflate, br' });
  assert.deepEqual([plain.headers['content-encoding'], packed.headers['content-encoding']], [undefined, 'br']);
  assert.equal(packed.headers.vary, 'accept-encoding');
  assert.notEqual(packed.headers.etag, plain.headers.etag);
  const again = { 'accept-encoding': 'br', 'if-none-match': String(packed.headers.etag) };
  assert.equal((await get('/assets/index-Ab12.js', again)).status, 304);
  const headers = { host: t.base.config.panelUrl.host, 'accept-encoding': 'br' };
  const { body } = await request(`http://127.0.0.1:${t.port}/assets/index-Ab12.js`, { headers });
  assert.equal(brotliDecompressSync(Buffer.from(await body.arrayBuffer())).toString(), script);
});

test('a place within the page is the page, when a browser asks for it; what asks for anything else gets 404', async () => {
  for (const path of ['/sign-in', '/sandbox/orders/1042', '/welcome', '/api-docs', '/index.html']) {
    const { status, text } = await get(path, html);
    assert.deepEqual([status, text.startsWith('<!doctype html><title>Panel</title>')], [200, true], path);
  }
  for (const path of ['/assets/index-Zz99.js', '/nothing.png'])
    assert.equal((await get(path, { accept: '*/*' })).status, 404);
  assert.equal((await get('/sign-in', html, 'POST')).status, 404);
  const unknown = await get('/api/nothing', html);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
});

test('HEAD answers as GET, without a body', async () => {
  for (const path of ['/', '/assets/index-Ab12.js', '/sandbox/orders']) {
    const { status, text, headers } = await get(path, html, 'HEAD');
    assert.deepEqual([status, text], [200, ''], path);
    assert.ok(Number(headers['content-length']) > 0);
  }
});

test('nothing beside the build can be reached', async () => {
  for (const path of [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets',
  ])
    assert.doesNotMatch((await get(path, { accept: '*/*' })).text, /not to be served/, path);
});

test('an address has one spelling: neither a second slash nor a way back leads to it', async () => {
  for (const path of [
    '//panel.test/metrics',
    '//metrics',
    '/x/../metrics',
    '/./metrics',
    '/%2e/metrics',
    '/\\/metrics',
  ]) {
    const { status, text } = await sendRaw(
      t.port,
      `GET ${path} HTTP/1.1\r\nhost: panel.test\r\nconnection: close\r\n\r\n`,
    );
    assert.deepEqual([status, text], [404, 'Not found\n'], path);
  }
});

test('the routes there were answer as before', async () => {
  assert.equal((await get('/healthz', html)).text, 'ok\n');
  assert.equal((await get('/flags/tr.svg', html)).headers['content-type'], 'image/svg+xml');
  assert.equal((await get('/qr/nothing.svg', html)).status, 404);
  assert.equal((await get('/metrics', html)).status, 200);
});

test('without a build it says which command makes one', async () => {
  await using bare = await testApp({ config: { webDist: join(folder, 'nowhere'), site } });
  const at = (path: string) => bare.get(path, { host: 'panel', headers: html });
  for (const path of ['/', '/sign-in']) {
    const { status, text } = await at(path);
    assert.equal(status, 503);
    assert.match(text, /npm run build/);
  }
  assert.equal((await at('/healthz')).text, 'ok\n');
});
