import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { newWindow, PHONE } from '../../support/browser/browser.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';
import { credit, pausedSubscription } from '../../support/sales/shop.ts';

test('no page says what is not so', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { t: app, demo, url } = stage;
  const { partnerId, sandboxKey, liveKey } = demo;
  const operate = (words: string) => run(app.operator(), words);
  const product = async (query: string, fits: (plan: { data: string }) => boolean = () => true) =>
    (await app.get(`/catalog/products?country=JP&limit=50&${query}`, { key: sandboxKey })).body.products.find(fits).id;
  const buy = async (product_id: string, key: string, more = {}) =>
    (await app.post('/purchase/buy', { product_id, ...more }, { key })).body;
  const iccidOf = async (id: string) => (await app.get(`/order/detail/${id}`, { key: sandboxKey })).body.esim.iccid;

  const member = await stage.enter(partnerId);
  const operator = await stage.operate('admin');
  const pages = new Map<BrowserContext, Page>();
  /** In the one tab of a window: a page that stays open in another keeps asking for what is new. */
  const open = async (context: BrowserContext, path: string) => {
    const page = pages.get(context) ?? (await context.newPage());
    pages.set(context, page);
    await page.goto(url + path);
    return {
      page,
      main: page.getByRole('main'),
      says: (text: string | RegExp) => page.getByText(text).first().waitFor(),
    };
  };

  await t.test('sandbox usage is called scripted, and a used-up eSIM is not called unlimited', async () => {
    const big = await buy(await product('all_variants=1', ({ data }) => data === '3 GB'), sandboxKey);
    const endless = await buy(await product('unlimited=1'), sandboxKey, { sandbox_usage: 'depleted' });
    const one = await open(member, `/sandbox/esims/${await iccidOf(big.id)}`);
    await one.says('0 MB of 1 GB used');
    await one.says(/Sandbox usage is scripted/);
    const list = await open(member, '/sandbox/esims');
    await list.says(/Sandbox usage is scripted/);
    await list.says('1 GB used');
    const other = await open(member, `/sandbox/esims/${await iccidOf(endless.id)}`);
    await other.says('Used up');
    assert.equal(await other.main.getByText('1 GB used, unlimited').count(), 0);
  });

  const live = await product('');
  await t.test('an order whose whole price went back is refunded, for partner and operator', async () => {
    const { id } = await buy(live, liveKey);
    await operate(`order refund ${id}`);
    for (const [context, path] of [
      [member, '/live/orders'],
      [member, `/live/orders/${id}`],
      [operator, '/operator/orders'],
      [operator, `/operator/orders/${id}`],
    ] as const) {
      const { main } = await open(context, path);
      const shown = (text: string) => main.getByText(text, { exact: true }).filter({ visible: true });
      await shown('Refunded').first().waitFor();
      assert.equal(await shown('Delivered').count(), 0, path);
    }
  });

  await t.test('the operator reads why an order failed in the supplier’s words, and who gave one up', async () => {
    await operate(`supplier simulate ${live} --behaviour refuse`);
    const { id } = await buy(live, liveKey);
    const { says } = await open(operator, `/operator/orders/${id}`);
    await says(/Failed\. \w+ refused it: “plan not available”\./);
    await (await open(member, `/live/orders/${id}`)).says(/The plan could not be delivered\./);
  });

  await t.test('an order that was not charged is called failed in the list and on Insight', async () => {
    const poor = await app.partner();
    await buy(live, await app.key(poor));
    const theirs = await stage.enter(poor);
    await (await open(theirs, '/live/orders')).says('Failed');
    const { says, main } = await open(theirs, '/live/insight');
    await says('1 more failed and was not charged');
    assert.equal(await main.getByText(/refused/i).count(), 0);
  });

  await t.test('the balance of a suspended account is what is in it', async () => {
    const other = await app.partner();
    await credit(app, other, '72.83');
    await operate(`partner set ${other} --suspended true`);
    const { says, main } = await open(await stage.enter(other), '/live');
    await says('Nothing can be spent: your account is suspended.');
    assert.equal(await main.getByText('$72.83').count(), 1);
    assert.equal(await main.getByText('In the wallet').count(), 0);
  });

  await t.test('on a phone a figure has its name, and the notice counts as many failures as the page', async () => {
    const id = await pausedSubscription(app, partnerId);
    await app.base.worlds.sandbox.db.run(
      sql`update webhook_subscriptions set status = 3, fail_count = 10 where id = ${id}`,
    );
    const { page, main, says } = await open(member, '/sandbox/webhooks');
    const desktop = page.viewportSize();
    await page.setViewportSize(PHONE);
    await says(/Ten attempts in a row failed/);
    const cell = main.getByRole('cell').filter({ hasText: /^10$/ });
    assert.equal(await cell.getAttribute('data-card'), 'fact');
    if (desktop) await page.setViewportSize(desktop);
  });

  await t.test('the reference has the address of the world that is open', async () => {
    const { page, says, main } = await open(member, '/live');
    await says('Live overview');
    await page.goto(`${url}/reference/purchase_buy`);
    await says(/Put a live key in \$WAYFARE_KEY/);
    await main.getByText(`${app.base.config.liveBaseUrl.href}/purchase/buy`).first().waitFor();
    await page.goto(`${url}/reference/account_sandboxReset`);
    // Until the page knows the member's own key.
    await says(/Put a sandbox key in \$WAYFARE_KEY|It has your sandbox key/);
  });

  await t.test('finance is not offered the request log, which it may not read', async () => {
    const { page, says } = await open(await stage.enter(partnerId, 'finance'), '/live');
    await says('Live overview');
    assert.equal(await page.getByRole('link', { name: 'Request log' }).count(), 0);
  });

  await t.test('an unknown address of the console is a page that does not exist', async () => {
    const { says, main } = await open(operator, '/operator/nowhere/at-all');
    await says('Page not found');
    await main.getByRole('link', { name: 'Go to Home' }).click();
    await says('Home');
    for (const [path, title] of [
      ['catalog/nothing', 'Plan not found'],
      ['applications/999999', 'Application not found'],
    ] as const) {
      const missing = await open(operator, `/operator/${path}`);
      await missing.main.getByRole('heading', { name: title, level: 1 }).waitFor();
      assert.equal(await missing.main.getByRole('alert').count(), 0);
    }
  });

  await t.test('a link is called invalid once, and only if it is', async () => {
    const { page } = await open(await newWindow(stage.browser), '/operator/sign-in');
    const busy = { status: 429, json: { error: 'rate_limited', message: 'Wait a moment.' } };
    await page.route('**/operator/api/welcome/show', (route) => route.fulfill(busy));
    await page.goto(`${url}/operator/welcome#gone`);
    const invalid = page.getByRole('heading', { name: 'This link is no longer valid' });
    await page.getByRole('alert').waitFor();
    assert.equal(await invalid.count(), 0);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await invalid.waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  await t.test('where plans were imported, no page says that nothing was', async () => {
    const { says } = await open(operator, '/operator/catalog?tab=imports');
    await says('No import is on record');
  });

  await t.test('approving a refund does not look like rejecting it', async () => {
    const { id } = await buy(await product(''), sandboxKey, { sandbox_usage: 'active' });
    await app.post('/order/refund', { order_id: id }, { key: sandboxKey });
    const { main } = await open(operator, '/operator/refunds?mode=sandbox');
    const [approve, reject] = ['Approve refund', 'Reject refund'].map((name) => main.getByRole('button', { name }));
    await approve?.waitFor();
    const look = (of: typeof approve) => of?.getAttribute('data-variant');
    assert.notEqual(await look(approve), await look(reject));
  });
});
