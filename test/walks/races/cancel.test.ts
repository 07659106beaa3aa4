import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import type { Routing } from '../../../src/domains/sales/purchase/route-on.ts';
import type { PaidOrder } from '../../../src/domains/sales/purchase/supplier-calls.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import {
  type AtStep,
  type Behaviour,
  endOf,
  FakeSupplier,
  requireOneOfTwo,
  toItsEnd,
  walkingProcess,
} from '../../support/sales/cancel-walk.ts';
import { paidOrder, type TestPlan, testPlan } from '../../support/sales/paid-order.ts';
import { pausedSubscription } from '../../support/sales/shop.ts';

/*
 * A cancel comes in before every step of an order: before each statement and each call of the request that took the payment, and of the
 * jobs after it. Then once more with the process dying at that step, right before or right after the cancel.
 */

// No jobs of its own: every try here is the test's.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
let plan: TestPlan;
let partnerId: number;
before(async () => {
  t.clock.freeze();
  plan = await testPlan(t);
  partnerId = await t.partner();
  await pausedSubscription(t, partnerId, 'order.delivered,order.failed,order.refunded', 'live');
});

const delivers = { books: true, answers: 'delivered' } as const;
const refuses = { books: false, answers: 'refused' } as const;
const isAway = { books: false, answers: 'unavailable' } as const;
const takes = ['withdrawn'] as const;

const behaviours: Readonly<Record<string, Behaviour>> = {
  'delivers at once, takes back': { order: [delivers], withdraw: takes },
  'delivers at once, takes nothing back': { order: [delivers], withdraw: ['none'] },
  'delivers at once, refuses to take it back': { order: [delivers], withdraw: ['refused'] },
  'delivers at once, takes back after a silence': { order: [delivers], withdraw: ['unavailable', 'withdrawn'] },
  'delivers late, takes back': {
    order: [{ books: true, answers: 'pending' }],
    find: ['pending', 'there'],
    withdraw: takes,
  },
  'delivers late, takes nothing back': {
    order: [{ books: true, answers: 'pending' }],
    find: ['pending', 'there'],
    withdraw: ['none'],
  },
  'is away at first': { order: [isAway, delivers], withdraw: takes },
  refuses: { order: [refuses], withdraw: takes },
  'loses its answer, and has the order': { order: [{ books: true, answers: 'unknown' }], withdraw: takes },
  'loses its answer and the look-up, and has the order': {
    order: [{ books: true, answers: 'unknown' }],
    find: ['unavailable', 'unavailable', 'there'],
    withdraw: takes,
  },
  'loses the order': { order: [{ books: false, answers: 'unknown' }, delivers], withdraw: takes },
};

interface Ground {
  readonly suppliers: ReadonlyMap<string, FakeSupplier>;
  readonly routing?: Routing;
}

const alone = (behaviour: Behaviour) => (): Ground => ({
  suppliers: new Map([['aurora', new FakeSupplier('aurora', behaviour)]]),
});
const routed = (first: Behaviour, second: Behaviour) => (): Ground => {
  const slugs = ['aurora', 'borealis'] as const;
  const behaviour = { aurora: first, borealis: second };
  const offers = slugs.map((supplier) => ({
    ...{ supplier, supplierPlan: plan.code, amountMb: 1024, day: 7, cost: toMicros(4_000_000n) },
  }));
  return {
    suppliers: new Map(slugs.map((slug) => [slug, new FakeSupplier(slug, behaviour[slug])])),
    routing: { offers: () => offers },
  };
};

const grounds: Readonly<Record<string, () => Ground>> = {
  ...Object.fromEntries(
    Object.entries(behaviours).map(([name, behaviour]) => [`a supplier ${name}`, alone(behaviour)]),
  ),
  'a route whose first supplier refuses': routed(behaviours.refuses as Behaviour, {
    order: [delivers],
    withdraw: takes,
  }),
  'a route whose suppliers are away at first': routed(
    { order: [isAway, delivers], withdraw: takes },
    { order: [isAway, delivers], withdraw: takes },
  ),
  'a route whose first supplier may have it': routed(
    { order: [{ books: true, answers: 'unknown' }], find: ['unavailable', 'there'], withdraw: ['none'] },
    { order: [delivers], withdraw: takes },
  ),
};

/** One order from its payment to its end. `atStep`: what happens before each step of the first process. */
async function walk({ suppliers, routing }: Ground, atStep: (die: () => void, order: PaidOrder) => AtStep) {
  const order = await paidOrder(t, { partnerId, plan });
  const first = walkingProcess(t, suppliers, (n, label) => atStep(() => first.die(), order)(n, label));
  const others = walkingProcess(t, suppliers, async () => {});
  const ended = async () => {
    await first.provisioning.provision(order, t.clock, routing);
    await toItsEnd(t, first, order.id, routing);
  };
  await ended().catch(() => {});
  await toItsEnd(t, others, order.id, routing);
  return { order, end: await endOf(t, order.id), steps: first.steps };
}

const cancel = (order: PaidOrder) =>
  t.base.worlds.live.provisioning.cancel({ partnerId, orderId: order.id, at: new Date(t.clock.now()) });

for (const [name, ground] of Object.entries(grounds))
  test(`${name}: whenever the cancel comes, and whichever process dies, partner and suppliers have the money or the eSIM`, async (c) => {
    const { steps } = await walk(ground(), () => async () => {});
    assert.ok(steps >= 3, `${steps} steps`);
    const ends = new Map<string, number>();
    for (const dies of ['nobody', 'before', 'after'] as const)
      for (let at = 1; at <= steps; at++) {
        const own = ground();
        let placed = 0;
        const { order, end } = await walk(own, (die, order) => async (n) => {
          if (n !== at) return;
          if (dies === 'before') die();
          await cancel(order);
          if (dies === 'after') die();
          placed = [...own.suppliers.values()].reduce((sum, one) => sum + one.placed.length, 0);
        });
        const label = `cancelled before step ${at} of ${steps}, dies: ${dies}`;
        requireOneOfTwo(end, own.suppliers, order, label);
        // At most the call that the cancel came in before: no other supplier is asked.
        const later = [...own.suppliers.values()].reduce((sum, one) => sum + one.placed.length, 0) - placed;
        assert.ok(later <= 1, `${label}: ${later} calls followed`);
        // Asking again returns it as it stands, and moves nothing.
        const again = await cancel(order);
        assert.equal(again?.status, end.cancel ?? 'too_late', label);
        assert.deepEqual({ ...(await endOf(t, order.id)), cancel: end.cancel }, end, label);
        const key = `${end.state}, ${end.cancel}`;
        ends.set(key, (ends.get(key) ?? 0) + 1);
      }
    const { drift } = await proveBooks(t.base.worlds.live.db, () => {});
    assert.deepEqual(drift, []);
    c.diagnostic(`${3 * steps} cancels: ${[...ends].map(([end, count]) => `${count} ${end}`).join('; ')}`);
  });

test('each order has sent one event of its end, and one of its refund if it was handed back', async () => {
  const sent: Readonly<Record<string, readonly string[]>> = {
    'failed cancelled': ['order.failed'],
    'failed too_late': ['order.failed'],
    'delivered too_late': ['order.delivered'],
    'delivered cancelled': ['order.delivered', 'order.refunded'],
  };
  const rows = await t.base.worlds.live.db.query<{ id: bigint; end: string; events: string[] }>(sql`
    select id, delivery || ' ' || cancel_status as end,
      array(select event_type from webhook_deliveries where order_id = orders.id order by event_type) as events
    from orders where cancel_status is not null`);
  assert.ok(rows.length > 200);
  for (const { id, end, events } of rows) assert.deepEqual(events, sent[end], `order ${id} is ${end}`);
});
