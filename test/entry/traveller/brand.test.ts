import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { pngOf } from '../../support/browser/png.ts';
import { testApp } from '../../support/program/app.ts';
import { type Browser, browser, signedIn } from '../../support/program/panel.ts';
import { PRICE, testPlan } from '../../support/sales/paid-order.ts';
import { pageOf, sharedOrder } from '../../support/sales/shared-order.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const plan = await testPlan(t);
const [partnerId, strangerId] = [await t.partner(), await t.partner()];
const [ana, stranger] = [await signedIn(t, partnerId), await signedIn(t, strangerId)];

const base64 = (text: string) => Buffer.from(text).toString('base64');
const drawing = pngOf(9, 3).toString('base64');
const form = { display_name: 'Nomad', color: '#0B5D7A', support_url: 'https://help.example/', logo: drawing };
const NONE = {
  display_name: '',
  color: '',
  support_url: '',
  refill_url: '',
  allows_replacement: false,
  has_logo: false,
};
const brandOf = async (who: Browser) => (await who.get('/api/brand')).body.brand;
const lastEntry = () =>
  t.base.db.one<{ who: string; what: string; target: string; before: unknown; after: Record<string, unknown> }>(
    sql`select who, what, target, before, after from audit_log order by id desc limit 1`,
  );

suite('the brand of a partner', () => {
  test('is set by a member, kept by the next change, and in the audit log without the logo', async () => {
    assert.deepEqual(await brandOf(ana), NONE);
    const { status, body } = await ana.post('/api/brand', form);
    const saved = {
      ...NONE,
      display_name: 'Nomad',
      color: '#0b5d7a',
      support_url: 'https://help.example/',
      has_logo: true,
    };
    assert.deepEqual([status, body.brand], [200, saved]);
    const { logo: _logo, ...texts } = form;
    await ana.post('/api/brand', { ...texts, display_name: 'Nomad Mobile' });
    assert.deepEqual(await brandOf(ana), { ...saved, display_name: 'Nomad Mobile' });
    const entry = await lastEntry();
    assert.deepEqual([entry.what, entry.target], ['brand set', `partner ${partnerId}`]);
    assert.match(entry.who, /^member:/);
    assert.match(String(entry.after.logo), /^[0-9a-f]{16}$/);
    await ana.post('/api/brand', { ...texts, refill_url: 'https://Shop.Example/{iccid}' });
    await ana.post('/api/brand', { ...texts, logo: null });
    assert.equal((await brandOf(ana)).refill_url, 'https://shop.example/{iccid}', 'a form without it leaves it');
    await ana.post('/api/brand', { ...texts, allows_replacement: true });
    await ana.post('/api/brand', { ...texts, refill_url: '' });
    assert.equal((await brandOf(ana)).allows_replacement, true, 'a form without it leaves it');
    assert.equal((await brandOf(ana)).refill_url, '');
    assert.equal((await brandOf(ana)).has_logo, false);
  });

  test('an SVG logo of an earlier version is shown no longer, and goes with the next change', async () => {
    await stranger.post('/api/brand', form);
    const stored = () =>
      t.base.db.one<{ type: string | null }>(
        sql`select logo_type as type from shared.brands where partner_id = ${strangerId}`,
      );
    await t.base.db.run(sql`update shared.brands set logo_type = 'image/svg+xml' where partner_id = ${strangerId}`);
    assert.equal((await brandOf(stranger)).has_logo, false);
    const { logo: _logo, ...texts } = form;
    await stranger.post('/api/brand', texts);
    assert.deepEqual([(await brandOf(stranger)).has_logo, (await stored()).type], [false, null]);
    await t.base.db.run(sql`delete from shared.brands where partner_id = ${strangerId}`);
  });

  test('cannot be seen or changed by anyone else', async () => {
    await ana.post('/api/brand', form);
    assert.deepEqual(await brandOf(stranger), NONE);
    await stranger.post('/api/brand', { ...form, display_name: 'Other' });
    assert.equal((await brandOf(ana)).display_name, 'Nomad');
    assert.equal((await browser(t).get('/api/brand')).status, 401);
    for (const path of ['/api/brand', '/api/brand/preview'])
      assert.equal((await browser(t).post(path, { ...form, language: 'en', state: 'active' })).status, 401, path);
    const foreign = await ana.post('/api/brand', form, { headers: { origin: 'https://evil.example' } });
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'cross_origin']);
  });

  test('what is wrong is refused with its reason, and changes nothing', async () => {
    await ana.post('/api/brand', form);
    const wrong = {
      invalid_color: { color: 'red' },
      invalid_support_url: { support_url: 'javascript:alert(1)' },
      invalid_refill_url: { refill_url: 'https://{iccid}.example/' },
      invalid_name: { display_name: 'a\u202eb' },
      name_too_long: { display_name: 'a'.repeat(61) },
      invalid_logo: { logo: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      logo_too_large: { logo: Buffer.alloc(100 * 1024 + 1).toString('base64') },
      invalid_input: { color: 7 },
    };
    const { logo: _logo, ...texts } = form;
    for (const [code, change] of Object.entries(wrong)) {
      const { status, body } = await ana.post('/api/brand', { ...form, ...change });
      assert.deepEqual([status, body.error.code], [400, code], code);
      if ('logo' in change) continue;
      const previewed = await ana.post('/api/brand/preview', { ...texts, ...change, language: 'en', state: 'active' });
      assert.deepEqual([previewed.status, previewed.body.error.code], [400, code], `preview ${code}`);
    }
    assert.equal((await ana.post('/api/brand', { ...form, logo: 'not base64!' })).body.error.code, 'invalid_logo');
    assert.equal((await brandOf(ana)).display_name, 'Nomad');
  });

  test('the preview is the page itself with the draft, saves nothing and can fetch nothing', async () => {
    await ana.post('/api/brand', form);
    const { logo: _logo, ...texts } = form;
    const draft = { ...texts, display_name: '<b>Draft</b>', color: '#ffd400', language: 'ar', state: 'active' };
    const { status, body } = await ana.post('/api/brand/preview', draft);
    assert.equal(status, 200);
    for (const part of ['dir="rtl"', '--brand:#ffd400', 'data:image/png;base64,', '&#60;b&#62;Draft'])
      assert.ok(body.html.includes(part), part);
    assert.doesNotMatch(body.html, /<script|data-from|ping=|<b>Draft/);
    assert.equal((await brandOf(ana)).display_name, 'Nomad');
    assert.equal((await ana.post('/api/brand/preview', { ...draft, language: 'xx' })).body.error.code, 'invalid_input');
  });

  test('a file is sent once, to be saved: the preview, asked for with every letter typed, takes none', async () => {
    await ana.post('/api/brand', form);
    const { logo: _logo, ...texts } = form;
    const preview = async (logo: string | null) =>
      (await ana.post('/api/brand/preview', { ...texts, logo, language: 'en', state: 'active' })).body;
    assert.equal((await preview(drawing)).error.code, 'invalid_input');
    assert.ok((await preview('new')).html.includes('<img src="data:image/png;base64,"'), 'an empty place for it');
    assert.doesNotMatch((await preview(null)).html, /class="brand"><img/);
  });
});

test('a body large enough for a logo counts towards the limit before it is parsed, so also if it is none', async () => {
  const eager = await signedIn(t, await t.partner());
  const large = { ...form, logo: Array.from({ length: 40_000 }, () => ({})) };
  t.clock.freeze();
  for (let i = 0; i < 30; i += 1)
    assert.equal((await eager.post('/api/brand', large)).body.error.code, 'invalid_input');
  const { status, body } = await eager.post('/api/brand', large);
  assert.deepEqual([status, body.error.code], [429, 'too_many_attempts']);
});

suite('the link of an order', () => {
  for (const [mode, world] of [
    ['live', live],
    ['sandbox', sandbox],
  ] as const)
    test(`is shown, revoked and made again, in ${mode}`, async () => {
      const order = await sharedOrder(t, { partnerId, plan, world });
      const address = `/api/${mode}/orders/${order.id}/share`;
      const link = async () => (await ana.get(address)).body.share;
      const opened = async () => (await t.ask(order.path, { host: 'panel' })).status;
      assert.deepEqual(await link(), {
        url: `http://panel.test${order.path}`,
        shareable: true,
        revoked_at: null,
        views: 0,
        installs_opened: 0,
        mail_on: false,
      });
      assert.equal(await opened(), 200);
      assert.equal((await ana.post(`${address}/revoke`)).body.share.url, null);
      assert.equal(await opened(), 404);
      const { revoked_at } = await link();
      assert.equal((await ana.post(`${address}/revoke`)).body.share.revoked_at, revoked_at);
      const renewed = (await ana.post(`${address}/renew`)).body.share;
      assert.equal(renewed.url, `http://panel.test${(await pageOf(world, order.id)).path}`);
      assert.deepEqual([renewed.revoked_at, await opened()], [null, 404]);
      assert.equal((await t.ask(new URL(renewed.url).pathname, { host: 'panel' })).status, 200);
      const { what, target, before, after: now } = await lastEntry();
      assert.deepEqual([what, target], ['share renew', `order ${order.id}`]);
      assert.deepEqual(now, { mode, generation: 1, revoked_at: null });
      assert.ok(!JSON.stringify([before, now]).includes('wft_'));
    });

  test('another partner’s order is answered as one that does not exist, and nothing happens to it', async () => {
    const order = await sharedOrder(t, { partnerId, plan });
    const none = await stranger.get('/api/live/orders/999999/share');
    assert.deepEqual([none.status, none.body.error.code], [404, 'order_not_found']);
    for (const id of [order.id, 'x', '-1', '0', '9'.repeat(20)]) {
      assert.equal((await stranger.get(`/api/live/orders/${id}/share`)).text, none.text);
      for (const verb of ['revoke', 'renew'])
        assert.equal((await stranger.post(`/api/live/orders/${id}/share/${verb}`)).text, none.text);
    }
    assert.equal((await stranger.get(`/api/elsewhere/orders/${order.id}/share`)).status, 404);
    assert.equal((await browser(t).post(`/api/live/orders/${order.id}/share/revoke`)).status, 401);
    assert.equal((await t.ask(order.path, { host: 'panel' })).status, 200);
  });

  test('an order without a page says so, and gets no link', async () => {
    const order = await sharedOrder(t, { partnerId, plan });
    await live.db.run(sql`update orders set refunded = ${PRICE} where id = ${order.id}`);
    const address = `/api/live/orders/${order.id}/share`;
    const { url, shareable } = (await ana.get(address)).body.share;
    assert.deepEqual([url, shareable], [null, false]);
    const { status, body } = await ana.post(`${address}/renew`);
    assert.deepEqual([status, body.error.code], [409, 'not_shareable']);
  });
});
