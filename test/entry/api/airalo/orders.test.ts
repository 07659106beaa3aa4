import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { SECOND } from '../../../../src/platform/clock.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { airaloKey, doorClient } from '../../../support/program/airalo-client.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { catalogKnows, credit } from '../../../support/sales/shop.ts';

const MODES: readonly Mode[] = ['live', 'sandbox'];
/** A synchronous order waits nine tenths of it. */
const REQUEST_MS = 4 * SECOND;

let t: TestApp;
let product: string;
let refill: string;
let onlyOnce: string;

before(async () => {
  t = await testApp({ config: { airaloDoor: true, requestMs: REQUEST_MS } });
  const plan = await testPlan(t, { price: 10, cost: 4 });
  product = plan.alias;
  refill = (await testPlan(t, { refills: [plan.code], title: '1 GB more' })).alias;
  onlyOnce = (await testPlan(t, { title: 'no refills', day: 30 })).alias;
  await catalogKnows(t, product);
  await catalogKnows(t, onlyOnce);
});
after(async () => {
  for (const mode of MODES) assert.deepEqual((await proveBooks(t.base.worlds[mode].db, () => {})).drift, []);
  await t[Symbol.asyncDispose]();
});

/** A partner with money in a world, and a client of the door. */
async function client(mode: Mode, usd = '1000.00', options = '') {
  const partnerId = await t.partner();
  const key = await t.key(partnerId, mode);
  if (mode === 'live') await credit(t, partnerId, usd, 'promo');
  else await t.post('/account/sandboxBalance', { operation: 'set', amount: usd }, { key });
  const credentials = await airaloKey(t, partnerId, mode, options);
  return { partnerId, key, credentials, ...doorClient(t, credentials) };
}

const order = (more: Record<string, unknown> = {}) => ({ package_id: product, quantity: 1, type: 'sim', ...more });
const balanceOf = async (mode: Mode, partnerId: number) => t.base.worlds[mode].books.balance(partnerId);

for (const mode of MODES) {
  suite(`an order through the door in ${mode}`, () => {
    test('brings its eSIMs at once, and is an order of ours', async () => {
      const c = await client(mode);
      const answer = await c.post('/orders', order({ quantity: 2, description: 'booking-1' }));
      assert.equal(answer.status, 200, answer.text);
      const { data, meta } = answer.body;
      assert.deepEqual(meta, { message: 'success' });
      assert.deepEqual(
        [data.package_id, data.quantity, data.type, data.description, data.price, data.currency],
        [product, 2, 'sim', 'booking-1', 10, 'USD'],
      );
      assert.equal(data.sims.length, 2);
      assert.match(data.sims[0].qrcode, /^LPA:1\$/);
      assert.match(data.code, /^\d{8}-\d+$/);
      const ours = await t.get(`/purchase/batch/${data.id}`, { key: c.key });
      assert.deepEqual([ours.body.count, ours.body.delivered], [2, 2]);
      assert.deepEqual(
        ours.body.orders.map(({ reference }: { reference: string }) => reference),
        ['booking-1', 'booking-1'],
      );
    });

    test('is read as one row, alone, in the list and by its description', async () => {
      const c = await client(mode);
      const { data } = (await c.post('/orders', order({ quantity: 3, description: 'find/me-7' }))).body;
      await c.post('/orders', order({ description: 'another' }));
      const one = await c.get(`/orders/${data.id}?include=sims,status`);
      assert.deepEqual(
        [one.body.data.id, one.body.data.quantity, one.body.data.price, one.body.data.sims.length],
        [data.id, '3', '10.00', 3],
      );
      assert.deepEqual(one.body.data.status, { name: 'Completed', slug: 'completed' });
      const all = await c.get('/orders?limit=1');
      assert.deepEqual(
        [all.body.data.length, all.body.meta.total, all.body.meta.last_page, all.body.meta.per_page],
        [1, 2, 2, '1'],
      );
      assert.equal(all.body.data[0].sims, undefined);
      const past = await c.get('/orders?limit=1&page=7');
      assert.deepEqual([past.body.data, past.body.meta.total, past.body.meta.current_page], [[], 2, 7]);
      const found = await c.get(`/orders?${new URLSearchParams({ 'filter[description]': 'me-7', include: 'sims' })}`);
      assert.deepEqual(
        found.body.data.map(({ id }: { id: number }) => id),
        [data.id],
      );
      assert.equal((await c.get('/orders?filter[order_status]=failed')).body.data.length, 0);
    });

    test('of somebody else and of nobody are the same 404', async () => {
      const [c, other] = [await client(mode), await client(mode)];
      const { data } = (await c.post('/orders', order())).body;
      const foreign = await other.get(`/orders/${data.id}`);
      const unknown = await other.get('/orders/987654321');
      assert.equal(foreign.status, 404);
      assert.equal(foreign.text, unknown.text);
      assert.deepEqual(foreign.body, { data: [], meta: { message: 'messages.resource_not_found' } });
      const iccid = data.sims[0].iccid;
      for (const path of ['', '/usage', '/topups', '/packages', '/instructions']) {
        const [a, b] = [await other.get(`/sims/${iccid}${path}`), await other.get(`/sims/8999999999999999999${path}`)];
        assert.deepEqual([a.status, a.text], [404, b.text], path);
      }
      const [a, b] = [
        await other.post('/orders/topups', { package_id: refill, iccid }),
        await other.post('/orders/topups', { package_id: refill, iccid: '8999999999999999999' }),
      ];
      assert.deepEqual([a.status, a.text], [422, b.text]);
    });

    test('with too little money is code 11, and leaves nothing', async () => {
      const c = await client(mode, '5.00');
      const answer = await c.post('/orders', order());
      assert.deepEqual([answer.status, answer.body.code], [422, 11]);
      assert.equal((await c.get('/orders')).body.meta.total, 0);
      assert.equal(await balanceOf(mode, c.partnerId), 500n);
    });

    test('above a limit of its key is code 11', async () => {
      const c = await client(mode);
      await run(t.operator(), `key set ${c.credentials.keyId} --limit day=15.00`);
      assert.equal((await c.post('/orders', order())).status, 200);
      const answer = await c.post('/orders', order());
      assert.deepEqual([answer.status, answer.body.code], [422, 11]);
    });

    test('of a plan that is off sale is code 34, of one that does not exist a field error', async () => {
      const c = await client(mode);
      const gone = await testPlan(t, { price: 0, title: 'no price' });
      // A plan that is off sale cannot be seen: a later one shows that the catalog knows it, too.
      await catalogKnows(t, (await testPlan(t)).alias);
      const off = await c.post('/orders', order({ package_id: gone.alias }));
      assert.deepEqual([off.status, off.body.code ?? off.body.data], [422, 34]);
      for (const package_id of ['esc_0000000000000000', 'change-7days-1gb', refill]) {
        const answer = await c.post('/orders', order({ package_id }));
        assert.deepEqual(
          [answer.status, answer.body],
          [
            422,
            {
              data: { package_id: 'The selected package is invalid.' },
              meta: { message: 'the parameter is invalid' },
            },
          ],
        );
      }
    });

    test('refuses what it cannot carry out, by the field', async () => {
      const c = await client(mode);
      const cases = [
        [order({ quantity: 51 }), 'quantity', 'The quantity may not be greater than 50.'],
        [order({ quantity: 0 }), 'quantity', 'The quantity must be at least 1.'],
        [order({ type: 'voucher' }), 'type', 'The selected type is invalid.'],
        [order({ description: 'x'.repeat(65) }), 'description', 'The description may not be greater than 64 bytes.'],
        [order({ description: 'a<b' }), 'description', 'The description has characters that are not allowed.'],
        [order({ brand_settings_name: 'mine' }), 'brand_settings_name', "Brand settings name doesn't exist."],
        [{ quantity: 1 }, 'package_id', 'The package id field is required.'],
      ] as const;
      for (const [payload, field, sentence] of cases) {
        const answer = await c.post('/orders', payload);
        assert.deepEqual([answer.status, answer.body.data], [422, { [field]: sentence }]);
      }
      assert.ok('to_email' in (await c.post('/orders', order({ to_email: 'a@b.example' }))).body.data);
      assert.equal((await c.get('/orders')).body.meta.total, 0);
    });

    test('counts as its number of eSIMs against the quota that it shares with v3', async () => {
      const c = await client(mode);
      await run(t.operator(), `key set ${c.credentials.keyId} --ceilings purchase=5`);
      const first = await c.post('/orders', order({ quantity: 4 }));
      assert.deepEqual(
        [first.status, first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']],
        [200, '5', '1'],
      );
      const second = await c.post('/orders', order({ quantity: 2 }));
      assert.deepEqual([second.status, second.body], [429, { message: 'Too Many Attempts.' }]);
      assert.ok(Number(second.headers['retry-after']) > 0);
    });

    test('a top-up adds data to an eSIM that was bought on v3', async () => {
      const c = await client(mode);
      const bought = await t.post('/purchase/buy', { product_id: product }, { key: c.key });
      const detail = await t.get(`/order/detail/${bought.body.order_id}`, { key: c.key });
      const { iccid } = detail.body.esim;
      assert.equal((await c.get(`/sims/${iccid}`)).body.data.iccid, iccid);
      const offered = await c.get(`/sims/${iccid}/topups`);
      assert.deepEqual(
        offered.body.data.map(({ id, type }: { id: string; type: string }) => [id, type]),
        [[refill, 'topup']],
      );
      const answer = await c.form('/orders/topups', { package_id: refill, iccid, description: 'more' });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(
        [answer.body.data.type, answer.body.data.package_id, answer.body.data.sims],
        ['topup', refill, undefined],
      );
      const history = await c.get(`/sims/${iccid}/packages`);
      assert.deepEqual(
        history.body.data.map((one: { package: { id: string } }) => one.package.id),
        [refill, product],
      );
      assert.equal((await c.get(`/sims/${iccid}/usage`)).body.data.total, 2048);
    });

    test('a top-up that its eSIM does not take is code 23 or a field error', async () => {
      const c = await client(mode);
      const { data } = (await c.post('/orders', order({ package_id: onlyOnce }))).body;
      const { iccid } = data.sims[0];
      // The sandbox sells every refill for a destination.
      if (mode === 'live') assert.equal((await c.post('/orders/topups', { package_id: refill, iccid })).body.code, 23);
      const other = (await c.post('/orders', order())).body.data.sims[0].iccid;
      assert.deepEqual((await c.post('/orders/topups', { package_id: product, iccid: other })).body.data, {
        package_id: 'The selected topup package is invalid.',
      });
    });

    test('a refunded eSIM is recycled', async () => {
      const c = await client(mode);
      const { data } = (await c.post('/orders', order())).body;
      const { iccid } = data.sims[0];
      const refunded = await t.post('/order/refund', { order_id: String(data.id) }, { key: c.key });
      assert.equal(refunded.body.refund.status, 'refunded', refunded.text);
      const sim = await c.get(`/sims/${iccid}?include=order.status`);
      assert.equal(sim.body.data.recycled, true);
      assert.match(sim.body.data.recycled_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      assert.equal(sim.body.data.simable.status.slug, 'refunded');
      const { status, expired_at, is_unlimited } = (await c.get(`/sims/${iccid}/usage`)).body.data;
      assert.deepEqual([status, expired_at, is_unlimited], ['RECYCLED', null, null]);
      assert.equal((await c.get(`/sims/${iccid}/topups`)).body.code, 73);
      assert.equal((await c.post('/orders/topups', { package_id: refill, iccid })).body.code, 73);
    });
  });
}

suite('a request that cannot be read', () => {
  test('is code 43, whatever is wrong with it', async () => {
    const c = await client('sandbox');
    const type = { 'content-type': 'application/json' };
    const cases = [
      { body: '{"package_id":', headers: type },
      { body: '[]', headers: type },
      { body: 'null', headers: type },
      { body: 'hello', headers: { 'content-type': 'text/plain' } },
      { body: 'no parts', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      { body: JSON.stringify({ x: 'y'.repeat(70_000) }), headers: type },
    ];
    for (const request of cases) {
      const answer = await c.post('/orders', {}, request);
      assert.deepEqual([answer.status, answer.body.code], [422, 43], request.body.slice(0, 20));
    }
    assert.equal((await c.get('/orders')).body.meta.total, 0);
  });

  test('with fields of any type is read as texts, and never fails by them', async () => {
    const c = await client('sandbox');
    for (const odd of [true, 1.5, {}, { a: 1 }, [1, 2], '\0', '\ud800', '__proto__', 'x'.repeat(5000)])
      for (const field of ['package_id', 'quantity', 'type', 'description', 'webhook_url', 'to_email']) {
        const { status, text } = await c.post('/orders', order({ [field]: odd }));
        assert.ok(status === 422 || status === 200, `${field} ${JSON.stringify(odd)}: ${status} ${text}`);
      }
  });
});

suite('an order through the door that is not delivered in time', () => {
  test('is cancelled as a whole or not at all', async () => {
    const c = await client('sandbox');
    const buy = async (sandbox_scenario: string) => {
      const { body } = await t.post('/purchase/buy', { product_id: product, sandbox_scenario }, { key: c.key });
      return BigInt(body.order_id);
    };
    const [delivered, deferred] = [await buy('success'), await buy('deferred')];
    const { provisioning, db } = t.base.worlds.sandbox;
    const cancel = (orderIds: bigint[], partnerId = c.partnerId) =>
      provisioning.cancelUnsent({ partnerId, orderIds, at: new Date(t.clock.now()) });
    assert.equal(await cancel([delivered, deferred]), false);
    assert.equal(await cancel([deferred], c.partnerId + 1), false, 'another partner');
    const read = () =>
      db.query(sql`select status, cancel_status as cancel from orders where partner_id = ${c.partnerId} order by id`);
    assert.deepEqual(await read(), [
      { status: 1, cancel: null },
      { status: 4, cancel: null },
    ]);
    assert.equal(await cancel([deferred]), true);
    assert.equal(await cancel([deferred]), false, 'it has failed already');
  });

  test('is cancelled where nobody has it: code 33, and the money is back', async () => {
    const c = await client('sandbox');
    const answer = await c.post('/orders', order({ quantity: 2, sandbox_scenario: 'deferred' }));
    assert.deepEqual([answer.status, answer.body.code], [422, 33], answer.text);
    assert.equal(await balanceOf('sandbox', c.partnerId), 100_000n);
    const rows = await t.base.worlds.sandbox.db.query<{ status: number; cancel: string }>(sql`
      select status, cancel_status as cancel from orders where partner_id = ${c.partnerId}`);
    assert.deepEqual(rows, [
      { status: 2, cancel: 'cancelled' },
      { status: 2, cancel: 'cancelled' },
    ]);
    assert.ok(t.logged.some((line) => line.includes('an order of an Airalo client was cancelled')));
  });

  test('that its supplier refused is code 34', async () => {
    const c = await client('sandbox');
    const answer = await c.post('/orders', order({ sandbox_scenario: 'failed' }));
    assert.deepEqual([answer.status, answer.body.code], [422, 34]);
    assert.equal(await balanceOf('sandbox', c.partnerId), 100_000n);
  });
});
