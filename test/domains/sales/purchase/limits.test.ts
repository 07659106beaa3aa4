import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { TestClock } from '../../../support/clock.ts';
import { agentAt } from '../../../support/program/agent.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { type Browser, browser, signedIn } from '../../../support/program/panel.ts';
import { freePort } from '../../../support/program/ports.ts';
import { random } from '../../../support/random.ts';
import { type Spender, setLimits, spender } from '../../../support/sales/limits.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../support/sales/shop.ts';

const START = Date.parse('2030-03-31T22:30:00Z');
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

let t: TestApp;
/** Another process on the same database. */
let other: TestApp;
let product: string;
let dear: string;
let refill: string;
before(async () => {
  t = await testApp({ config: { provisioning: { budgetMs: 1_000, overdueMs: DAY } } });
  const plan = await testPlan(t);
  product = plan.alias;
  dear = (await testPlan(t, { price: 17 })).alias;
  refill = (await testPlan(t, { refills: [plan.code] })).alias;
  other = await t.another();
  for (const app of [t, other]) await catalogKnows(app, dear);
});
after(async () => {
  for (const mode of ['live', 'sandbox'] as const)
    assert.deepEqual((await proveBooks(t.base.worlds[mode].db, () => {})).drift, []);
  await other[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const batch = (app: TestApp, key: string, quantity: number, more: Record<string, string> = {}) =>
  app.post('/purchase/batch', { items: JSON.stringify([{ product_id: product, quantity }]), ...more }, { key });

const sold = ({ partnerId }: Spender, mode: 'live' | 'sandbox' = 'live') =>
  t.base.worlds[mode].db.one<{ count: number; cents: bigint }>(sql`
    select count(*)::int as count, coalesce(sum(sale_price), 0)::bigint as cents from orders
    where partner_id = ${partnerId} and status <> 2`);

test('200 requests at once to two processes against room for 40 sell 40: purchases, refills and batches', async () => {
  const one = await spender(t);
  const two = await spender(t, 'live', one.partnerId);
  const { order_id } = (await buy(t, one.key, product)).body;
  const { iccid } = (await t.get(`/order/detail/${order_id}`, { key: one.key })).body.esim;
  await setLimits(one, 'partner', ['month=410.00'], t, other);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const app = i % 2 ? t : other;
      const { key } = i % 3 ? one : two;
      if (i % 4 === 0) return batch(app, key, 1, { idempotency_key: `b${i}` });
      if (i % 4 === 1) return app.post('/purchase/refill', { iccid, product_id: refill }, { key });
      return buy(app, key, product);
    }),
  );
  const refused = answers.filter(({ body }) => body.error === 'limit_exceeded');
  assert.equal(refused.length, 160, JSON.stringify([...new Set(answers.map(({ body }) => body.error))]));
  assert.deepEqual(await sold(one), { count: 41, cents: 41_000n });
});

test('API, batches, refills, the panel and agents, at once on three processes against room for 40, sell 40', async () => {
  const buyer = await spender(t);
  const { order_id } = (await buy(t, buyer.key, product)).body;
  const { iccid } = (await t.get(`/order/detail/${order_id}`, { key: buyer.key })).body.esim;
  // A limit of its own, with which the key may buy through the agents' tools, and which leaves room for everything.
  await setLimits(buyer, 'key', ['month=5000.00'], t, other);
  await setLimits(buyer, 'partner', ['month=41x'], t, other);
  const members = [t, other].map(async (app) =>
    Object.assign(browser(app), { cookie: (await signedIn(t, buyer.partnerId)).cookie }),
  );
  const [ana, bea] = (await Promise.all(members)) as [Browser, Browser];
  const max_price = '10.00';
  // Agents reach a server at its panel's address.
  const port = await freePort();
  const panelUrl = new URL(`http://localhost:${port}`);
  await using third = await testApp({
    config: { provisioning: { budgetMs: 1_000, overdueMs: DAY }, listenPorts: [port], panelUrl },
    clock: t.clock,
    url: t.base.url,
    secret: t.base.config.secret as string,
  });
  await catalogKnows(third, product);
  await using agent = await agentAt(`${panelUrl.origin}/mcp/live`, { 'x-api-key': buyer.key });
  const confirmed = await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      const { confirmation } = (await agent.call('buy_esim', { product_id: product, reference: `a${i}` })).body;
      return () => agent.call('buy_esim', { product_id: product, reference: `a${i}`, confirmation });
    }),
  );
  const refusals = await Promise.all([
    ...confirmed.map(async (confirm) => (await confirm()).body.error),
    ...Array.from({ length: 64 }, async (_, i) => {
      const app = i % 2 ? t : other;
      if (i % 4 === 0) return (await batch(app, buyer.key, 1, { idempotency_key: `every-${i}` })).body.error;
      if (i % 4 === 1)
        return (await app.post('/purchase/refill', { iccid, product_id: refill }, { key: buyer.key })).body.error;
      if (i % 4 === 2) return (await buy(app, buyer.key, product, { max_price })).body.error;
      const member = i % 8 === 3 ? ana : bea;
      return (await member.post('/api/live/purchases', { product_id: product, max_price })).body.error?.code;
    }),
  ]);
  const refused = refusals.filter((error) => error !== undefined);
  assert.deepEqual([...new Set(refused)], ['limit_exceeded']);
  assert.deepEqual([refusals.length - refused.length, await sold(buyer)], [40, { count: 41, cents: 41_000n }]);
});

test('the same purchase sent by 50 clients counts once', async () => {
  const buyer = await spender(t);
  await setLimits(buyer, 'key', ['day=2x'], t, other);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => buy(i % 2 ? t : other, buyer.key, product, { idempotency_key: 'same' })),
  );
  assert.equal(new Set(answers.map(({ body }) => body.order_id)).size, 1);
  assert.equal((await buy(t, buyer.key, product)).status, 200);
  assert.equal((await buy(t, buyer.key, product)).body.error, 'limit_exceeded');
});

test('at the turn of a month two processes whose clocks differ by a second exceed neither month', async () => {
  const ahead = new TestClock();
  await using late = await testApp({ url: t.base.url, secret: t.base.config.secret as string, clock: ahead });
  const end = Date.parse('2030-07-01T00:00:00Z');
  t.clock.freeze(end - 500);
  ahead.freeze(end + 500);
  const buyer = await spender(t);
  await setLimits(buyer, 'key', ['month=5x'], t, late);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => buy(i % 2 ? t : late, buyer.key, product)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  const months = await t.base.worlds.live.db.query<{ month: string; count: number }>(sql`
    select to_char(created_at at time zone 'UTC', 'MM') as month, count(*)::int as count from orders
    where partner_id = ${buyer.partnerId} group by 1 order by 1`);
  assert.deepEqual(months, [
    { month: '06', count: 5 },
    { month: '07', count: 5 },
  ]);
});

/** An order as the model has it. */
interface Modelled {
  readonly at: number;
  readonly keyId: number;
  readonly cents: number;
  isFailed: boolean;
}

const startOf = (per: string, at: number): number => {
  const time = new Date(at);
  if (per === 'hour') return Math.floor(at / HOUR) * HOUR;
  if (per === 'day') return Math.floor(at / DAY) * DAY;
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth());
};

test(`random limits, purchases, failures and refunds end as a model says (seed ${SEED})`, async () => {
  const draw = random(SEED);
  const pick = <T>(of: readonly T[]): T => of[draw(of.length)] as T;
  for (let round = 0; round < 3; round += 1) {
    t.clock.freeze(START);
    const one = await spender(t, 'sandbox');
    const two = await spender(t, 'sandbox', one.partnerId);
    const limitOf = () =>
      pick([`order=${10 + draw(8)}.00`, `hour=${1 + draw(4)}x`, `day=${30 + draw(60)}.00`, `month=${4 + draw(8)}x`]);
    const limits = {
      key: [...new Set([limitOf(), limitOf()])],
      partner: [...new Set([limitOf(), limitOf()])],
    };
    await setLimits(one, 'key', limits.key, t);
    await setLimits(one, 'partner', limits.partner, t);
    const orders: Modelled[] = [];
    const made = new Map<number, Modelled>();
    const fits = ({ keyId }: Spender, prices: readonly number[]) =>
      (['key', 'partner'] as const).every((scope) => {
        if (scope === 'key' && keyId !== one.keyId) return true;
        return limits[scope].every((text) => {
          const [per = '', value = ''] = text.split('=');
          const most = Number(value.replace('x', ''));
          if (per === 'order') return prices.every((price) => price <= most * 100);
          const counted = orders.filter(
            (order) =>
              !order.isFailed &&
              startOf(per, order.at) === startOf(per, t.clock.now()) &&
              (scope === 'partner' || order.keyId === keyId),
          );
          if (value.endsWith('x')) return counted.length + prices.length <= most;
          return [...counted.map(({ cents }) => cents), ...prices].reduce((sum, cents) => sum + cents, 0) <= most * 100;
        });
      });
    for (let step = 0; step < 40; step += 1) {
      const who = pick([one, two]);
      const what = draw(10);
      if (what === 0) t.clock.advance(pick([MINUTE, HOUR, 5 * HOUR, DAY]));
      else if (what <= 6) {
        const scenario = pick(['success', 'success', 'deferred', 'failed']);
        const [product_id, cents] = pick([[product, 1000] as const, [dear, 1700] as const]);
        const isAllowed = fits(who, [cents]);
        const { body } = await buy(t, who.key, product_id, { sandbox_scenario: scenario });
        assert.equal(body.error ?? '', isAllowed ? '' : 'limit_exceeded', `step ${step}: ${JSON.stringify(limits)}`);
        if (!isAllowed) continue;
        const order = { at: t.clock.now(), keyId: who.keyId, cents, isFailed: scenario === 'failed' };
        orders.push(order);
        made.set(body.order_id, order);
      } else if (what === 7) {
        const quantity = 1 + draw(3);
        const isAllowed = fits(
          who,
          Array.from({ length: quantity }, () => 1000),
        );
        const { body } = await batch(t, who.key, quantity, { idempotency_key: `${round}-${step}` });
        assert.equal(body.error ?? '', isAllowed ? '' : 'limit_exceeded', `step ${step}: ${JSON.stringify(limits)}`);
        if (isAllowed)
          for (let n = 0; n < quantity; n += 1)
            orders.push({ at: t.clock.now(), keyId: who.keyId, cents: 1000, isFailed: false });
      } else if (made.size > 0) {
        // Cancelled while it is deferred, an order fails; refunded after it was delivered, it goes on counting.
        const [orderId, order] = pick([...made]);
        const path = what === 8 ? '/order/cancel' : '/order/refund';
        const { body } = await t.post(path, { order_id: String(orderId) }, { key: one.key });
        if (body.cancel?.status === 'cancelled') order.isFailed = true;
      }
    }
  }
});
