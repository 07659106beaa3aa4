import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { letterOf } from '../../../src/domains/messages/mail/texts.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { accountKinds } from '../../../src/platform/settings/supplier-fields.ts';
import { paths } from '../../../web/src/panel/paths.ts';
import { testApp } from '../../support/program/app.ts';
import { signedIn } from '../../support/program/panel.ts';

/** Each page alone before compression, and each with all it loads as it comes over the line, except the font. */
const MOST_BYTES = 60_000;

const t = await testApp({ demo: true });
after(() => t[Symbol.asyncDispose]());
const panel = t.base.config.panelUrl.origin;
const html = { accept: 'text/html' };
const get = (path: string, headers: Record<string, string> = html, method = 'GET') =>
  t.get(path, { host: 'panel', headers, method });
const sitemap = (await get('/sitemap.xml')).text;
const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address.slice(panel.length));
const pages = new Map(await Promise.all(listed.map(async (path) => [path, await get(path)] as const)));
const linksIn = (text: string) => [...text.matchAll(/ (?:href|src|action)="([^"]+)"/g)].map(([, link = '']) => link);

test('strangers see every page in the sitemap, each with a title, a description and its canonical address', () => {
  assert.ok(listed.length > 60, String(listed.length));
  assert.equal(new Set(listed).size, listed.length);
  const titles = new Set<string>();
  for (const [path, { status, text, headers }] of pages) {
    assert.equal(status, 200, path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path);
    assert.ok(text.includes(`<link rel="canonical" href="${panel}${path}">`), path);
    assert.match(text, /<meta name="description" content="[^"]{20,}">/, path);
    titles.add(/<title>([^<]+)<\/title>/.exec(text)?.[1] ?? '');
  }
  assert.equal(titles.size, listed.length, 'no two pages have the same title');
});

test('every link on every page leads somewhere, and every page of the site is in the sitemap', async () => {
  // What only people who are signed in see is the panel's page.
  const inside = /^\/(sign-in|keys|reference\/)/;
  const found = new Set(
    [...pages.values()].flatMap(({ text }) => linksIn(text)).map((link) => link.replace(/#.*/, '')),
  );
  const own = [...found].filter((link) => link.startsWith('/') && !inside.test(link));
  for (const path of own) if (!pages.has(path)) assert.equal((await get(path)).status, 200, path);
  const notListed = own.filter((path) => !pages.has(path) && !/\.(json|txt|md|svg|png|css|js)$/.test(path));
  assert.deepEqual(notListed, ['/docs/search']);
});

test('strangers are not asked to sign in where there is no page, and where the panel has one they are', async () => {
  for (const path of ['/nowhere', '/nowhere/else', '/livestock', '/operators', '/wp-login']) {
    const { status, text } = await get(path);
    assert.deepEqual([status, text.includes('Page not found')], [404, true], path);
  }
  const anyOf = (one: unknown): string => (typeof one === 'function' ? one('sandbox', 'some') : String(one));
  const served = ['/pay/'];
  for (const path of [...Object.values(paths).map(anyOf), '/operator', '/sso/some', '/']) {
    if (served.some((beginning) => path.startsWith(beginning))) continue;
    const { status, text } = await get(path, { ...html, cookie: 'wayfare_session=some' });
    assert.deepEqual([status, text.includes('<div id="root">')], [200, true], path);
    if (path !== '/') assert.equal((await get(path)).text.includes('<div id="root">'), true, path);
  }
  const { text } = await get('/nowhere', { ...html, cookie: 'wayfare_session=some' });
  assert.match(text, /<div id="root">/, 'people who are signed in keep their navigation');
});

test('a link to a part of a page leads to a part that is there', () => {
  for (const [path, { text }] of pages)
    for (const link of linksIn(text).filter((one) => one.includes('#'))) {
      const [of = '', id = ''] = link.split('#');
      const target = pages.get(of === '' ? path : of)?.text ?? '';
      assert.ok(target.includes(` id="${id}"`), `${path}: ${link}`);
    }
});

test('no page weighs more than 60 kB, and nothing that a page loads weighs more than 20', async () => {
  for (const [path, { text }] of pages) assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${path}: ${text.length}`);
  for (const file of linksIn(pages.get('/')?.text ?? '').filter((link) => link.startsWith('/site/')))
    assert.ok((await get(file)).text.length <= 20_000, file);
});

test('a visit to any page loads at most 60 kB, once the font is kept', async (own) => {
  const far = { ...html, 'accept-encoding': 'br', 'sec-fetch-site': 'cross-site' };
  const weights = new Map<string, Promise<number>>();
  const weigh = async (path: string) => Number((await get(path, far)).headers['content-length']);
  const loadedBy = (text: string) =>
    [...text.matchAll(/<(?:link rel="(?:icon|stylesheet)" href|script src|img src)="(\/[^"]+)"/g)].map(
      ([, of = '']) => of,
    );
  let most = 0;
  for (const [path, { text }] of pages) {
    const loaded = [...new Set(loadedBy(text))];
    assert.ok(loaded.length >= 2, path);
    const sizes = [weigh(path), ...loaded.map((of) => weights.get(of) ?? weights.set(of, weigh(of)).get(of))];
    const bytes = (await Promise.all(sizes)).reduce((sum: number, size = Number.NaN) => sum + size, 0);
    assert.ok(bytes <= MOST_BYTES, `${path}: ${bytes}`);
    most = Math.max(most, bytes);
  }
  own.diagnostic(`at most ${most} bytes`);
});

test('pages run and load nothing but our own files, write no script or style into themselves, and stay out of frames', () => {
  for (const [path, { text, headers }] of pages) {
    const policy = String(headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(rule), path);
    assert.doesNotMatch(policy, /unsafe|http/);
    assert.doesNotMatch(text, /<script(?! src="\/site\/)|<style|\sstyle="|\son[a-z]+="|javascript:/, path);
    assert.deepEqual([headers['x-content-type-options'], headers['referrer-policy']], ['nosniff', 'no-referrer']);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  }
});

// The guide for those whose code speaks Airalo's protocol says nothing about who supplies this service.
const GUIDE = '/docs/guides/coming-from-airalo';
const withoutGuide = (text: string): string => text.replaceAll(/coming.from.airalo/gi, '');

test('no page names a partner, a supplier, or anything secret', async () => {
  const { db } = t.base;
  const partners = await db.query<{ name: string; email: string }>(sql`select name, email from partners`);
  const suppliers = Object.values(accountKinds).map(({ title }) => title);
  assert.ok(partners.length > 0 && suppliers.length > 3);
  const secrets = [t.base.config.secret ?? 'none', ...partners.flatMap(({ name, email }) => [name, email])];
  for (const [path, { text }] of pages)
    for (const word of path === GUIDE ? secrets : [...secrets, ...suppliers, 'Aurora'])
      assert.ok(!withoutGuide(text).toLowerCase().includes(word.toLowerCase()), `${path} names ${word}`);
});

test('caches keep pages and ask whether they have changed; who takes brotli gets it; HEAD answers as GET', async () => {
  for (const path of [
    '/',
    '/destinations',
    '/docs',
    '/docs/api/purchase_buy',
    '/changelog',
    '/sitemap.xml',
    '/robots.txt',
    '/status',
  ]) {
    const { headers } = await get(path);
    assert.equal((await get(path, { ...html, 'if-none-match': String(headers.etag) })).status, 304, path);
    const head = await get(path, html, 'HEAD');
    assert.deepEqual([head.status, head.text], [200, ''], path);
    assert.ok(Number(head.headers['content-length']) > 0);
  }
  const far = { ...html, 'accept-encoding': 'br', 'sec-fetch-site': 'cross-site' };
  assert.equal((await get('/docs', far)).headers['content-encoding'], 'br');
  assert.equal((await get('/docs')).headers['cache-control'], 'public, no-cache');
  const { headers } = await get('/');
  assert.deepEqual([headers['cache-control'], headers.vary], ['private, no-cache', 'accept-encoding, cookie']);
  for (const file of linksIn((await get('/')).text).filter((link) => link.startsWith('/site/')))
    assert.match(String((await get(file)).headers['cache-control']), /immutable/);
});

test('what is not there is answered with a page that leads on, and a POST with 404', async () => {
  const { status, text } = await get('/docs/nothing');
  assert.equal(status, 404);
  assert.match(text, /href="\/docs\/api"/);
  assert.match(text, /noindex/);
  assert.equal((await get('/docs', html, 'POST')).status, 404);
  for (const path of ['/docs/', '/docs/api/', '/docs/api/..%2fpurchase_buy', '/sdk/..%2fpackage.json'])
    assert.notEqual((await get(path)).status, 200, path);
});

test('the panel is at / for somebody who is signed in, and at all its other addresses for everybody', async () => {
  const ana = await signedIn(t, await t.partner());
  const own = (await ana.get('/', { headers: html })).text;
  assert.match(own, /<div id="root">|npm run build/);
  assert.doesNotMatch((await get('/')).text, /<div id="root">/);
  for (const path of ['/sign-in', '/live/orders', '/keys', '/reference', '/operator'])
    assert.match((await get(path)).text, /<div id="root">|npm run build/, path);
});

suite('search', () => {
  const search = async (q: string) => (await get(`/docs/search?q=${encodeURIComponent(q)}`)).text;

  test('finds endpoints by name, field and error code, and chapters of guides, the best name first', async () => {
    const first = (text: string) => /<ul class="rows"><li><a href="([^"]+)"/.exec(text)?.[1];
    assert.equal(first(await search('purchase/buy')), '/docs/api/purchase_buy');
    assert.equal(first(await search('BUY')), '/docs/api/purchase_buy');
    assert.match(await search('insufficient_balance'), /\/docs\/api\/purchase_buy/);
    assert.match(await search('signature'), /\/docs\/guides\/webhooks/);
    assert.match(await search('no such thing at all'), /No guide and no endpoint has/);
  });

  test('repeats what was asked as text, never as markup, and only so much of it', async () => {
    const asked = await search('"><script>alert(1)</script>');
    assert.doesNotMatch(asked, /<script>alert/);
    assert.ok((await search('x'.repeat(5_000))).length < MOST_BYTES);
  });
});

test('robots are led to the public pages and to nothing else', async () => {
  const { text } = await get('/robots.txt');
  assert.match(text, /^Disallow: \/$/m);
  assert.ok(text.includes(`Sitemap: ${panel}/sitemap.xml`));
  for (const path of listed)
    assert.ok(
      [...text.matchAll(/^Allow: (\S+)$/gm)].some(([, rule = '']) =>
        rule.endsWith('$') ? path === rule.slice(0, -1) : path.startsWith(rule),
      ),
      path,
    );
});

test('the operator’s own name, colour, logo and text are all there is; nothing of ours is left', async () => {
  const logo = { type: 'image/svg+xml', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') };
  const site = {
    ...readConfig({ SITE_NAME: 'Nomad & Co', SITE_TAGLINE: 'Data for <everyone>', SITE_COLOR: '#FFEE00' }).site,
    logo,
    text: '## About us\n\nWe sell data.\n\n<script>alert(1)</script>',
  };
  await using own = await testApp({ config: { site, websiteUrl: new URL('https://nomad.test/') } });
  const at = (path: string) => own.get(path, { host: 'panel', headers: html });
  const { text } = await at('/');
  assert.match(text, /<h1>Data for &#60;everyone&#62;<\/h1>/);
  assert.match(text, /<h2 id="about-us">About us<\/h2>/);
  assert.doesNotMatch(text, /wayfare/i);
  const [file = ''] = /\/site\/logo-\w+/.exec(text) ?? [];
  assert.equal((await at(file)).headers['content-type'], 'image/svg+xml');
  const [style = ''] = /\/site\/style-\w+\.css/.exec(text) ?? [];
  assert.match((await at(style)).text, /--brand:#ffee00;--on-brand:#000000/);
  assert.match((await at('/llms.txt')).text, /^# Nomad & Co\n/);
  for (const path of ['/sign-in', '/operator/sign-in']) {
    const app = (await at(path)).text;
    assert.match(app, /<meta name="site-name" content="Nomad &#38; Co"/, path);
    assert.match(app, new RegExp(`<meta name="site-logo" content="${file}"`), path);
    assert.match(app, /<meta name="site-color" content="#[0-9a-f]{6}"/, path);
    assert.doesNotMatch(app, /wayfare/i, path);
  }
});

test('with SITE_NAME, nothing that a partner or a traveller reads says Wayfare, except the names of packages, commands and variables in code', async () => {
  const { site } = readConfig({ SITE_NAME: 'Nomad & Co' });
  await using own = await testApp({ config: { site } });
  const at = async (path: string) => (await own.get(path, { host: 'panel', headers: html })).text;
  const listed = [...(await at('/sitemap.xml')).matchAll(/<loc>http:\/\/panel\.test([^<]*)<\/loc>/g)].map(
    ([, path]) => path,
  );
  assert.ok(listed.length > 60);
  for (const path of [...listed, '/docs/search?q=purchase', '/docs/tools', '/nowhere']) {
    const words = (await at(path ?? '/'))
      .replaceAll(/<(pre|code|script)\b[\s\S]*?<\/\1>/g, '')
      .replaceAll(/<[^>]*>/g, ' ');
    assert.doesNotMatch(words, /wayfare/i, path);
  }
  const { info } = JSON.parse(await at('/openapi.json'));
  assert.equal(info.title, 'Nomad & Co Travel eSIM Partner API');
  assert.equal(JSON.parse(await at('/collection.json')).info.name, info.title);
  for (const path of ['/llms.txt', ...(await at('/llms.txt')).matchAll(/\/guides\/[\w-]+\.md/g)].map(String))
    assert.doesNotMatch((await at(path)).replaceAll(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, ''), /wayfare/i, path);
  const mail = letterOf('test', {}, { siteName: site.name, panelUrl: own.base.config.panelUrl });
  assert.doesNotMatch(JSON.stringify(mail), /wayfare/i);
});

test('with PUBLIC_SITE=off everything is behind the sign-in, as if there were no such pages', async () => {
  await using closed = await testApp({ config: { site: readConfig({ PUBLIC_SITE: 'off' }).site } });
  const at = (path: string, headers: Record<string, string> = html) => closed.get(path, { host: 'panel', headers });
  const front = await at('/');
  for (const path of [
    '/',
    '/destinations',
    '/destinations/japan',
    '/docs',
    '/docs/api',
    '/status',
    '/changelog',
    '/docs/search?q=buy',
  ]) {
    const { status, text } = await at(path);
    assert.deepEqual(
      [status, text.includes('<div id="root">')],
      [front.status, front.text.includes('<div id="root">')],
    );
    assert.doesNotMatch(text, /API reference/, path);
  }
  for (const path of ['/sitemap.xml', '/robots.txt', '/collection.json'])
    assert.equal((await at(path, { accept: '*/*' })).status, 404, path);
  assert.equal((await at('/llms.txt')).status, 200);
});

test('settings that cannot be are refused by name', () => {
  for (const [name, value] of [
    ['PUBLIC_SITE', 'yes'],
    ['PUBLIC_PRICES', 'maybe'],
    ['SITE_COLOR', 'red'],
    ['SITE_NAME', 'x'.repeat(61)],
    ['SITE_LOGO', '/nowhere/logo.png'],
    ['SITE_LOGO', '/etc/hostname'],
    ['SITE_TEXT', '/nowhere/text.md'],
  ] as const)
    assert.throws(() => readConfig({ [name]: value }), new RegExp(name));
});
