import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Plan } from '../../../examples/shop/catalog.ts';
import { reconcile } from '../../../examples/shop/nightly.ts';
import type { OpenShop } from '../../../examples/shop/open.ts';
import { askForRefund, cancel, orderBatch, placeOrder, proceed, sweep } from '../../../examples/shop/orders.ts';
import type { Order } from '../../../examples/shop/store.ts';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { type ExampleShop, exampleShop } from '../../support/debian/example-shop.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/program/operator.ts';
import { random } from '../../support/random.ts';

const ORDERS = 1_000;
const BUYERS = 8;
const SEED = Number(process.env.SEED ?? 29);
const DAY_MS = 24 * 60 * 60_000;
/** More than the sandbox and the simulated supplier take for what they deliver later. */
const LATE_MS = 150_000;

/** Plans that their supplier delivers at once, refuses, or delivers later. In the sandbox the order's scenario decides instead. */
interface Plans {
  readonly good: readonly Plan[];
  readonly refused: Plan;
  readonly late: Plan;
}

async function plansOf({ shop, t }: ExampleShop, mode: Mode): Promise<Plans> {
  const all = [...(await shop.catalog.destinations()).values()].flatMap(({ plans }) => plans);
  const cheap = all.filter(({ retailCents }) => retailCents < 1000);
  const [refused, late, ...good] = cheap as [Plan, Plan, ...Plan[]];
  if (mode === 'live') {
    await run(t.operator(), `supplier simulate ${refused.id} --behaviour refuse`);
    await run(t.operator(), `supplier simulate ${late.id} --behaviour delay`);
  }
  return { good, refused, late };
}

/** One customer after the other, until enough orders were made. */
async function customers(shop: OpenShop, plans: Plans, mode: Mode, draw: (below: number) => number): Promise<void> {
  const email = 'ana@example.com';
  const pick = <T>(from: readonly T[]): T => from[draw(from.length)] as T;
  const sold = (isWanted: (order: Order) => boolean) => pick(shop.store.latest(ORDERS).filter(isWanted));
  const isUsable = ({ status, refund, iccid, refills }: Order) =>
    status === 'delivered' && refund === '' && iccid !== '' && refills === '';

  /** What may happen between two steps happens: the customer leaves, or the shop is killed, and the sweep finds it later. */
  async function pay(wanted: { plan: Plan; refills?: string; scenario?: Order['scenario'] }): Promise<void> {
    const { id, retail_cents } = placeOrder(shop, { id: randomUUID(), email, ...wanted });
    await shop.payments.start(id, retail_cents);
    if (draw(20) === 0) return;
    shop.payments.pay(id, '4242424242424242');
    if (draw(10) > 0) await proceed(shop, id);
  }
  const kinds: Record<string, () => Promise<unknown>> = {
    buy: () => pay({ plan: pick(plans.good) }),
    fail: () => pay(mode === 'live' ? { plan: plans.refused } : { plan: pick(plans.good), scenario: 'failed' }),
    later: () => pay(mode === 'live' ? { plan: plans.late } : { plan: pick(plans.good), scenario: 'deferred' }),
    async refill() {
      const first = sold(isUsable);
      if (!first) return;
      const { products } = await shop.wayfare.esim.refills(first.iccid);
      const [product] = products;
      if (!product) return;
      const plan = { id: product.id, title: product.title, retailCents: 999 } as Plan;
      await pay({ plan, refills: first.iccid });
    },
    async refund() {
      const order = sold(isUsable);
      if (order) await askForRefund(shop, order.id);
    },
    async cancel() {
      const order = sold(({ status }) => status === 'waiting');
      if (order) await cancel(shop, order.id);
    },
    group: () => orderBatch(shop, { plan: pick(plans.good), quantity: 2 + draw(19), email, batch: randomUUID() }),
  };
  const often = [
    ...Array(14).fill('buy'),
    'fail',
    'later',
    'later',
    'refill',
    'refill',
    'refund',
    'refund',
    'cancel',
    'group',
  ];
  const made = shop.store.db.prepare('select count(*) as orders from orders');
  while (Number(made.get()?.orders) < ORDERS) await kinds[pick(often)]?.();
}

const countsOf = (kinds: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));

for (const mode of ['sandbox', 'live'] as const)
  test(`a random day of ${ORDERS} orders leaves no difference, and one that is planted is found: ${mode}`, async () => {
    await using own = await exampleShop(mode);
    const { shop, t, demo } = own;
    if (mode === 'live') await run(t.operator(), `wallet credit --partner ${demo.partnerId} --amount 50000`);
    else await shop.wayfare.account.sandboxBalance({ operation: 'set', amount: 50_000 });
    const plans = await plansOf(own, mode);
    const draw = random(SEED);
    const from = new Date(Date.now() - DAY_MS / 2).toISOString();
    await Promise.all(Array.from({ length: BUYERS }, () => customers(shop, plans, mode, draw)));
    const to = new Date(Date.now() + DAY_MS / 2).toISOString();
    assert.deepEqual((await reconcile(shop, from, to)).differences, [], `seed ${SEED}, while some are on their way`);

    // Then everything arrives, and what was cancelled too late for its supplier is handed back.
    if (mode === 'live') t.clock.advance(LATE_MS);
    else await shop.wayfare.sandbox.clock({ advance: LATE_MS / 1000 });
    await eventually('all orders have arrived', async () => {
      await sweep(shop, ORDERS * 2);
      return shop.store
        .open(ORDERS)
        .every(({ status, cancel: called }) => status !== 'waiting' && called !== 'requested');
    });
    const all = shop.store.latest(ORDERS * 2);
    const seen: Record<string, number> = {
      ...countsOf(all.map(({ status, refund }) => [status, refund].filter(Boolean).join(' '))),
      cancelled: all.filter(({ cancel: called }) => called === 'cancelled').length,
      refills: all.filter(({ refills }) => refills !== '').length,
      'in groups': all.filter(({ batch }) => batch !== '').length,
    };
    const report = await reconcile(shop, from, to);
    assert.deepEqual(report.differences, [], `seed ${SEED}: ${JSON.stringify(seen)}`);
    assert.ok(report.orders >= ORDERS && report.chargedCents > 0 && report.refundedCents > 0);
    const wanted = ['unpaid', 'delivered', 'delivered refunded', 'failed', 'cancelled', 'refills', 'in groups'];
    for (const kind of wanted) assert.ok(seen[kind], `${kind}: ${JSON.stringify(seen)}`);

    const { order_id } = await shop.wayfare.purchase.buy({ product_id: plans.good[0]?.id ?? '', reference: 'planted' });
    const [planted] = (await reconcile(shop, from, to)).differences;
    assert.equal(planted?.order, 'planted');
    assert.ok(order_id > 0);
  });
