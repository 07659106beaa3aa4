import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { languages } from '../../../src/domains/messages/texts/texts.ts';
import { countVisits } from '../../../src/domains/travellers/links/counts.ts';
import { findLink, saveBrand } from '../../../src/domains/travellers/travellers.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { pngOf } from '../../support/browser/png.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type Ask, testApp } from '../../support/program/app.ts';
import { PRICE, testPlan } from '../../support/sales/paid-order.ts';
import { pageOf, setReading, sharedOrder } from '../../support/sales/shared-order.ts';
import { catalogKnows } from '../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const plan = await testPlan(t, { operator: { title: 'Orange', activation_policy: 'first-usage' } });
const partnerId = await t.partner();
const order = await sharedOrder(t, { partnerId, plan });
const at = (path: string, ask: Ask = {}): Promise<Answer> => t.ask(path, { host: 'panel', ...ask });

/** Without what differs between any two answers. */
const comparable = ({ status, headers: { date: _date, ...headers }, text }: Answer) => ({ status, headers, text });
const missing = comparable(await at('/e/nothing'));

test('the page shows destination, plan, QR code, install links and codes, and needs no sign-in', async () => {
  const { status, text, headers } = await at(order.path);
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
  const { esim } = (await t.get(`/order/detail/${order.id}`, { key: await t.key(partnerId) })).body;
  assert.equal(new URL(esim.share_url).pathname, order.path);
  const shown = [
    '<h1>France</h1>',
    '1 GB',
    '7 days',
    'src="/flags/fr.svg"',
    'aria-label="QR code that installs the eSIM"',
    `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${esim.activationCode}`,
    `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${esim.activationCode}`,
    esim.smdpAddress,
    esim.matching_id,
    esim.iccid,
    'Turn on data roaming',
    'The APN is set automatically',
  ];
  for (const part of shown) assert.ok(text.includes(part), part);
  assert.ok(!text.includes('Confirmation code'));
  assert.ok(Buffer.byteLength(text) < 40_000);
});

test('nothing from elsewhere can run or load, nothing is kept, found, framed or passed on', async () => {
  const { headers, text } = await at(order.path);
  assert.equal(headers['cache-control'], 'private, no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.match(String(headers['x-robots-tag']), /noindex/);
  assert.equal(headers['set-cookie'], undefined);
  const policy = String(headers['content-security-policy']).split('; ');
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
    assert.ok(policy.includes(rule), rule);
  assert.ok(!policy.join().includes('unsafe'));
  // Links are for the reader to follow; everything the page itself loads is at its own address.
  const loaded = [...text.matchAll(/(?:src|ping|data-from)="([^"]+)"|<link[^>]+href="([^"]+)"/g)].map(
    (m) => m[1] ?? m[2],
  );
  assert.ok(loaded.length >= 4);
  for (const address of loaded) assert.match(address ?? '', /^\/(e|flags)\//);
});

test('HEAD answers as GET without a body; other methods are not allowed, whatever the token', async () => {
  const head = await at(order.path, { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.ok(Number(head.headers['content-length']) > 10_000);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
    for (const path of [order.path, '/e/nothing', `${order.path}/usage`]) {
      const { status, headers } = await at(path, { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], `${method} ${path}`);
    }
});

suite('a link that does not work gets one and the same answer', () => {
  const same = async (path: string) => {
    for (const below of ['', '/usage', '/logo'])
      assert.deepEqual(comparable(await at(path + below)), missing, path + below);
    const counted = await at(`${path}/installs`, { method: 'POST' });
    assert.deepEqual(comparable(counted), missing);
  };

  test('unknown, tampered and of another world or order', async () => {
    assert.equal(missing.status, 404);
    const other = await sharedOrder(t, { partnerId, plan });
    const { token } = order;
    const swapped = (text: string) => text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);
    const wrong = [
      swapped(token),
      token.replace(String(order.id), String(other.id)),
      token.replace('live', 'sandbox'),
      token.replace(/-0-/, '-1-'),
      token.slice(0, -1),
      `${token}A`,
      token.replace('wft_', ''),
      'wft_live-1-0-',
    ];
    for (const forged of wrong) await same(`/e/${forged}`);
    // The last character of base64url has bits to spare: another spelling of the same bytes is another token.
    const last = token.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    await same(`/e/${token.slice(0, -1)}${alphabet[alphabet.indexOf(last) ^ 1]}`);
    for (const path of ['/e', '/e/', `/e/${token}/x`, `/e/${token}/usage/x`])
      assert.equal((await at(path)).status, 404, path);
  });

  test('revoked; and a new link does not bring the old one back', async () => {
    const shared = await sharedOrder(t, { partnerId, plan });
    await live.db.run(sql`insert into traveller_links (order_id, revoked_at) values (${shared.id}, now())`);
    await same(shared.path);
    assert.equal(await live.travellerLinks.urlOf(shared), undefined);
    await live.db.run(sql`
      update traveller_links set revoked_at = null, generation = 1 where order_id = ${shared.id}`);
    await same(shared.path);
    const { path } = await pageOf(live, shared.id);
    assert.notEqual(path, shared.path);
    assert.equal((await at(path)).status, 200);
  });

  test('wholly refunded or withdrawn; a part of the price given back leaves it alive', async () => {
    const [refunded, withdrawn] = [
      await sharedOrder(t, { partnerId, plan }),
      await sharedOrder(t, { partnerId, plan }),
    ];
    const key = await t.key(partnerId);
    await live.db.run(sql`update orders set refunded = ${PRICE - 1n} where id = ${refunded.id}`);
    assert.equal((await at(refunded.path)).status, 200);
    await live.db.run(sql`update orders set refunded = ${PRICE} where id = ${refunded.id}`);
    await same(refunded.path);
    assert.equal((await t.get(`/order/detail/${refunded.id}`, { key })).body.esim.share_url, null);
    await live.db.run(sql`update orders set withdrawn_at = now() where id = ${withdrawn.id}`);
    await same(withdrawn.path);
    assert.deepEqual(await live.travellerLinks.urlsOf([refunded.id, withdrawn.id]), new Map());
  });

  test('of a refill: the page belongs to the order that brought the eSIM', async () => {
    const refill = await sharedOrder(t, { partnerId, plan });
    await live.db.run(sql`update orders set refill_of = ${order.id} where id = ${refill.id}`);
    await same(refill.path);
  });

  test('of an order that a sandbox reset deleted, with what was counted about it', async () => {
    const gone = await sharedOrder(t, { partnerId, plan, world: sandbox });
    assert.match(gone.token, /^wft_sandbox-/);
    assert.match((await at(gone.path)).text, /This is a test eSIM/);
    await sandbox.travellerLinks.visits.flush();
    await sandbox.tools?.reset(partnerId, t.clock.now());
    await same(gone.path);
    await sandbox.travellerLinks.visits.flush();
  });
});

test('the language is the one asked for, else the browser’s favourite among ours, else English', async () => {
  const langOf = async (query: string, accept?: string) =>
    /<html lang="([^"]+)" dir="(\w+)"/
      .exec((await at(order.path + query, { headers: accept === undefined ? {} : { 'accept-language': accept } })).text)
      ?.slice(1)
      .join(' ');
  assert.equal(await langOf(''), 'en ltr');
  assert.equal(await langOf('', 'de-AT,de;q=0.9,en;q=0.8'), 'de ltr');
  assert.equal(await langOf('', 'nl;q=0.9, ja;q=0.5, fr;q=0.7'), 'fr ltr');
  assert.equal(await langOf('', 'zh-TW'), 'zh-Hans ltr');
  assert.equal(await langOf('', 'ar'), 'ar rtl');
  assert.equal(await langOf('', 'de;q=0'), 'en ltr');
  assert.equal(await langOf('?lang=tr', 'de'), 'tr ltr');
  assert.equal(await langOf('?lang=constructor', 'de'), 'de ltr');
  assert.equal(await langOf('?lang=%22%3E', ',;q=,;;'), 'en ltr');
});

test('every language says everything, keeps its placeholders and stays under 40 kB', async () => {
  const textsOf = (value: unknown, path = ''): [string, string][] =>
    typeof value === 'string'
      ? [[path, value]]
      : Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`));
  const english = new Map(textsOf(languages.en));
  for (const [code, texts] of Object.entries(languages)) {
    const own = textsOf(texts);
    assert.deepEqual(
      own.map(([path]) => path).filter((path) => english.has(path) || !path.startsWith('.regions.')),
      [...english.keys()],
      code,
    );
    for (const [path, text] of own) {
      assert.ok(text.trim() !== '', `${code}${path}`);
      const placeholders = (of: string) => [...of.matchAll(/\{\w+\}/g)].map(String).sort();
      assert.deepEqual(placeholders(text), placeholders(english.get(path) ?? ''), `${code}${path}`);
    }
    const { text } = await at(`${order.path}?lang=${code}`);
    assert.ok(Buffer.byteLength(text) < 40_000, code);
    assert.doesNotMatch(text, /\{(place|left|total|used|time|name)\}|undefined|\[object/, code);
    if (code !== 'en') assert.ok(!text.includes('Install your eSIM'), code);
  }
});

test('on the traveller’s page, unlimited data agrees with the word for data', () => {
  assert.deepEqual([languages.fr.data, languages.fr.unlimited], ['Données', 'Illimitées']);
});

test('the phone at hand is chosen, and the QR code is in sight where it can be scanned', async () => {
  const shownTo = async (agent: string) => (await at(order.path, { headers: { 'user-agent': agent } })).text;
  const iphone = await shownTo('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  const android = await shownTo('Mozilla/5.0 (Linux; Android 15; Pixel 9)');
  const desktop = await shownTo('Mozilla/5.0 (X11; Linux x86_64)');
  assert.match(iphone, /id="iphone" checked/);
  assert.match(android, /id="android" checked/);
  assert.match(iphone, /<summary><h3>Scan the QR code/);
  assert.doesNotMatch(desktop, /<summary><h3>Scan the QR code/);
});

test('a suspended eSIM is called paused, not active, until it is resumed; one that has ended shows no tips for connecting', async () => {
  const key = await t.key(partnerId, 'sandbox');
  await catalogKnows(t, plan.alias);
  const buy = async (sandbox_usage: string) => {
    const { body } = await t.post('/purchase/buy', { product_id: plan.alias, sandbox_usage }, { key });
    return (await t.get(`/order/detail/${body.id}`, { key })).body.esim;
  };
  const { iccid, share_url } = await buy('active');
  const { pathname } = new URL(share_url);
  const card = async () => (await at(`${pathname}/usage`)).text;
  const { title, text } = languages.en.help.steps.paused;
  await t.post('/esim/suspend', { iccid }, { key });
  for (const shown of [await card(), (await at(pathname)).text]) {
    assert.match(shown, /class="card warning" id="usage"/);
    assert.ok(shown.includes(`<span class="state">${title}</span>`) && shown.includes(text));
  }
  await t.post('/esim/resume', { iccid }, { key });
  assert.match(await card(), /<span class="state">Active<\/span>/);
  assert.ok((await at(pathname)).text.includes(languages.en.connect.trouble));
  const { pathname: ended } = new URL((await buy('expired')).share_url);
  assert.match((await at(`${ended}/usage`)).text, /<span class="state">Ended<\/span>/);
  assert.ok(!(await at(ended)).text.includes(languages.en.connect.trouble));
});

test('after a refill the head adds up the data and the days, and no longer names the first plan', async () => {
  const refilled = await sharedOrder(t, { partnerId, plan });
  const headOf = async () =>
    /<section class="pass">[\s\S]*?<\/section>/.exec((await at(refilled.path)).text)?.[0] ?? '';
  const before = await headOf();
  for (const part of ['<bdi>1 GB 7 days</bdi>', '<dd>1 GB</dd>', '<dd>7 days</dd>'])
    assert.ok(before.includes(part), `${part} in ${before}`);
  const added = await sharedOrder(t, { partnerId, plan });
  await live.db.run(sql`
    update orders set refill_of = ${refilled.id}, amount_mb = 2048, day = 30,
      iccid = (select iccid from orders where id = ${refilled.id}) where id = ${added.id}`);
  const head = await headOf();
  for (const part of ['<dd>3 GB</dd>', '<dd>37 days</dd>']) assert.ok(head.includes(part), `${part} in ${head}`);
  assert.ok(!head.includes('1 GB 7 days'), head);
});

suite('usage', () => {
  const figures = { state: 'active', totalMb: 1024, usedMb: 256, expiresAt: new Date(t.clock.now() + 3 * DAY + HOUR) };

  test('the page shows the last reading, and asks no supplier for it', async () => {
    const used = await sharedOrder(t, { partnerId, plan });
    assert.match((await at(used.path)).text, /Your time starts when the eSIM first connects/);
    await setReading(t, live, used.id, figures);
    const { text } = await at(used.path);
    for (const part of ['768 MB of 1 GB left', '<rect width="75%"', '256 MB used', '3 days', '<details class="card"'])
      assert.ok(text.includes(part), part);
    await setReading(t, live, used.id, { ...figures, state: 'depleted', usedMb: 1024 });
    assert.match((await at(used.path)).text, /You have used all your data/);
    await setReading(t, live, used.id, { ...figures, state: 'expired' });
    assert.match((await at(used.path)).text, /This plan has ended/);
  });

  test('figures say when they were read, and that they are old: after an hour, or when just asked for in vain', async () => {
    const used = await sharedOrder(t, { partnerId, plan });
    await setReading(t, live, used.id, figures);
    const isOld = async (path: string) => /<div id="age" class="old"/.test((await at(path)).text);
    assert.match((await at(used.path)).text, /<div id="age" data-age="0">.*As of .*may be out of date/);
    await t.base.worlds.live.db.run(sql`
      update usage_readings set fetched_at = ${new Date(t.clock.now() - 59 * MINUTE)}
      where iccid = (select iccid from orders where id = ${used.id})`);
    assert.equal(await isOld(used.path), false);
    // The reading counts as fresh, so no supplier is asked and the answer is the old one, as when none answers.
    assert.equal(await isOld(`${used.path}/usage`), true);
    t.clock.advance(2 * MINUTE);
    assert.equal(await isOld(used.path), true);
  });

  test('fresh figures come as a part of the page, in its language', async () => {
    const used = await sharedOrder(t, { partnerId, plan });
    await setReading(t, live, used.id, figures);
    const { status, text, headers } = await at(`${used.path}/usage?lang=de`);
    assert.equal(status, 200);
    assert.match(text, /^<section[\s\S]*Noch 768\sMB von 1\sGB[\s\S]*<\/section>$/);
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  });

  test('one link asks the supplier once in 90 seconds, also when it does not answer', async () => {
    const used = await sharedOrder(t, { partnerId, plan });
    const { iccid } = await live.db.one<{ iccid: string }>(sql`select iccid from orders where id = ${used.id}`);
    const lastAsked = () =>
      live.db.maybe<{ at: Date }>(sql`select fetched_at as at from usage_readings where iccid = ${iccid}`);
    await Promise.all(Array.from({ length: 20 }, () => at(`${used.path}/usage`)));
    const first = await lastAsked();
    assert.ok(first);
    // As if it had never been answered: the next reader would ask at once.
    await live.db.run(sql`update usage_readings set fresh_until = '-infinity' where iccid = ${iccid}`);
    t.clock.advance(80 * SECOND);
    await at(`${used.path}/usage`);
    assert.deepEqual(await lastAsked(), first);
    t.clock.advance(11 * SECOND);
    await at(`${used.path}/usage`);
    assert.notDeepEqual(await lastAsked(), first);
  });
});

test('views and installs opened are counted per order, previews by messengers are not', async () => {
  const counted = await sharedOrder(t, { partnerId, plan });
  await at(counted.path);
  await at(counted.path, { headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' } });
  await at(counted.path, { method: 'HEAD' });
  await at(`${counted.path}/usage`);
  for (const agent of ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0', 'TelegramBot'])
    await at(counted.path, { headers: { 'user-agent': agent } });
  await at(counted.path, { headers: { 'sec-purpose': 'prefetch' } });
  const { origin } = t.base.config.panelUrl;
  // A browser's `ping` from a page that sends no referrer names no origin, but says that it is the same.
  const ours = [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin }];
  const foreign = [{}, { origin: 'null' }, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'same-origin' }];
  for (const taps of [foreign, [...ours, ...ours]] as Record<string, string>[][]) {
    for (const headers of taps) {
      const { status, text } = await at(`${counted.path}/installs`, { method: 'POST', body: 'PING', headers });
      assert.deepEqual([status, text], [200, '']);
    }
    // So that one of the first does not stand for one of the others.
    t.clock.advance(61 * SECOND);
  }
  const { views, installsOpened } = await eventually('the visits are written', async () => {
    const link = await findLink(live.db, counted.id);
    return link.installsOpened > 0 && link;
  });
  assert.deepEqual([views, installsOpened], [2, 1], 'once a minute, and only from the page itself');
  await at(`${counted.path}/installs`, { method: 'POST', body: 'PING', headers: { origin } });
  await eventually('the second tap is written', async () => (await findLink(live.db, counted.id)).installsOpened === 2);
  assert.equal((await at(`${counted.path}/installs`)).status, 405);
});

test('two processes together count an install once a minute and link', async () => {
  const { id } = await sharedOrder(t, { partnerId, plan });
  const quiet = createLog('silent');
  const [one, other] = [countVisits(live.db, quiet), countVisits(live.db, quiet)];
  const start = t.clock.now();
  const installs = async (): Promise<number> => (await findLink(live.db, id)).installsOpened;
  for (const [visits, seconds, expected] of [
    [one, 0, 1],
    [other, 20, 1],
    [one, 61, 2],
    [other, 90, 2],
    [other, 200, 3],
  ] as const) {
    visits.view(id);
    visits.install(id, start + seconds * SECOND);
    await visits.flush();
    assert.equal(await installs(), expected, `${seconds} s`);
  }
  one.install(id, start + 300 * SECOND);
  other.install(id, start + 301 * SECOND);
  other.install(id, start + 362 * SECOND);
  await Promise.all([one.flush(), other.flush()]);
  assert.equal(await installs(), 5, 'written at once: two of the three are within a minute of each other');
  assert.equal((await findLink(live.db, id)).views, 5);
});

test('a messenger that draws a preview learns the destination and the sender, and no code', async () => {
  const { esim } = (await t.get(`/order/detail/${order.id}`, { key: await t.key(partnerId) })).body;
  const secrets = [esim.activationCode, esim.matching_id, esim.iccid, esim.smdpAddress, 'esimsetup', 'QR code'];
  for (const agent of ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0', 'TelegramBot']) {
    const { status, text } = await at(order.path, { headers: { 'user-agent': agent } });
    assert.equal(status, 200);
    assert.ok(text.includes('<h1>France</h1>'));
    for (const secret of secrets) assert.ok(!text.includes(secret), `${agent}: ${secret}`);
  }
});

suite('a brand', () => {
  const logo = { type: 'image/png', bytes: pngOf(9, 3) } as const;
  const evil = '"><script>alert(1)</script>';

  test('its texts are text, whatever they say; its logo is served alone and can do nothing', async () => {
    const branded = await t.partner();
    const shared = await sharedOrder(t, { partnerId: branded, plan });
    const brand = {
      displayName: evil,
      color: '#ffd400',
      supportUrl: 'https://help.example/?a=1&b="',
      refillUrl: '',
      allowsReplacement: false,
      logo: null,
    };
    await t.base.db.tx((tx) => saveBrand(tx, branded, brand));
    const { text } = await at(shared.path);
    assert.ok(!text.includes('<script>alert'));
    assert.ok(text.includes('href="https://help.example/?a=1&#38;b=&#34;"'));
    assert.match(text, /--brand:#ffd400;--on-brand:#000000/);
    assert.equal((await at(`${shared.path}/logo`)).status, 404);

    await t.base.db.tx((tx) => saveBrand(tx, branded, { ...brand, logo }));
    const withLogo = (await at(shared.path)).text;
    assert.ok(!withLogo.includes('<script>alert'));
    const source = /<img src="(\/e\/[^"]+\/logo\?v=\w{8})"/.exec(withLogo)?.[1] ?? '';
    const picture = await at(source);
    assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/png']);
    assert.match(String(picture.headers['content-security-policy']), /^default-src 'none'; frame-ancestors 'none'$/);
    assert.match(String(picture.headers['cache-control']), /^private/);
    // Another partner's page carries none of it.
    assert.ok(!(await at(order.path)).text.includes('ffd400'));
    assert.equal((await at(`${order.path}/logo`)).status, 404);
  });
});

test('the log holds no link', () => {
  const logged = t.logged.join('');
  assert.ok(!/wft_[a-z]/.test(logged) && !logged.includes(order.token.slice(-20)));
});

suite('the check of a phone', () => {
  const check = async (model: string, language = 'en') =>
    (await at(`${order.path}/device?lang=${language}&model=${encodeURIComponent(model)}`)).text;
  const models = (text: string) => [...text.matchAll(/<li>((?!<a)[^<]*)<\/li>/g)].map(([, name]) => name);

  test('is a form on the page, which needs no script', async () => {
    const { text } = await at(order.path);
    assert.match(text, new RegExp(`<form class="find" action="${order.path}/device">`));
    assert.doesNotMatch(await check('iPhone'), /<script/);
  });

  test('lists the models that match, the one that was meant first, and says how to be sure', async () => {
    const { device } = languages.en;
    const text = await check('iphone 15');
    assert.deepEqual(models(text).slice(0, 2), ['Apple iPhone 15', 'Apple iPhone 15 Plus']);
    assert.ok(text.includes(device.found) && text.includes('*#06#'));
    const many = await check('galaxy');
    assert.equal(models(many).length, 12);
    assert.match(many, /And \d+ more/);
  });

  test('claims nothing about a model that is not on the list', async () => {
    const text = await check('Nokia 3310');
    assert.ok(text.includes(languages.en.device.missing) && !text.includes(languages.en.device.found));
    assert.deepEqual(models(text), []);
  });

  test('shows what was typed as text, in every language, and is gone with the page', async () => {
    for (const [code, { device, dir }] of Object.entries(languages)) {
      const text = await check('"><b>', code);
      assert.ok(text.includes(device.missing) && text.includes(`dir="${dir}"`) && !text.includes('<b>'), code);
    }
    assert.equal((await at('/e/wft_live-1-0-nothing/device?model=x')).status, 404);
  });
});

test('the typeface is ours, and only for languages whose letters it has', async () => {
  for (const [code, isOurs] of [
    ['en', true],
    ['fr', true],
    ['tr', false],
    ['ar', false],
  ] as const) {
    const { text, headers } = await at(`${order.path}?lang=${code}`);
    assert.equal(text.includes('@font-face'), isOurs, code);
    assert.equal(String(headers['content-security-policy']).includes("font-src 'self'"), isOurs, code);
  }
  const [, font = ''] = /src:url\(([^)]+)\)/.exec((await at(order.path)).text) ?? [];
  const served = await at(font);
  assert.deepEqual([served.status, served.headers['content-type']], [200, 'font/woff2']);
});
