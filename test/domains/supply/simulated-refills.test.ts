import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { EsimReference, SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { type Sql, sql } from '../../../src/platform/db/query/sql.ts';
import { newEsim, newRefill, refilled, usageOf } from '../../suites/supplier-rig.ts';
import { eventually } from '../../support/eventually.ts';
import { type SimulatedRig, simulatedRig } from '../../support/suppliers/simulated-rig.ts';

const LIMIT_MS = 60_000;

suite('simulated: refills and withdrawals', () => {
  let rig: SimulatedRig;
  before(async () => {
    rig = await simulatedRig();
  });
  after(() => rig[Symbol.asyncDispose]());

  const order = (asked: SupplierOrder) => rig.supplier.order(asked, LIMIT_MS);
  const refill = async (esim: EsimReference) => refilled(await order(newRefill(rig, esim)));
  const withdraw = async (esim: EsimReference) => (await rig.supplier.withdraw?.(esim, LIMIT_MS))?.outcome;
  /** The clock runs on while the test does. */
  const daysTo = (end: Date | null | undefined) => Math.round((Number(end) - rig.clock.now()) / (DAY / 100)) / 100;
  const inDays = (days: number) => new Date(rig.clock.now() + days * DAY);

  test('one reference is one refill, however often and however concurrently it is sent', async () => {
    const esim = await newEsim(rig);
    const asked = newRefill(rig, esim);
    const answers = await Promise.all(Array.from({ length: 40 }, () => order(asked)));
    assert.equal(new Set(answers.map((answer) => refilled(answer).supplierOrder)).size, 1);
    assert.equal(await rig.timesOrdered(asked.reference), 40);
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + 2048);
  });

  test('a refill outlives the service', async () => {
    await using own = await simulatedRig();
    const esim = await newEsim(own);
    const asked = newRefill(own, esim);
    const answer = await own.supplier.order(asked, LIMIT_MS);
    await own.restart();
    // The first call may still meet the connection that was closed.
    const found = await eventually('the service answers again', async () => {
      const looked = await own.supplier.find(asked, LIMIT_MS);
      return looked.outcome !== 'unknown' && looked;
    });
    assert.deepEqual(found, answer);
    assert.equal((await usageOf(own, esim)).totalMb, 1024 + 2048);
  });

  test('an eSIM that is unknown, was refused, or is of another supplier cannot be refilled', async () => {
    const unknown = { iccid: '8944538999999999994', supplierOrder: null };
    const notOurs = { iccid: '8900000000000000001', supplierOrder: null };
    assert.equal((await order(newRefill(rig, unknown))).outcome, 'refused');
    assert.equal((await order(newRefill(rig, notOurs))).outcome, 'refused');
    const esim = await newEsim(rig);
    const foreign = newRefill(rig, esim);
    assert.equal((await rig.as('beacon').order(foreign, LIMIT_MS)).outcome, 'refused');
    assert.equal((await rig.supplier.find(foreign, LIMIT_MS)).outcome, 'refused', 'and stays refused');
    assert.equal((await usageOf(rig, esim)).totalMb, 1024);
  });

  test('a reference that stands for an eSIM is never taken for a refill, nor the other way round', async () => {
    const esim = await newEsim(rig);
    const asked = newRefill(rig, esim);
    refilled(await order(asked));
    assert.equal((await order({ ...asked, refillOf: null })).outcome, 'unknown');
    const other = await newEsim(rig);
    assert.equal((await order({ ...asked, refillOf: other })).outcome, 'unknown');
    assert.equal((await usageOf(rig, other)).totalMb, 1024);
  });

  test('before activation a refill makes the validity longer', async () => {
    const esim = await newEsim(rig);
    await refill(esim);
    await rig.use?.(esim.iccid);
    assert.equal(daysTo((await usageOf(rig, esim)).expiresAt), 7 + 10);
  });

  test('in use a refill moves the end; after the end it starts again from the refill', async () => {
    const esim = await newEsim(rig);
    await rig.use?.(esim.iccid);
    await refill(esim);
    assert.equal(daysTo((await usageOf(rig, esim)).expiresAt), 7 + 10);
    rig.clock.advance(100 * DAY);
    await refill(esim);
    assert.equal(daysTo((await usageOf(rig, esim)).expiresAt), 10);
  });

  test('usage set by hand includes the refills so far, and later ones come on top', async () => {
    const esim = await newEsim(rig);
    await refill(esim);
    const after = await rig.set(esim.iccid, { usedMb: 5 });
    assert.deepEqual([after?.used_mb, after?.total_mb, daysTo(after?.expires_at)], [5, 1024 + 2048, 17]);
    await rig.set(esim.iccid, { usedMb: 6 });
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + 2048, 'counted once');
    await rig.set(esim.iccid, { usedMb: 7, totalMb: 500, expiresAt: inDays(1) });
    assert.equal((await usageOf(rig, esim)).totalMb, 500);
    await refill(esim);
    const { totalMb, usedMb, expiresAt } = await usageOf(rig, esim);
    assert.deepEqual([totalMb, usedMb, daysTo(expiresAt)], [500 + 2048, 7, 11]);
  });

  test('a delayed refill that becomes ready after usage was set still counts, once', async () => {
    const esim = await newEsim(rig);
    await rig.behave('delay');
    const asked = newRefill(rig, esim);
    assert.equal((await order(asked)).outcome, 'pending');
    await rig.behave('deliver');
    await rig.use?.(esim.iccid);
    assert.equal((await usageOf(rig, esim)).totalMb, 1024);
    rig.passDelay();
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + 2048);
    await rig.use?.(esim.iccid);
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + 2048);
  });

  test('a withdrawn eSIM has no usage, and none can be set', async () => {
    const esim = await newEsim(rig);
    assert.equal(await withdraw(esim), 'withdrawn');
    assert.deepEqual(await rig.supplier.usage(esim, LIMIT_MS), { outcome: 'none' });
    assert.equal(await rig.set(esim.iccid, { usedMb: 5 }), undefined);
    assert.equal(await withdraw(esim), 'withdrawn');
  });

  test('a refilled eSIM is not withdrawn; one whose refill was refused is', async () => {
    const [kept, given] = [await newEsim(rig), await newEsim(rig)];
    await refill(kept);
    assert.equal(await withdraw(kept), 'refused');
    await rig.behave('refuse');
    assert.equal((await order(newRefill(rig, given))).outcome, 'refused');
    await rig.behave('deliver');
    assert.equal(await withdraw(given), 'withdrawn');
  });

  test('a refill and a withdrawal at the same moment: exactly one of them happens', async () => {
    const esims = await Promise.all(Array.from({ length: 20 }, () => newEsim(rig)));
    await Promise.all(
      esims.map(async (esim) => {
        const [added, taken] = await Promise.all([order(newRefill(rig, esim)), withdraw(esim)]);
        const expected = added.outcome === 'refilled' ? 'refused' : 'withdrawn';
        assert.equal(taken, expected, added.outcome);
      }),
    );
  });

  /** Runs `work` while the eSIM is being changed by `change`, which commits only once `work` waits for it. */
  async function during<T>(change: Sql, work: () => Promise<T>): Promise<T> {
    let waiting: Promise<T> | undefined;
    await rig.db.tx(async (tx) => {
      await tx.run(change);
      waiting = work();
      await eventually('it waits for the eSIM', async () => {
        const { locked } = await rig.db.one<{ locked: boolean }>(sql`
          select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as locked`);
        return locked;
      });
    });
    return waiting as Promise<T>;
  }

  test('a refill waits for a withdrawal that is being stored, and is refused', async () => {
    const esim = await newEsim(rig);
    const id = String(esim.supplierOrder).slice(1);
    const withdrawal = sql`update orders set withdrawn_at = now() where id = ${id}::bigint`;
    const answer = await during(withdrawal, () => order(newRefill(rig, esim)));
    assert.equal(answer.outcome, 'refused');
  });

  test('a withdrawal waits for a refill that is being stored, and is refused', async () => {
    const esim = await newEsim(rig);
    const id = String(esim.supplierOrder).slice(1);
    const refilling = sql`
      with sold as (select id from orders where id = ${id}::bigint for share)
      insert into orders (reference, plan, refused, ready_at, matching_id, day, total_mb, refill_of)
      select 'wf-held', 'aurora/two-gb-refill', false, now(), '', 10, 2048, ${esim.iccid} from sold`;
    assert.equal(await during(refilling, () => withdraw(esim)), 'refused');
    assert.equal((await usageOf(rig, esim)).totalMb, 1024 + 2048);
  });

  test('an activation and a withdrawal at the same moment: exactly one of them happens', async () => {
    const esims = await Promise.all(Array.from({ length: 20 }, () => newEsim(rig)));
    await Promise.all(
      esims.map(async (esim) => {
        const [set, taken] = await Promise.all([rig.set(esim.iccid, { usedMb: 1 }), withdraw(esim)]);
        assert.equal(taken, set ? 'refused' : 'withdrawn');
      }),
    );
  });
});
