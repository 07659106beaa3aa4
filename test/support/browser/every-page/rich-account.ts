import assert from 'node:assert/strict';
import { DAY } from '../../../../src/platform/clock.ts';
import { eventually } from '../../eventually.ts';
import type { Answer } from '../../program/app.ts';
import type { DemoApp } from '../../program/demo-app.ts';
import { run } from '../../program/operator.ts';
import { sell } from '../../sales/invoices.ts';
import { askForHelp } from '../../sales/shared-order.ts';

/** An account with data of every kind, for visiting all pages. */
export interface RichAccount {
  readonly partnerId: number;
  readonly sandbox: {
    readonly delivered: string;
    readonly used: string;
    readonly failed: string;
    readonly refunded: string;
    readonly deferred: string;
    readonly refill: string;
    readonly refundRequested: string;
    readonly iccid: string;
    /** eSIMs: in a country their plan does not cover, suspended, replaced. */
    readonly abroad: string;
    readonly suspended: string;
    readonly replaced: string;
    readonly working: string;
    readonly holding: string;
    readonly disabled: string;
    readonly deliveryId: string;
    readonly help: string;
  };
  readonly live: {
    readonly delivered: string;
    readonly iccid: string;
    readonly help: string;
    readonly invoice: string;
  };
}

/** Created through the API and operator commands, as in production. */
export async function richAccount({ t, demo, hook }: DemoApp): Promise<RichAccount> {
  const { partnerId, sandboxKey, liveKey } = demo;
  const { body: catalog } = await t.get('/catalog/products?country=JP&limit=1', { key: sandboxKey });
  const product_id = catalog.products[0].id;
  const done = ({ status, body }: Answer) => {
    assert.ok(status === 200 || status === 202, JSON.stringify(body));
    return body;
  };
  const post = async (path: string, form: Record<string, string> = {}, key = sandboxKey) =>
    done(await t.post(path, form, { key }));
  const buy = (form: Record<string, string> = {}, key = sandboxKey) =>
    post('/purchase/buy', { product_id, ...form }, key);
  const subscribe = async (path: string): Promise<string> => {
    const words = ['webhook', 'create', '--partner', `${partnerId}`, '--mode', 'sandbox', '--url', hook.url + path];
    return String((await run(t.operator(), words)).subscription_id);
  };
  const listed = async () => (await t.get('/webhook/list', { key: sandboxKey })).body.subscriptions;

  const holding = await subscribe('/holding');
  await run(t.operator(), `webhook pause ${holding}`);
  const working = await subscribe('/working');
  const delivered = await buy({ reference: 'trip-7/booking_2026-11-15_with_a_long_reference' });
  const used = await buy({ sandbox_usage: 'active' });
  await buy({ sandbox_usage: 'depleted' });
  await buy({ sandbox_usage: 'expired' });
  const failed = await buy({ sandbox_scenario: 'failed' });
  const refunded = await buy();
  await post('/order/refund', { order_id: refunded.id, reason: 'Trip cancelled' });
  const deferred = await buy({ sandbox_scenario: 'deferred' });
  const { esim } = done(await t.get(`/order/detail/${used.id}`, { key: sandboxKey }));
  const { products } = done(await t.get(`/esim/refills/${esim.iccid}`, { key: sandboxKey }));
  const refill = await post('/purchase/refill', { iccid: esim.iccid, product_id: products[0].id });
  // Two that wait for the operator.
  for (const reason of ['The phone says that the code is not valid', '']) {
    const broken = await buy();
    const found = done(await t.get(`/order/detail/${broken.id}`, { key: sandboxKey }));
    await post('/esim/replace', { iccid: found.esim.iccid, idempotency_key: `replace-${broken.id}`, reason });
  }
  const refundRequested = await post('/purchase/refill', { iccid: esim.iccid, product_id: products[0].id });
  await post('/order/refund', { order_id: refundRequested.id, reason: 'Bought twice' });
  const iccidOf = async ({ id }: { id: string }): Promise<string> =>
    done(await t.get(`/order/detail/${id}`, { key: sandboxKey })).esim.iccid;
  const abroad = await iccidOf(await buy());
  const phone = { state: 'enabled', country: 'BR', brand: 'Apple', model: 'iPhone 17' };
  await post('/sandbox/profile', { iccid: abroad, ...phone });
  const more = done(await t.get(`/esim/refills/${abroad}`, { key: sandboxKey })).products[0].id;
  await post('/esim/autorefill', { iccid: abroad, product_id: more, at_percent: '80', times: '5', max_price: '99.00' });
  const suspended = await iccidOf(await buy());
  await post('/esim/suspend', { iccid: suspended });
  const replaced = await iccidOf(await buy());
  await run(t.operator(), `partner set ${partnerId} --replacements 100.00`);
  await post('/esim/replace', { iccid: replaced, idempotency_key: 'rich', reason: 'The phone was reset' });
  await hook.got(5);

  const disabled = await subscribe('/failing');
  await run(t.operator(), `webhook pause ${working}`);
  // Also later: it is tried again by itself, and is to stay as it is.
  hook.answer = ({ path }, response) => response.writeHead(path.endsWith('/failing') ? 500 : 200).end('answered');
  for (let failure = 1; failure <= 10; failure++) {
    await post('/webhook/test');
    // One after the other: overlapping attempts count as one.
    await eventually(`failure ${failure} is counted`, async () =>
      (await listed()).some((one: { id: unknown; fail_count: string }) => {
        return String(one.id) === disabled && one.fail_count === String(failure);
      }),
    );
  }
  await run(t.operator(), `webhook resume ${working}`);

  const liveOrder = await buy({ reference: 'live-1' }, liveKey);
  const { worlds } = t.base;
  const help = await askForHelp(t, worlds.sandbox, BigInt(delivered.id), { shows: 'other' });
  const liveHelp = await askForHelp(t, worlds.live, BigInt(liveOrder.id), {
    email: 'ana@example.com',
    message: 'No internet since I landed. I have restarted the phone twice.',
  });
  const { payment_key } = await post('/account/topup', { amount: '50.00' }, liveKey);
  await run(t.operator(), `topup pay ${payment_key}`);
  await post('/account/topup', { amount: '25.00' }, liveKey);
  await run(t.operator(), `partner set ${partnerId} --balance-alert 999999`);
  await run(t.operator(), `partner set ${partnerId} --limit month=50000.00 --limit hour=5000x`);
  for (const { key_id } of await run(t.operator(), `key list --partner ${partnerId}`))
    await run(t.operator(), `key set ${key_id} --limit order=900.00 --limit day=20000.00 --limit hour=2000x`);
  const invoice = await invoiceOf(t, partnerId);
  const shown = done(await t.get(`/order/detail/${liveOrder.id}`, { key: liveKey }));
  // Delivered, so that it stays as it is and can be sent again.
  const { deliveries } = done(
    await t.get(`/webhook/deliveries?status=sent&subscription_id=${working}`, { key: sandboxKey }),
  );
  return {
    partnerId,
    sandbox: {
      delivered: delivered.id,
      used: used.id,
      failed: failed.id,
      refunded: refunded.id,
      deferred: deferred.id,
      refill: refill.id,
      refundRequested: refundRequested.id,
      iccid: esim.iccid,
      ...{ abroad, suspended, replaced },
      working,
      holding,
      disabled,
      deliveryId: String(deliveries[0].id),
      help: String(help),
    },
    live: { delivered: liveOrder.id, iccid: shown.esim.iccid, help: String(liveHelp), invoice },
  };
}

/** The invoice of a past month; '' where the settings do not say who sells. */
async function invoiceOf(t: DemoApp['t'], partnerId: number): Promise<string> {
  if (!t.base.config.invoicing.seller) return '';
  const at = new Date(t.clock.now() - 40 * DAY);
  await sell(t, partnerId, { price: 450n, at });
  const issued = await run(
    t.operator(),
    `invoice issue --partner ${partnerId} --month ${at.toISOString().slice(0, 7)}`,
  );
  return issued.numbers[0];
}
