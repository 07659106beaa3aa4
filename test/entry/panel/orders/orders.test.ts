import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { browser, signedIn, signedInAs } from '../../../support/program/panel.ts';
import { paidOrder } from '../../../support/sales/paid-order.ts';
import { refill, refillShop, shopperIn } from '../../../support/sales/refills.ts';
import { buy, pausedSubscription } from '../../../support/sales/shop.ts';

const t = await refillShop();
after(() => t[Symbol.asyncDispose]());
const shopper = await shopperIn(t, 'live');
const { partnerId, key } = shopper;
const ana = await signedIn(t, partnerId);
const stranger = await signedIn(t, await t.partner());
const plan = await t.alias('tr-1');
const bought = async (more: Record<string, string> = {}, by = key) => (await buy(t, by, plan, more)).body;

/** Paid, and then given up by the operator. */
async function failedAfterPayment(): Promise<string> {
  const row = await t.base.db.one<{ id: number; alias: string; code: string }>(
    sql`select id, alias, supplier_plan as code from plans where alias = ${plan}`,
  );
  const { id } = await paidOrder(t, { partnerId, plan: row });
  await run(t.operator(), `order fail ${id}`);
  return String(id);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is there.
const linesOf = async (query = '', who = ana, mode = 'live'): Promise<any[]> =>
  (await who.get(`/api/${mode}/orders${query}`)).body.orders;
const idsOf = async (query: string): Promise<string[]> => (await linesOf(query)).map(({ id }) => id);
const moneyOf = async (id: string, who = ana) => (await who.get(`/api/live/orders/${id}/money`)).body;

const delivered = (await bought({ reference: 'trip-1' })).id;
const failed = await failedAfterPayment();
const { iccid } = (await t.get(`/order/detail/${delivered}`, { key })).body.esim;
const added = (await refill(t, shopper, { iccid })).body.id;
const partly = (await bought()).id;
await ana.v3('live', '/order/refund', { order_id: added, reason: 'too slow' });
await run(t.operator(), `refund approve ${added} --amount 1.00 --note half`);

suite('the list', () => {
  test('has failed orders among the others, newest first, and says of each what it cost in the end', async () => {
    assert.deepEqual(await idsOf(''), [partly, added, failed, delivered]);
    const lines = new Map((await linesOf()).map((line) => [line.id, line]));
    const costOf = (id: string) => {
      const { state, type, charged, returned, paid, price } = lines.get(id);
      return [state, type, charged === price, returned, paid === price];
    };
    assert.deepEqual(costOf(delivered), ['delivered', 'esim', true, '0.00', true]);
    assert.deepEqual(costOf(added), ['delivered', 'refill', true, '1.00', false]);
    assert.equal(lines.get(added).paid, (Number(lines.get(added).price) - 1).toFixed(2));
    const { price, reason, paid, returned } = lines.get(failed);
    assert.deepEqual([reason, returned, paid], ['provider_rejected', price, '0.00']);
  });

  test('an order that was refused for lack of money was never charged', async () => {
    const poor = await t.partner();
    const pia = await signedIn(t, poor);
    const { status } = await buy(t, await t.key(poor), plan);
    assert.equal(status, 402);
    const [line] = await linesOf('', pia);
    assert.deepEqual(
      [line.state, line.reason, line.charged, line.returned, line.paid],
      ['failed', 'insufficient_balance', '0.00', '0.00', '0.00'],
    );
    const { lines, charged, reason } = await moneyOf(line.id, pia);
    assert.deepEqual([lines, charged, reason], [[], '0.00', 'insufficient_balance']);
  });

  test('holds no activation data', async () => {
    const { text } = await ana.get('/api/live/orders');
    assert.doesNotMatch(text, /LPA:|qrcode|smdp|matching/i);
  });

  test('is filtered by status, reference, eSIM, plan, day and key, and goes on before an id', async () => {
    assert.deepEqual(await idsOf('?status=failed'), [failed]);
    assert.deepEqual(await idsOf('?status=delivered'), [partly, added, delivered]);
    assert.deepEqual(await idsOf('?reference=trip-1'), [delivered]);
    assert.deepEqual(await idsOf(`?iccid=${iccid}`), [added, delivered]);
    assert.deepEqual(await idsOf(`?product_id=${await t.alias('more')}`), [added]);
    assert.deepEqual(await idsOf(`?before=${failed}`), [delivered]);
    const day = (offset: number) => new Date(t.clock.now() + offset * DAY).toISOString().slice(0, 10);
    assert.equal((await idsOf(`?from=${day(0)}&to=${day(0)}`)).length, 4, 'the last day is meant, too');
    assert.deepEqual(await idsOf(`?from=${day(1)}`), []);
    assert.deepEqual(await idsOf(`?to=${day(-1)}`), []);
    const other = await t.key(partnerId);
    const { id } = await bought({}, other);
    const [{ key_id: keyId }] = await linesOf();
    assert.deepEqual(await idsOf(`?key=${keyId}`), [id]);
    const { body } = await ana.get(`/api/live/orders?key=${keyId}`);
    assert.deepEqual([body.has_more, body.looked_to], [false, null]);
    // Not recorded: the test wrote it without a purchase.
    assert.equal((await linesOf('?status=failed'))[0].key_id, null);
  });

  test('pages of a chosen length say whether there is more', async () => {
    const { body } = await ana.get('/api/live/orders?limit=2');
    assert.deepEqual([body.orders.length, body.has_more], [2, true]);
    const rest = await ana.get(`/api/live/orders?limit=100&before=${body.orders[1].id}`);
    assert.equal(rest.body.has_more, false);
  });

  test('wrong input gets the exact error', async () => {
    const refusals = {
      'status=lost': 'invalid_status',
      'iccid=12x': 'invalid_iccid',
      'product_id=1': 'invalid_product_id',
      [`reference=${'x'.repeat(201)}`]: 'invalid_reference',
      'from=2026-02-30': 'invalid_date',
      'from=0000-01-01': 'invalid_date',
      'to=tomorrow': 'invalid_date',
      'from=2026-02-03&to=2026-02-01': 'invalid_range',
      'key=-1': 'invalid_key',
      'before=0': 'invalid_before',
      'limit=101': 'invalid_limit',
      'reference=%00': 'malformed_request',
      'status=failed&status=paid': 'malformed_request',
    };
    for (const [query, code] of Object.entries(refusals)) {
      const { status, body } = await ana.get(`/api/live/orders?${query}`);
      assert.deepEqual([status, body.error.code], [400, code], query);
    }
  });
});

suite('an order’s money', () => {
  test('of a failed order: what was charged, what went back and why', async () => {
    const { lines, reason, failed_at, ...sums } = await moneyOf(failed);
    assert.deepEqual([sums.charged, sums.returned, sums.paid, reason], ['9.00', '9.00', '0.00', 'provider_rejected']);
    assert.ok(failed_at);
    assert.deepEqual(
      lines.map(({ book, type, amount }: Record<string, string>) => [book, type, amount]),
      [
        ['wallet', 'purchase', '-9.00'],
        ['wallet', 'refund', '9.00'],
      ],
    );
  });

  test('names the key that bought it', async () => {
    const { key_id, idempotency_key, lines } = await moneyOf(delivered);
    const { id } = await t.base.db.one<{ id: number }>(
      sql`select id from api_keys where partner_id = ${partnerId} order by id limit 1`,
    );
    assert.deepEqual([key_id, idempotency_key, lines.length], [id, null, 1]);
  });
});

test('no one sees another partner’s orders, which are answered as not found', async () => {
  assert.deepEqual(await linesOf('', stranger), []);
  const paths = [failed, '99999999', '0', 'x', '9'.repeat(30)].map((id) => `/api/live/orders/${id}/money`);
  const answers = await Promise.all(paths.map((path) => stranger.get(path)));
  assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(answers[0]?.body.error.code, 'order_not_found');
  const anyone = browser(t);
  for (const path of ['/orders', `/orders/${failed}/money`, '/search?q=1', '/orders.csv'])
    assert.equal((await anyone.get(`/api/live${path}`)).body.error.code, 'sign_in_required', path);
  for (const path of ['/orders', '/search?q=1']) assert.equal((await ana.get(`/api/other${path}`)).status, 404);
});

suite('the file', () => {
  const rowsOf = async (query = '') => {
    const { status, text, headers } = await ana.get(`/api/live/orders.csv${query}`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/csv; charset=utf-8']);
    return text
      .trim()
      .split('\r\n')
      .map((line) => line.replace('\ufeff', '').split(','));
  };

  test('has the orders of the list with its filters, what each cost, and no activation data', async () => {
    const [header = [], ...rows] = await rowsOf();
    assert.deepEqual(
      rows.map(([id]) => id),
      await idsOf('?limit=100'),
    );
    const [row = []] = (await rowsOf('?status=failed')).slice(1);
    const cell = (name: string) => row[header.indexOf(name)];
    assert.deepEqual(['order_id', 'status', 'reason', 'charged_usd', 'refunded_usd', 'paid_usd'].map(cell), [
      failed,
      'failed',
      'provider_rejected',
      '9.00',
      '9.00',
      '0.00',
    ]);
    assert.doesNotMatch(rows.join(), /LPA:/);
  });

  test('has local times beside UTC when a time zone is named, and refuses one that does not exist', async () => {
    const [header = [], row = []] = await rowsOf('?tz=Asia/Tokyo&reference=trip-1');
    const [utc, local] = ['created_utc', 'created_local (Asia/Tokyo)'].map((name) => row[header.indexOf(name)] ?? '');
    assert.equal(Date.parse(`${local?.replace(' ', 'T')}Z`) - Date.parse(`${utc?.replace(' ', 'T')}Z`), 9 * HOUR);
    const { body } = await ana.get('/api/live/orders.csv?tz=Moon/Base');
    assert.equal(body.error.code, 'invalid_time_zone');
  });

  test('goes on to the oldest order of a key, beyond where a page stops looking', async () => {
    const [newest] = await linesOf();
    assert.deepEqual(
      (await rowsOf(`?key=${newest.key_id}`)).slice(1).map(([id]) => id),
      await idsOf(`?key=${newest.key_id}`),
    );
  });
});

suite('the search', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is there.
  const search = async (q: string, who = ana, mode = 'live'): Promise<any[]> =>
    (await who.get(`/api/${mode}/search?q=${encodeURIComponent(q)}`)).body.results;
  const namesOf = async (q: string, who = ana) =>
    (await search(q, who)).map(
      (found) => `${found.mode} ${found.kind} ${found.id ?? found.iccid ?? found.payment_key}`,
    );

  test('finds an order by its id, reference, idempotency key, supplier reference and event', async () => {
    const keyed = (await bought({ idempotency_key: 'cart-77', reference: 'Familie Groß' })).id;
    const it = [`live order ${keyed}`];
    assert.deepEqual(await namesOf(`#${keyed}`), it);
    assert.deepEqual(await namesOf('cart-77'), it);
    assert.deepEqual(await namesOf('Familie G'), it);
    assert.deepEqual(await namesOf(`wf-live-${keyed}`), it);
    assert.deepEqual(await namesOf(`order.paid:${keyed}:2`), it);
    assert.deepEqual(await namesOf(`wf-sandbox-${keyed}`), []);
    assert.deepEqual(await namesOf('cart-7'), []);
  });

  test('takes the beginning of an id, an ICCID or a reference, in upper or lower case', async () => {
    const shouted = (await bought({ reference: 'BIKE Tour-7' })).id;
    for (const q of ['bike tour-7', 'BIKE', 'Bike t', 'bIKE tOUR-'])
      assert.deepEqual(await namesOf(q), [`live order ${shouted}`], q);
    const long = (await bought({ reference: 'bike tour-7' })).id;
    assert.deepEqual(await namesOf('BIKE TOUR-7'), [`live order ${long}`, `live order ${shouted}`]);
    assert.ok((await namesOf(String(long).slice(0, 3))).includes(`live order ${long}`));
    assert.deepEqual((await namesOf(iccid.slice(0, -1)))[0], `live esim ${iccid}`);
    assert.ok((await namesOf(iccid.slice(0, 12))).every((name) => name.startsWith('live ')));
    assert.deepEqual(await namesOf(iccid.slice(0, 12), stranger), []);
    assert.deepEqual(await namesOf(String(long).slice(0, 3), stranger), []);
    const listed = async (reference: string) => idsOf(`?reference=${encodeURIComponent(reference)}`);
    assert.deepEqual(await listed('Bike TOUR-7'), [long, shouted]);
    assert.deepEqual(await listed('bike tour'), []);
  });

  test('finds destinations and plans by name', async () => {
    const [destination, found] = await search('FRANC');
    assert.deepEqual([destination.kind, destination.code, found.kind], ['destination', 'FR', 'plan']);
    assert.deepEqual(
      (await search(found.id.toUpperCase())).map(({ kind, id }) => [kind, id]),
      [['plan', found.id]],
    );
    assert.deepEqual(await search('z'), []);
  });

  test('finds an eSIM with its orders by ICCID', async () => {
    assert.deepEqual(await namesOf(iccid), [`live esim ${iccid}`, `live order ${added}`, `live order ${delivered}`]);
  });

  test('finds a payment and a webhook delivery, in both worlds, the open one first', async () => {
    const { body } = await ana.v3('sandbox', '/account/topup', { amount: '20' });
    assert.deepEqual(await namesOf(body.payment_key), [`sandbox payment ${body.payment_key}`]);
    const sandboxKey = await t.key(partnerId, 'sandbox');
    const [a, b] = [await bought({ reference: 'both' }), await bought({ reference: 'both' }, sandboxKey)];
    assert.deepEqual(await namesOf('both'), [`live order ${a.id}`, `sandbox order ${b.id}`]);
    assert.deepEqual(
      (await search('both', ana, 'sandbox')).map(({ mode }) => mode),
      ['sandbox', 'live'],
    );
    assert.deepEqual(await namesOf(body.payment_key, stranger), []);
    const dev = await signedInAs(t, partnerId, 'developer');
    assert.deepEqual(await namesOf(body.payment_key, dev), [], 'a developer sees no money');
    await pausedSubscription(t, partnerId);
    const { id } = await bought({}, sandboxKey);
    const logged = await t.base.db.one<{ id: bigint }>(
      sql`select id from sandbox.webhook_deliveries where order_id = ${id} order by id limit 1`,
    );
    assert.ok((await namesOf(String(logged.id))).includes(`sandbox delivery ${logged.id}`));
    assert.ok(!(await namesOf(String(logged.id), stranger)).length);
  });

  test('finds nothing of another partner, and nothing for nothing', async () => {
    for (const q of [delivered, iccid, 'trip-1', 'cart-77', `wf-live-${delivered}`, '', '   ', '#', "'", '%'])
      assert.deepEqual(await search(q, stranger), [], q);
    assert.deepEqual(await search(''), []);
    assert.equal((await ana.get(`/api/live/search?q=${'9'.repeat(5_000)}`)).status, 200);
    assert.equal((await ana.get('/api/live/search?q=%00')).body.error.code, 'malformed_request');
  });
});

test('a cancelled order is neither failed nor delivered in lists, files and the timeline; the contract keeps calling it failed', async () => {
  const row = await t.base.db.one<{ id: number; alias: string; code: string }>(
    sql`select id, alias, supplier_plan as code from plans where alias = ${plan}`,
  );
  const { id } = await paidOrder(t, { partnerId, plan: row });
  const cancelled = String(id);
  await t.base.worlds.live.db.run(
    sql`update orders set cancel_status = 'requested', cancel_requested_at = now() where id = ${id}`,
  );
  await run(t.operator(), `order fail ${id}`);
  assert.deepEqual(await idsOf('?status=cancelled'), [cancelled]);
  assert.ok(!(await idsOf('?status=failed')).includes(cancelled));
  assert.ok((await idsOf('?status=failed')).includes(failed));
  const [line] = await linesOf('?status=cancelled');
  assert.deepEqual([line.state, line.paid, line.returned], ['cancelled', '0.00', line.price]);
  assert.equal((await moneyOf(cancelled)).state, 'cancelled');
  const { text } = await ana.get('/api/live/orders.csv?status=cancelled');
  assert.match(text, new RegExp(`^"?${cancelled}"?,.*\\bcancelled\\b`, 'm'));
  const { results } = (await ana.get(`/api/live/search?q=${cancelled}`)).body;
  assert.equal(results[0].state, 'cancelled');
  const listed = (await t.get('/order/get?status=failed', { key })).body.order;
  assert.ok(listed.some((order: { id: string }) => order.id === cancelled));
  assert.equal((await t.get('/order/get?status=cancelled', { key })).body.error, 'invalid_status');
  const { steps } = (await ana.get(`/api/live/orders/${id}/timeline`)).body;
  const kinds = steps.map(({ kind, type }: { kind: string; type?: string }) => type ?? kind);
  assert.deepEqual(
    kinds.filter((kind: string) => kind !== 'event'),
    ['placed', 'purchase', 'sent_to_supplier', 'cancel_requested', 'cancelled', 'refund'],
  );
});
