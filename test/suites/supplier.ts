import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { isIccid } from '../../src/domains/supply/port/esim.ts';
import type { Esim } from '../../src/domains/supply/port/port.ts';
import { SECOND } from '../../src/platform/clock.ts';
import { runTime } from '../support/eventually.ts';
import { phoneRules } from './supplier-phones.ts';
import { refillRules } from './supplier-refills.ts';
import {
  type Abilities,
  delivered,
  type Fault,
  LIMIT_MS,
  newEsim,
  newOrder,
  PENDING_MS,
  SHORT_MS,
  type SupplierRig,
  usageOf,
} from './supplier-rig.ts';
import { withdrawalRules } from './supplier-withdrawals.ts';

export type { Fault, SupplierRig } from './supplier-rig.ts';

function isComplete(esim: Esim): void {
  assert.ok(isIccid(esim.iccid), `${esim.iccid} has 19 or 20 digits and a right check digit`);
  assert.equal(esim.activationCode, `LPA:1$${esim.smdpAddress}$${esim.matchingId}`);
  if (esim.appleUrl !== null) assert.ok(esim.appleUrl.endsWith(esim.activationCode));
}

/** What provisioning relies on with every supplier. Rules about faults that a supplier cannot have are left out. */
export function supplierSuite(
  name: string,
  faults: readonly Fault[],
  open: () => Promise<SupplierRig>,
  able: Abilities = {},
): void {
  function proved(title: string, prove: (rig: SupplierRig) => Promise<void>): void {
    test(`${name}: ${title}`, async () => {
      await using rig = await open();
      await prove(rig);
    });
  }

  function rule(title: string, fault: Fault, prove: (rig: SupplierRig) => Promise<void>): void {
    if (!faults.includes(fault)) return;
    proved(title, async (rig) => {
      await rig.behave(fault);
      await prove(rig);
    });
  }

  proved('says whether it sells refills, takes eSIMs back and suspends them', async ({ supplier }) => {
    const { sellsRefills, withdraw, suspend, resume } = supplier;
    assert.deepEqual(
      [sellsRefills, withdraw !== undefined, suspend !== undefined, resume !== undefined],
      [able.refills, able.withdrawals, able.suspensions, able.suspensions].map((faults) => faults !== undefined),
    );
  });

  rule('an order is delivered complete and can be found under our reference', 'deliver', async (rig) => {
    const order = newOrder(rig);
    const { esim, supplierOrder } = delivered(await rig.supplier.order(order, LIMIT_MS));
    isComplete(esim);
    assert.ok(supplierOrder.length > 0);
    assert.deepEqual(delivered(await rig.supplier.find({ ...order, supplierOrder }, LIMIT_MS)).esim, esim);
    assert.deepEqual(delivered(await rig.supplier.find(order, LIMIT_MS)).esim, esim);
  });

  rule('two orders get two eSIMs', 'deliver', async (rig) => {
    const answers = await Promise.all(
      [newOrder(rig), newOrder(rig), newOrder(rig)].map((order) => rig.supplier.order(order, LIMIT_MS)),
    );
    assert.equal(new Set(answers.map((answer) => delivered(answer).esim.iccid)).size, 3);
  });

  rule('a rejected order stays rejected', 'refuse', async (rig) => {
    const order = newOrder(rig);
    assert.equal((await rig.supplier.order(order, LIMIT_MS)).outcome, 'refused');
    assert.notEqual((await rig.supplier.find(order, LIMIT_MS)).outcome, 'delivered');
  });

  rule('a delayed order is pending, then found delivered', 'delay', async (rig) => {
    const order = newOrder(rig);
    const placed = await rig.supplier.order(order, PENDING_MS);
    assert.ok(placed.outcome === 'pending', inspect(placed));
    // The supplier's number is stored with the order, so every later look-up has it.
    const known = { ...order, supplierOrder: placed.supplierOrder };
    assert.equal((await rig.supplier.find(known, PENDING_MS)).outcome, 'pending');
    await rig.passDelay();
    isComplete(delivered(await rig.supplier.find(known, LIMIT_MS)).esim);
    assert.equal(await rig.timesOrdered(order.reference), 1);
  });

  rule(
    'a silent call ends at the limit, and its order is found when the supplier answers again',
    'timeout',
    async (rig) => {
      const order = newOrder(rig);
      const started = performance.now();
      using run = runTime();
      const { reason: _, ...answer } = (await rig.supplier.order(order, SHORT_MS)) as { reason: string };
      assert.deepEqual(answer, { outcome: 'unknown', silent: true });
      const took = performance.now() - started;
      assert.ok(took >= SHORT_MS - 5 && run.ms < SHORT_MS + SECOND, `took ${took} ms`);
      await rig.behave('deliver');
      delivered(await rig.supplier.find(order, LIMIT_MS));
      assert.equal(await rig.timesOrdered(order.reference), 1);
    },
  );

  rule('a truncated answer is unknown, and its order is found', 'break', async (rig) => {
    const order = newOrder(rig);
    assert.equal((await rig.supplier.order(order, LIMIT_MS)).outcome, 'unknown');
    delivered(await rig.supplier.find(order, LIMIT_MS));
    assert.equal(await rig.timesOrdered(order.reference), 1);
  });

  rule('an answer sent twice is never taken for the answer to another order', 'duplicate', async (rig) => {
    const orders = Array.from({ length: 12 }, () => newOrder(rig));
    const iccids = new Set<string>();
    for (const order of orders) {
      const answer = await rig.supplier.order(order, LIMIT_MS);
      const found = delivered(await rig.supplier.find(order, LIMIT_MS));
      if (answer.outcome === 'delivered') assert.deepEqual(answer.esim, found.esim);
      else assert.equal(answer.outcome, 'unknown');
      iccids.add(found.esim.iccid);
    }
    assert.equal(iccids.size, orders.length);
  });

  rule('an order that was never placed is certainly absent', 'timeout', async (rig) => {
    await rig.behave('deliver');
    const order = { ...newOrder(rig), ...(able.resends && { orderedAt: null }) };
    assert.deepEqual(await rig.supplier.find(order, LIMIT_MS), { outcome: 'absent' });
    assert.equal(await rig.timesOrdered(order.reference), 0);
  });

  if (able.resends)
    rule('an order that may have arrived, and has not, is placed by looking for it, once', 'timeout', async (rig) => {
      await rig.behave('deliver');
      const order = newOrder(rig);
      const { esim } = delivered(await rig.supplier.find(order, LIMIT_MS));
      assert.deepEqual(delivered(await rig.supplier.order(order, LIMIT_MS)).esim, esim);
      assert.equal(await rig.timesOrdered(order.reference), 1);
    });

  rule('a supplier that cannot be reached has certainly not got the order', 'away', async (rig) => {
    const order = newOrder(rig);
    for (const asked of [rig.supplier.order(order, LIMIT_MS), rig.supplier.find(order, LIMIT_MS)]) {
      const { reason: _, ...answer } = (await asked) as { reason: string };
      assert.deepEqual(answer, { outcome: 'unavailable', silent: true });
    }
    if (able.withoutUsage) return;
    const esim = { iccid: '8944538000000000017', supplierOrder: null, day: 7, deliveredAt: new Date(), script: null };
    assert.equal((await rig.supplier.usage(esim, LIMIT_MS)).outcome, 'unavailable');
  });

  if (able.withoutUsage)
    rule('no eSIM has a usage reading', 'deliver', async (rig) => {
      assert.deepEqual(await rig.supplier.usage(await newEsim(rig), LIMIT_MS), { outcome: 'none' });
    });
  else
    rule('a delivered eSIM has a usage reading, in whole MB', 'deliver', async (rig) => {
      assert.deepEqual(await usageOf(rig, await newEsim(rig)), {
        state: 'not_active',
        totalMb: 1024,
        usedMb: 0,
        activatedAt: null,
        expiresAt: null,
      });
    });

  rule('an ICCID that was never sold has no usage', 'timeout', async (rig) => {
    await rig.behave('deliver');
    const esim = { iccid: '8944538999999999994', supplierOrder: null, day: 7, deliveredAt: new Date(), script: null };
    assert.deepEqual(await rig.supplier.usage(esim, LIMIT_MS), { outcome: 'none' });
  });

  refillRules(proved, able);
  withdrawalRules(proved, able);
  phoneRules(proved, able);
}
