import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { readAttention } from '../../../src/worlds/alerts.ts';
import { run } from '../../support/program/operator.ts';
import type { Lies } from '../../support/suppliers/fake-http.ts';
import { type LiarShop, type LyingFields, liars } from '../../support/suppliers/liars.ts';

/*
 * One table of lies, told by every supplier whose answers we read. Whatever they say: no order is bought twice or refunded by itself, no
 * answer of ours fails, the operator is told, and the ledger adds up.
 */

/** Fields that have the whole activation code, not only its matching id. */
const WHOLE = ['qrcode', 'activationCode', 'ac'];
/** An object under the name of a field is another thing than the field. */
const told = (names: readonly string[], value: (name: string, said: unknown) => unknown): Lies =>
  Object.fromEntries(
    names.map((name) => [name, (said) => (typeof said === 'object' && said !== null ? said : value(name, said))]),
  );
/** The same one time in four, so that most of a list is true. */
function toldSometimes(names: readonly string[], value: unknown): Lies {
  let times = 0;
  return told(names, (_name, said) => (++times % 4 === 0 ? value : said));
}
const code = ({ code }: LyingFields, matchingId: string) =>
  told(code, (name) => (WHOLE.includes(name) ? `LPA:1$smdp.example.com$${matchingId}` : matchingId));
const host = ({ host }: LyingFields, address: string) =>
  told(host, (name) => (WHOLE.includes(name) ? `LPA:1$${address}$M-1` : address));

/** Lies about a delivery, and what the operator reads about each. */
const deliveries: readonly {
  readonly lie: string;
  readonly of: (fields: LyingFields) => Lies;
  readonly reason: RegExp;
}[] = [
  { lie: 'markup as ICCID', of: ({ iccid }) => told(iccid, () => '"><script>alert(1)</script>'), reason: /ICCID/ },
  { lie: 'an ICCID of 12 digits', of: ({ iccid }) => told(iccid, () => '890123456789'), reason: /ICCID/ },
  { lie: 'an ICCID of 5,000 digits', of: ({ iccid }) => told(iccid, () => '8'.repeat(5_000)), reason: /ICCID/ },
  { lie: 'a code of 5,000 characters', of: (fields) => code(fields, 'A'.repeat(5_000)), reason: /code|matching id/ },
  { lie: 'markup in a code', of: (fields) => code(fields, '<img src=x>'), reason: /code|matching id/ },
  { lie: 'a code with a control character', of: (fields) => code(fields, 'A\u0000B'), reason: /code|matching id/ },
  { lie: 'an address that is no host', of: (fields) => host(fields, 'a b/"><script>'), reason: /address/ },
];

for (const { name, fields, open } of liars)
  suite(`a lying supplier: ${name}`, () => {
    let shop: LiarShop;
    before(async () => {
      shop = await open();
    });
    after(() => shop[Symbol.asyncDispose]());
    afterEach(() => shop.lie({}));

    const ask = async (path: string, key: string) => (await shop.t.get(path, { key })).status;
    const isAlarmed = (about: RegExp) =>
      shop.t.logged.some((line) => line.includes('"level":"error"') && about.test(line));
    const heldOrders = async () => {
      const { db } = shop.t.base.worlds.live;
      const parts = await readAttention(db, shop.t.clock.now(), { hasSeller: true });
      const orders = parts.find(({ part }) => part === 'orders');
      const alerts = orders && 'alerts' in orders ? orders.alerts : [];
      return alerts.find(({ kind }) => kind === 'held_orders')?.count ?? 0;
    };
    const proved = async () => assert.deepEqual((await proveBooks(shop.t.base.worlds.live.db, () => {})).drift, []);

    /** Held for a person, whatever happens next, and failed and refunded only by one. */
    async function isHeld({ key, status, body }: Awaited<ReturnType<LiarShop['buy']>>, reason: RegExp) {
      const { id = '' } = body;
      assert.deepEqual([status, body.delivery, body.delivery_reason], [202, 'deferred', 'awaiting_profile']);
      const shown = await run(shop.t.operator(), `order show ${id}`);
      assert.match(shown.held?.reason, reason);
      assert.ok(shown.held.reason.length <= 500);
      assert.equal(await heldOrders(), 1);
      assert.ok(isAlarmed(new RegExp(`"orderId":"${id}".*an order is held`)), 'the operator is told');
      const bought = await shop.bought();
      await shop.work();
      const { order, esim } = (await shop.t.get(`/order/detail/${id}`, { key })).body;
      assert.deepEqual([order.status, esim.iccid, esim.qrcode], ['4', null, null]);
      assert.equal(await shop.bought(), bought, 'it is not bought again');
      assert.deepEqual([await ask('/order/get', key), await ask('/catalog/export', key)], [200, 200]);
      await run(shop.t.operator(), `order fail ${id}`);
      assert.equal((await shop.t.get('/account/balance', { key })).body.balance, 100);
      assert.equal(await heldOrders(), 0);
    }

    for (const { lie, of, reason } of deliveries)
      test(`${lie}: the order is held for a person, and failing it refunds it`, async () => {
        shop.lie(of(fields));
        await isHeld(await shop.buy(), reason);
        shop.lie({});
        await proved();
      });

    test('what was held is delivered once the supplier has corrected it', async () => {
      shop.lie(code(fields, '<b>'));
      const { key, body } = await shop.buy();
      assert.equal(body.delivery, 'deferred');
      shop.lie({});
      await shop.work();
      const { order, esim } = (await shop.t.get(`/order/detail/${body.id}`, { key })).body;
      assert.equal(order.status, '1');
      assert.equal(await heldOrders(), 0);
      await using pages = await shop.t.another('panel');
      const seen = (url: string) => pages.ask(new URL(url).pathname, { host: 'panel' });
      const { status: qr } = await seen(esim.qrcode_url);
      const { status: page } = await seen(esim.share_url);
      assert.deepEqual([await ask(`/esim/detail/${esim.iccid}`, key), qr, page], [200, 200, 200]);
    });

    test('the ICCID of an eSIM that another partner has: held, and the first one keeps it', async () => {
      const first = await shop.buy();
      const { iccid } = (await shop.t.get(`/order/detail/${first.body.id}`, { key: first.key })).body.esim;
      shop.lie(told(fields.iccid, () => iccid));
      const second = await shop.buy();
      await isHeld(second, new RegExp(`ICCID is that of order ${first.body.id}$`));
      shop.lie({});
      assert.equal(await ask(`/esim/detail/${iccid}`, first.key), 200);
      assert.equal(await ask(`/esim/detail/${iccid}`, second.key), 404);
      await proved();
    });

    if (fields.charged.length > 0)
      test('a price of 1e308 on an order: delivered, its cost is not known, and the operator is told', async () => {
        shop.lie(told(fields.charged, () => 1e308));
        const { body } = await shop.buy();
        shop.lie({});
        assert.equal(body.delivery, 'delivered');
        assert.equal((await run(shop.t.operator(), `order show ${body.id}`)).charged, null);
        assert.ok(isAlarmed(/an order whose price cannot be right/));
        await proved();
      });

    if (fields.listed.length > 0)
      test('a price of 1e308 in a list: plans with one are left out and named in the report, and the rest is imported', async () => {
        // The whole list, not what changed in it.
        const imported = async () => {
          await shop.t.base.db.run(sql`update suppliers set list_version = null`);
          return run(shop.t.operator(), `catalog import ${shop.slug} --yes`);
        };
        const before = await imported();
        shop.lie(toldSometimes(fields.listed, 1e308));
        const counts = await imported();
        const { skipped, skipped_rows: rows, plans } = counts;
        assert.ok(skipped > before.skipped && plans > 0, JSON.stringify(counts));
        assert.equal(plans + skipped, before.plans + before.skipped);
        assert.ok(rows.some(({ reason }: { reason: string }) => /must be an amount up to 100000.00/.test(reason)));
        shop.lie(told(fields.listed, () => 1e308));
        // All of its plans: so many bad rows that nothing is imported.
        assert.match((await imported()).message, /nothing was imported/);
        shop.lie({});
        assert.equal((await imported()).plans, before.plans);
      });

    for (const [lie, lied] of [
      ['a total of 1e308', told(fields.total, () => 1e308)],
      ['an end in the year 9999', told(fields.end, () => '9999-12-31T00:00:00Z')],
    ] as const)
      test(`${lie} in a reading of usage: it counts as none`, async () => {
        const { key, body } = await shop.buy();
        const { iccid } = (await shop.t.get(`/order/detail/${body.id}`, { key })).body.esim;
        await shop.use(iccid);
        shop.lie(lied);
        const answer = await shop.t.get(`/order/usage/${iccid}`, { key });
        assert.deepEqual([answer.status, answer.body.error], [404, 'usage_not_available']);
        assert.ok(isAlarmed(/a reading whose .* cannot be right/));
        shop.lie({});
        shop.pass(30 * MINUTE);
        assert.equal(await ask(`/order/usage/${iccid}`, key), 200);
      });
  });
