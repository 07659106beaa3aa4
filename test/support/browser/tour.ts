import assert from 'node:assert/strict';
import type { Example, Recorded } from '../../../openapi/recorded.ts';
import { eventNames } from '../../../src/domains/messages/events/events.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { DAY, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { TestClock } from '../clock.ts';
import { eventually } from '../eventually.ts';
import { record } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { batchOf, entry, stockedApp } from '../sales/catalog.ts';
import { invoicing } from '../sales/invoices.ts';
import { charge, delivered, keepReading, posted } from '../sales/sales.ts';
import { askForHelp } from '../sales/shared-order.ts';
import { revenueShare } from '../sales/shares.ts';
import { credit } from '../sales/shop.ts';
import { receiver } from '../servers/receiver.ts';

const operator = {
  title: 'Kaigan Mobile',
  networks: ['Kaigan', 'Docomo'],
  activation_policy: 'first-usage',
  plan_type: 'data',
  esim_type: 'Prepaid',
  is_roaming: true,
  rechargeability: true,
  apn_type: 'automatic',
  apn_value: 'internet',
  info: ['Data only: no phone number.'],
};

const japan = { destination: 'JP', operator, network_type: '5G' as const, coverage: ['JP'] };

/** What a small shop sells: plans of two countries and a region, and a refill. */
export const tourPlans = () => [
  entry({ ...japan, code: 'jp-1', title: 'Japan 1 GB, 7 days', price: '4.50', cost: '2.100000' }),
  entry({
    ...japan,
    code: 'jp-10',
    title: 'Japan 10 GB, 30 days',
    amount: 10240,
    day: 30,
    price: '19.00',
    cost: '9.400000',
  }),
  entry({
    code: 'eu-5',
    title: 'Europe 5 GB, 15 days',
    destination: 'europe',
    amount: 5120,
    day: 15,
    price: '12.00',
    coverage: ['FR', 'TR'],
  }),
  entry({
    ...japan,
    code: 'jp-more',
    title: 'Japan: 3 GB more',
    amount: 3072,
    day: 15,
    price: '8.00',
    refills: ['jp-1'],
  }),
];

interface Asked {
  readonly name?: string;
  readonly summary: string;
  readonly param?: string | number;
  readonly fields?: Readonly<Record<string, string>>;
}

/**
 * Calls every endpoint as a partner would, and receives every event. What it records are the examples of the API's description:
 * `npm run examples` writes them to a file, and a test repeats the tour and compares.
 */
export async function tour(): Promise<Recorded> {
  const clock = new TestClock();
  clock.advance(Date.UTC(2026, 2, 1, 12) - clock.now());
  await using hook = await receiver();
  await using t = await stockedApp([batchOf(tourPlans())], {
    clock,
    config: {
      webhookTrustedHosts: [hook.host],
      panelUrl: new URL('https://esim.example.com'),
      invoicing,
    },
  });
  const answers: Record<string, Example[]> = {};
  const operate = (line: string) => run(t.operator(), line);

  const caller = (key: string) => async (path: string, asked: Asked) => {
    const { name = 'usual', summary, param, fields = {} } = asked;
    const sent = new URLSearchParams(fields).toString();
    const at = param === undefined ? path : `${path.replace(/\/\{\w+\}$/, '')}/${param}`;
    const endpoint = endpoints.find((one) => one.path === path);
    const { status, headers, body } = await (endpoint?.verb === 'GET'
      ? t.get(sent === '' ? at : `${at}?${sent}`, { key })
      : t.post(at, { ...fields }, { key }));
    assert.equal('etag' in headers, Boolean(endpoint?.hasTag), `${path} has an ETag`);
    if (body.result !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
    const example = { name, summary, ...(param === undefined ? {} : { param: String(param) }), fields, status, body };
    answers[path] = [...(answers[path] ?? []), example];
    return body;
  };

  // In the sandbox: a partner with a webhook for all events.
  const partnerId = await t.partner({ name: 'Kite Travel' });
  const key = await t.key(partnerId, 'sandbox');
  const ask = caller(key);
  await operate(`partner set ${partnerId} --balance-alert 10`);
  const made = await operate(
    `webhook create --partner ${partnerId} --mode sandbox --url http://${hook.host}/hook --events ${eventNames.join(',')}`,
  );
  record('secrets', `${made.secret}\n`);
  const [small, large, more] = await Promise.all(['jp-1', 'jp-10', 'jp-more'].map((code) => t.alias(code)));
  const product_id = small ?? '';

  await ask('/catalog/countries', { summary: 'Every destination' });
  await ask('/catalog/products', {
    summary: 'Plans for Japan of at most 7 days',
    fields: { country: 'JP', max_day: '7' },
  });
  await ask('/catalog/product', { summary: 'One plan', param: product_id });
  const { version } = await ask('/catalog/export', { summary: 'The whole catalog' });
  await ask('/catalog/changes', { summary: 'Nothing changed', fields: { since: version } });
  await ask('/catalog/devices', { summary: 'Does my phone take an eSIM?', fields: { search: 'pixel 8' } });
  await ask('/purchase/quote', { summary: 'What a plan would cost', fields: { product_id } });
  await ask('/account/balance', { summary: 'The sandbox balance' });
  await ask('/account/pricing', { summary: 'No tier reached yet', name: 'default' });
  await ask('/account/sandboxBalance', { summary: 'Set the balance', fields: { operation: 'set', amount: '100' } });
  const paid = await ask('/account/topup', { summary: 'Open a payment', fields: { amount: '50' } });
  await ask('/account/topupConfirm', { summary: 'Credited', fields: { payment_key: paid.payment_key } });

  const terms = { product_id, idempotency_key: 'booking-4711-1', reference: 'booking-4711' };
  const bought = await ask('/purchase/buy', { name: 'delivered', summary: 'Delivered at once', fields: terms });
  await ask('/purchase/buy', {
    name: 'deferred',
    summary: 'Paid, and on its way',
    fields: { product_id, idempotency_key: 'booking-4712-1', sandbox_scenario: 'deferred' },
  });
  await ask('/purchase/buy', {
    name: 'failed',
    summary: 'Will not be delivered',
    fields: { product_id, idempotency_key: 'booking-4713-1', sandbox_scenario: 'failed' },
  });
  const items = [{ product_id, quantity: 2, reference: 'group-4714' }, { product_id: large }];
  const { batch_id } = await ask('/purchase/batch', {
    summary: 'Three eSIMs, charged at once',
    fields: { items: JSON.stringify(items), idempotency_key: 'group-4714-1' },
  });
  await ask('/purchase/batch/{id}', { summary: 'A batch as it stands', param: batch_id });
  const { esim } = await ask('/order/detail', { summary: 'A delivered order', param: bought.order_id });
  await ask('/esim/refills', { summary: 'What can be added', param: esim.iccid });
  await ask('/purchase/refill', {
    summary: 'Delivered at once',
    fields: { iccid: esim.iccid, product_id: more ?? '', idempotency_key: 'booking-4711-2' },
  });
  await ask('/purchase/refill', {
    name: 'deferred',
    summary: 'Paid, and on its way',
    fields: {
      iccid: esim.iccid,
      product_id: more ?? '',
      idempotency_key: 'booking-4711-3',
      sandbox_scenario: 'deferred',
    },
  });
  const active = await t.post('/purchase/buy', { product_id, sandbox_usage: 'active' }, { key });
  const used = await t.get(`/order/detail/${active.body.order_id}`, { key });
  await ask('/order/usage', { summary: 'Half of the data is used', param: used.body.esim.iccid });
  const { iccid } = used.body.esim;
  const phone = { state: 'enabled', country: 'JP', brand: 'Apple', model: 'iPhone 17' };
  await ask('/sandbox/profile', { summary: 'Switched on in Japan', fields: { iccid, ...phone } });
  await ask('/esim/detail', { summary: 'An eSIM in use', param: iccid });
  await ask('/esim/suspend', { summary: 'The phone was lost', fields: { iccid } });
  await ask('/esim/resume', { summary: 'The phone was found', fields: { iccid } });
  await askForHelp(t, t.base.worlds.sandbox, BigInt(active.body.order_id), {
    email: 'traveller@example.com',
    message: 'No internet since I landed.',
  });
  await t.post('/sandbox/profile', { iccid, state: 'deleted' }, { key });
  const spent = await t.post('/purchase/buy', { product_id, sandbox_usage: 'depleted' }, { key });
  const empty = (await t.get(`/order/detail/${spent.body.order_id}`, { key })).body.esim.iccid;
  const rule = { iccid: empty, product_id: more ?? '', at_percent: '80', times: '1', max_price: '9.00' };
  await ask('/esim/autorefill', { summary: 'All data is used, so the only refill is bought at once', fields: rule });
  await ask('/esim/autorefill', { name: 'off', summary: 'The rule is ended', fields: { iccid: empty, off: '1' } });
  await t.post('/purchase/buy', { product_id, sandbox_usage: 'expired' }, { key });
  await ask('/esim/list', { summary: 'The newest two eSIMs', fields: { limit: '2' } });
  await ask('/order/get', { summary: 'Orders with a reference', fields: { reference: 'booking-4711' } });
  const spare = await t.post('/purchase/buy', { product_id: large ?? '' }, { key });
  await operate(`partner set ${partnerId} --replacements 100.00`);
  const dead = await t.post('/purchase/buy', { product_id, reference: 'booking-4715' }, { key });
  const broken = await t.get(`/order/detail/${dead.body.order_id}`, { key });
  await ask('/esim/replace', {
    summary: 'An eSIM that cannot be installed',
    fields: {
      iccid: broken.body.esim.iccid,
      idempotency_key: 'replace-4715-1',
      reason: 'The phone shows an error when the eSIM is installed',
    },
  });
  await ask('/order/refund', {
    summary: 'An eSIM that was never used',
    fields: { order_id: String(spare.body.order_id), reason: 'The trip was cancelled' },
  });
  // One that was used: the operator decides, and refuses.
  await t.post('/order/refund', { order_id: String(active.body.order_id), reason: 'Too slow' }, { key });
  await operate(`refund reject ${active.body.order_id} --mode sandbox --note used`);
  const waiting = await t.post('/purchase/buy', { product_id, sandbox_scenario: 'deferred' }, { key });
  await ask('/order/cancel', {
    summary: 'An order that waits for its eSIM',
    fields: { order_id: String(waiting.body.order_id) },
  });
  // Under the level, then far above it.
  await t.post('/account/sandboxBalance', { operation: 'set', amount: '12' }, { key });
  await t.post('/purchase/buy', { product_id }, { key });

  // What a key may spend, and a price that changes.
  const [{ key_id }] = await operate(`key list --partner ${partnerId}`);
  await operate(`key set ${key_id} --limit day=500.00 --limit order=10.00`);
  await eventually('the limits are known', async () => {
    return (await t.get('/account/limits', { key })).body.limits.length === 2;
  });
  await ask('/account/limits', { summary: 'Two limits of the key' });
  await t.post('/purchase/buy', { product_id: large ?? '' }, { key });
  await operate(`key set ${key_id} --limit none`);
  await operate(`pricing rule add --scope product --target ${product_id} --partner ${partnerId} --price 4.25`);

  await ask('/webhook/list', { summary: 'One subscription' });
  await ask('/webhook/test', { summary: 'To every active subscription' });
  await ask('/webhook/probe', {
    summary: 'The receiver accepted it',
    fields: { url: hook.url, event: 'order.delivered' },
  });

  const manage = caller(await t.key(partnerId, 'sandbox', { permissions: ['webhooks'] }));
  const { subscription, secret } = await manage('/webhook/create', {
    summary: 'The secret is shown this once',
    fields: { url: `http://${hook.host}/webhooks`, events: 'order.delivered,order.failed' },
  });
  const { id } = subscription;
  await manage('/webhook/update', { summary: 'Other events', fields: { id, events: 'order.delivered' } });
  await manage('/webhook/pause', { summary: 'Events are held', fields: { id } });
  await manage('/webhook/resume', { summary: 'Held events follow', fields: { id } });
  const rotated = await manage('/webhook/rotate', { summary: 'A new secret', fields: { id } });
  await manage('/webhook/rotate', {
    name: 'finish',
    summary: 'The old secret signs nothing any more',
    fields: { id, finish: '1' },
  });
  await manage('/webhook/delete', { summary: 'It receives nothing any more', fields: { id } });
  record('secrets', `${secret}\n${rotated.secret}\n`);

  // From the table: asking the API this often would exceed its rate limit on a slow machine.
  const missing = async () => {
    const rows = await t.base.worlds.sandbox.db.query<{ event: string }>(sql`
      select distinct event_type as event from webhook_deliveries where partner_id = ${partnerId} and status = 'sent'`);
    const sent = new Set(rows.map(({ event }) => event));
    return eventNames.filter((name) => !sent.has(name));
  };
  const all = (but: string[]) =>
    eventually('every event was sent', async () => (await missing()).every((name) => but.includes(name)));
  const ofInvoices = eventNames.filter((name) => name.startsWith('invoice.'));
  await all(['esim.expiring', ...ofInvoices]);
  // The last day of the eSIM that is in use.
  await ask('/sandbox/clock', { summary: 'Six days later', fields: { advance: String((6 * DAY) / SECOND) } });
  await all(ofInvoices);
  // The month is over.
  await t.post('/sandbox/clock', { advance: String((26 * DAY) / SECOND) }, { key });
  const { invoices } = await ask('/invoice/list', { summary: 'The invoice of the month' });
  const { number } = invoices[0];
  await ask('/invoice/detail', { summary: 'With its lines', param: number });
  for (const kind of ['pdf', 'xml'])
    assert.equal((await t.get(`/invoice/${kind}/${number}`, { key })).headers['content-type'], `application/${kind}`);
  await ask('/sandbox/invoice', { summary: 'As if it were overdue', fields: { number, event: 'invoice.overdue' } });
  await ask('/sandbox/invoice', { name: 'void', summary: 'Void it', fields: { number, event: 'invoice.voided' } });
  await all([]);
  const { deliveries } = (await t.get('/webhook/deliveries?limit=200', { key })).body;
  const events: Record<string, Recorded['events'][string]> = {};
  for (const { id, event_type } of [...deliveries].reverse()) {
    if (events[event_type]) continue;
    const { payload } = (await t.get(`/webhook/deliveries?id=${id}`, { key })).body;
    events[event_type] = JSON.parse(payload);
  }
  await ask('/sandbox/clock', { name: 'reset', summary: 'Back to real time', fields: { reset: '1' } });
  const [latest] = (await t.get('/webhook/deliveries?event=order.delivered&limit=1', { key })).body.deliveries;
  await ask('/webhook/deliveries', {
    name: 'list',
    summary: 'The latest delivery of an event',
    fields: { event: 'order.delivered', limit: '1' },
  });
  await ask('/webhook/deliveries', { name: 'one', summary: 'One delivery with its body', fields: { id: latest.id } });
  await ask('/account/sandboxReset', { summary: 'Start over' });

  // Live: what the sandbox answers with empty lists.
  const prepaid = await t.partner({ name: 'Kite Travel' });
  const live = caller(await t.key(prepaid));
  await credit(t, prepaid, '1500.00');
  await t.post('/purchase/buy', { product_id }, { key: await t.key(prepaid) });
  await operate(`partner set ${prepaid} --revenue-share 50`);
  const sale = await delivered(t, prepaid, { amountMb: 5120, costMicros: 10_000_000n, listPrice: 5000n });
  await keepReading(t, sale, { usedMb: 3072, expiresAt: clock.now() - 4 * DAY });
  await revenueShare(t).settle(clock.now());
  await live('/account/history', { summary: 'The latest movements', fields: { limit: '3' } });
  await live('/account/profitshare', { summary: 'One share, settled' });
  await live('/account/pricing', { summary: 'The first tier is reached', name: 'tier' });
  const postpaid = await t.partner({ name: 'Kite Travel', billing: 'postpaid' });
  await operate(`partner set ${postpaid} --credit-limit 500`);
  await posted(t, postpaid, [charge(2450n, sale.orderId)]);
  await caller(await t.key(postpaid))('/account/statement', { summary: 'One charge' });

  const text = JSON.stringify({ answers, events }).replaceAll(`http://${hook.host}`, 'https://shop.example.com');
  return JSON.parse(text);
}
