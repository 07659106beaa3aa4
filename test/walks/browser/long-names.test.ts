import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { PHONE } from '../../support/browser/browser.ts';
import { cutOff } from '../../support/browser/cut-off.ts';
import { operators } from '../../support/browser/every-page/page-checks.ts';
import { startWalk } from '../../support/browser/every-page/walk.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { catalogKnows } from '../../support/sales/shop.ts';

/** In the widest letter, without a place to break a line, as long as each may be. */
const wide = (length: number): string => 'W'.repeat(length);
const name = { partner: wide(100), plan: wide(200), key: wide(60), reference: wide(64), url: `/${wide(400)}` };
const email = `${'w'.repeat(64)}@${'w'.repeat(60)}.example.com`;

test('names as long as they may be fit on a phone, in the panel and the console', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage({ config: { site: operators } });
  const { t: app, url, demo, hook } = stage;
  const { partnerId } = demo;
  const operate = (...words: string[]) => run(app.operator(), words);
  await operate('partner', 'set', String(partnerId), '--name', name.partner);
  const plan = await testPlan(app, { title: name.plan });
  await catalogKnows(app, plan.alias);
  const key = await app.key(partnerId, 'sandbox', { name: name.key });
  const form = { product_id: plan.alias, reference: name.reference };
  const { body: bought } = await app.post('/purchase/buy', form, { key });
  const items = JSON.stringify([{ ...form, quantity: 2 }]);
  const { body: batch } = await app.post('/purchase/batch', { items, idempotency_key: wide(64) }, { key });
  const { iccid } = (await app.get(`/order/detail/${bought.order_id}`, { key })).body.esim;
  await app.post('/order/refund', { order_id: bought.order_id, reason: wide(200) }, { key });
  const { subscription_id } = await operate(
    ...['webhook', 'create', '--partner', String(partnerId), '--mode', 'sandbox', '--url', hook.url + name.url],
  );

  async function fits(context: BrowserContext, start: string, paths: readonly string[]): Promise<void> {
    const walk = await startWalk(context, url + start);
    for (const address of paths) {
      await walk.glance({ address }, 'without axe');
      walk.found.push(...(await cutOff(walk.page)).map((text) => `${address}: ${text}`));
    }
    assert.equal(walk.page.viewportSize()?.width, PHONE.width);
    assert.deepEqual(walk.found, []);
  }

  await t.test('in the panel', async () => {
    await fits(await stage.enter(partnerId, 'owner', email), '/sandbox', [
      '/sandbox',
      '/sandbox/orders',
      `/sandbox/orders?batch=${batch.batch_id}`,
      `/sandbox/orders/${bought.order_id}`,
      '/sandbox/esims',
      `/sandbox/esims/${iccid}`,
      `/sandbox/catalog?search=${plan.alias}`,
      '/sandbox/insight',
      '/sandbox/requests',
      '/sandbox/webhooks',
      `/sandbox/webhooks/${subscription_id}`,
      '/sandbox/money?tab=statement',
      '/keys',
      '/settings',
      '/traveller-page',
    ]);
  });

  await t.test('in the console', async () => {
    await fits(await stage.operate('admin'), '/operator', [
      '/operator',
      '/operator/orders?mode=sandbox',
      `/operator/orders/${bought.order_id}?mode=sandbox`,
      '/operator/refunds?mode=sandbox',
      '/operator/refunds?mode=sandbox&status=refunded',
      '/operator/partners',
      `/operator/partners/${partnerId}`,
      ...['money', 'keys', 'webhooks', 'members'].map((tab) => `/operator/partners/${partnerId}?tab=${tab}`),
      `/operator/catalog?q=${plan.alias}`,
      `/operator/catalog/${plan.alias}`,
      '/operator/webhooks',
      '/operator/audit',
    ]);
  });

  await t.test('in the dialog that buys it', async () => {
    const walk = await startWalk(await stage.enter(partnerId), `${url}/sandbox/catalog?search=${plan.alias}`);
    await walk.page.setViewportSize(PHONE);
    await walk.page.getByRole('button', { name: /^Buy: / }).click();
    await walk.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Buy for/ })
      .waitFor();
    assert.deepEqual(await cutOff(walk.page), []);
  });
});
