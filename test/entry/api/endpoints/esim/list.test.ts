import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { usageStatesJob } from '../../../../../src/domains/sales/usage/usage.ts';
import { DAY, SECOND, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../../support/eventually.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import {
  type OwnedEsim,
  ownEsim,
  refill,
  refillShop,
  type Shopper,
  shopperIn,
  withdraw,
} from '../../../../support/sales/refills.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

interface Row {
  iccid: string;
  order_id: number;
  state: string;
}
const states = ['not_active', 'active', 'depleted', 'expired', 'cancelled', 'suspended'] as const;
const list = async ({ key }: Shopper, query = '') => (await t.get(`/esim/list?${query}`, { key })).body;
const iccids = ({ esims }: { esims: Row[] }) => esims.map(({ iccid }) => iccid);
const read = ({ key }: Shopper, { iccid }: OwnedEsim) => t.get(`/order/usage/${iccid}`, { key });

/** Every row is found under its own state and under no other. */
async function assertFiltersAgree(shopper: Shopper): Promise<Record<string, string[]>> {
  const all: Row[] = (await list(shopper, 'limit=100')).esims;
  const found: Record<string, string[]> = {};
  for (const state of states) {
    const rows: Row[] = (await list(shopper, `limit=100&state=${state}`)).esims;
    assert.deepEqual(
      rows,
      all.filter((row) => row.state === state),
      state,
    );
    if (rows.length > 0) found[state] = rows.map(({ iccid }) => iccid);
  }
  return found;
}

test('live: every field; the figures are those of the last reading, and there may be none', async () => {
  const shopper = await shopperIn(t, 'live');
  const esim = await ownEsim(t, shopper, { reference: 'trip 1' });
  const row = {
    iccid: esim.iccid,
    order_id: esim.orderId,
    reference: 'trip 1',
    product_id: await t.alias('tr-1'),
    product_title: 'Türkiye 1 GB',
    country_code: 'TR',
    country_name: 'Türkiye',
    state: 'not_active',
    total_mb: 1024,
    used_mb: 0,
    activated_at: null,
    expires_at: null,
    fetched_at: null,
    refills: 0,
    share_url: (await t.get(`/order/detail/${esim.orderId}`, { key: shopper.key })).body.esim.share_url,
    profile: { state: 'unknown', device: null, country: null, covered: null, seen_at: null },
    capabilities: ['suspend', 'replace', 'refill', 'refund'],
  };
  const { esims, count, has_more } = await list(shopper);
  assert.deepEqual({ esims, count, has_more }, { esims: [row], count: 1, has_more: false });
  await run(t.operator(), `usage set ${esim.iccid} --used 100`);
  assert.deepEqual((await list(shopper)).esims, [row], 'no supplier is asked');
  await read(shopper, esim);
  const now = t.clock.now();
  const after = {
    state: 'active',
    used_mb: 100,
    activated_at: timestamp(now),
    expires_at: timestamp(now + 7 * DAY),
    profile: { ...row.profile, state: 'enabled' },
    capabilities: ['suspend', 'refill', 'refund'],
  };
  assert.deepEqual((await list(shopper)).esims, [{ ...row, ...after, fetched_at: timestamp(now) }]);
});

test('a refill adds no row; it is counted, and its data is in the total', async () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const shopper = await shopperIn(t, mode);
    const esim = await ownEsim(t, shopper);
    await refill(t, shopper, esim, 'some');
    await refill(t, shopper, esim, 'more');
    const { esims } = await list(shopper);
    assert.deepEqual(
      esims.map((row: Record<string, unknown>) => [row.iccid, row.order_id, row.refills, row.total_mb]),
      [[esim.iccid, esim.orderId, 2, 1024 + 512 + 2048]],
    );
  }
});

test('newest first, in pages by order id; limit is clamped and falls back to 20', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const owned: OwnedEsim[] = [];
  for (let n = 0; n < 5; n++) owned.unshift(await ownEsim(t, shopper));
  const all = owned.map(({ iccid }) => iccid);
  const first = await list(shopper, 'limit=2');
  assert.deepEqual([iccids(first), first.count, first.has_more], [all.slice(0, 2), 2, true]);
  const second = await list(shopper, `limit=3&before_id=${owned[1]?.orderId}`);
  assert.deepEqual([iccids(second), second.count, second.has_more], [all.slice(2), 3, false]);
  for (const limit of ['', '0', 'x', '-1', '1000']) assert.equal((await list(shopper, `limit=${limit}`)).count, 5);
  assert.deepEqual(iccids(await list(shopper, 'before_id=&state=')), all, 'empty counts as not sent');
});

test('wrong input is refused with its own code', async () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const { key } = await shopperIn(t, mode);
    const marked = mode === 'live' ? {} : { livemode: false };
    for (const query of ['state=on', 'state=ACTIVE', 'state=active&state=active', 'state[]=active'])
      refused(await t.get(`/esim/list?${query}`, { key }), 'invalid_state', marked);
    for (const query of ['before_id=0', 'before_id=x', 'before_id=-1', 'before_id=1.5', `before_id=${'9'.repeat(19)}`])
      refused(await t.get(`/esim/list?${query}`, { key }), 'invalid_before_id', marked);
  }
});

test('only the partner’s own, in its own world', async () => {
  const [owner, stranger] = [await shopperIn(t, 'live'), await shopperIn(t, 'live')];
  await ownEsim(t, owner);
  assert.deepEqual([(await list(stranger)).count, (await list(stranger, 'state=not_active')).count], [0, 0]);
  assert.equal((await list({ ...owner, key: await t.key(owner.partnerId, 'sandbox') })).count, 0);
});

test('an order that is not delivered is not an eSIM yet; a deferred one is after its time', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const product_id = await t.alias('tr-1');
  for (const sandbox_scenario of ['deferred', 'failed'])
    await t.post('/purchase/buy', { product_id, sandbox_scenario }, { key: shopper.key });
  assert.equal((await list(shopper)).count, 0);
  t.clock.advance(61 * SECOND);
  assert.equal((await list(shopper)).count, 1);
});

test('sandbox: states follow the script at once, then refills and the test clock; the filter agrees', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const owned: Record<string, OwnedEsim> = {};
  for (const sandbox_usage of ['not_active', 'active', 'depleted', 'expired'])
    owned[sandbox_usage] = await ownEsim(t, shopper, { sandbox_usage });
  const of = (name: string) => owned[name] as OwnedEsim;
  const rows = (await list(shopper)).esims;
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [row.state, row.used_mb, row.fetched_at]),
    [
      ['expired', 512],
      ['depleted', 1024],
      ['active', 512],
      ['not_active', 0],
    ].map((row) => [...row, timestamp(t.clock.now())]),
  );
  await refill(t, shopper, of('depleted'), 'some');
  assert.deepEqual(await assertFiltersAgree(shopper), {
    not_active: [of('not_active').iccid],
    active: [of('depleted').iccid, of('active').iccid],
    expired: [of('expired').iccid],
  });
  // Seven days and three more for the one that was refilled.
  for (const [by, state] of [
    ['8d', 'active'],
    ['3d', 'expired'],
  ] as const) {
    await run(t.operator(), `sandbox clock advance --partner ${shopper.partnerId} --by ${by}`);
    await eventuallyRows(shopper, (found) => found[1]?.state === state && found[2]?.state === 'expired');
    await assertFiltersAgree(shopper);
  }
  await withdraw(t, 'sandbox', of('not_active'));
  assert.deepEqual((await assertFiltersAgree(shopper)).cancelled, [of('not_active').iccid]);
});

async function eventuallyRows(shopper: Shopper, holds: (rows: Row[]) => boolean): Promise<Row[]> {
  let rows: Row[] = [];
  await eventually('the clock is seen', async () => {
    rows = (await list(shopper)).esims;
    return holds(rows);
  });
  return rows;
}

test('live: the filter agrees with what was last read, and with time; a job keeps it so', async () => {
  const shopper = await shopperIn(t, 'live');
  const owned = [];
  for (let n = 0; n < 5; n++) owned.push(await ownEsim(t, shopper));
  const [untouched, active, depleted, ended, gone] = owned as [OwnedEsim, OwnedEsim, OwnedEsim, OwnedEsim, OwnedEsim];
  await run(t.operator(), `usage set ${active.iccid} --used 100`);
  await run(t.operator(), `usage set ${depleted.iccid} --used 1024`);
  await run(
    t.operator(),
    `usage set ${ended.iccid} --used 5 --expires-at ${timestamp(t.clock.now() + DAY).replace(' ', 'T')}Z`,
  );
  for (const esim of [active, depleted, ended, gone]) await read(shopper, esim);
  await withdraw(t, 'live', gone);
  const expected = (expired: OwnedEsim[], running: OwnedEsim[], used: OwnedEsim[]) => ({
    not_active: [untouched.iccid],
    ...(running.length > 0 && { active: running.map(({ iccid }) => iccid) }),
    ...(used.length > 0 && { depleted: used.map(({ iccid }) => iccid) }),
    ...(expired.length > 0 && { expired: expired.map(({ iccid }) => iccid) }),
    cancelled: [gone.iccid],
  });
  assert.deepEqual(await assertFiltersAgree(shopper), expected([], [ended, active], [depleted]));
  t.clock.advance(2 * DAY);
  assert.deepEqual(await assertFiltersAgree(shopper), expected([ended], [active], [depleted]));
  const { db } = t.base.worlds.live;
  const job = usageStatesJob({ db: db }, t.clock);
  while ((await job.run(new AbortController().signal)) > 0);
  const { usage_state } = await db.one<{ usage_state: string }>(sql`
    select usage_state from orders where id = ${ended.orderId}`);
  assert.equal(usage_state, 'expired', 'the job has marked it');
  assert.deepEqual(await assertFiltersAgree(shopper), expected([ended], [active], [depleted]));
  t.clock.advance(30 * DAY);
  assert.deepEqual(await assertFiltersAgree(shopper), expected([ended, depleted, active], [], []));
});

test('an ICCID that a supplier used again belongs to its latest order', async () => {
  const [first, second] = [await shopperIn(t, 'live'), await shopperIn(t, 'live')];
  const [old, latest] = [await ownEsim(t, first), await ownEsim(t, second)];
  await t.base.worlds.live.db.run(sql`update orders set iccid = ${latest.iccid} where id = ${old.orderId}`);
  assert.deepEqual([(await list(first)).count, (await list(second)).count], [0, 1]);
  refused(await t.get(`/esim/detail/${latest.iccid}`, { key: first.key }), 'esim_not_found');
});

test('suspended in whatever state, with or without its time running out, a row is found under its own state alone', async () => {
  for (const mode of ['live', 'sandbox'] as const) {
    const shopper = await shopperIn(t, mode);
    const suspended = [];
    for (const state of ['not_active', 'active', 'depleted'] as const)
      for (const isSuspended of [true, false]) {
        const esim = await ownEsim(t, shopper, mode === 'live' ? {} : { sandbox_usage: state });
        if (mode === 'live' && state !== 'not_active')
          await run(t.operator(), `usage set ${esim.iccid} --used ${state === 'active' ? 5 : 1024}`);
        if (mode === 'live') await read(shopper, esim);
        if (!isSuspended) continue;
        suspended.unshift(esim.iccid);
        await t.post('/esim/suspend', { iccid: esim.iccid }, { key: shopper.key });
      }
    const found = await assertFiltersAgree(shopper);
    assert.deepEqual(found.suspended, suspended);
    assert.deepEqual(
      ['not_active', 'active', 'depleted'].map((state) => found[state]?.length),
      [1, 1, 1],
    );
    if (mode === 'live') t.clock.advance(8 * DAY);
    else {
      await run(t.operator(), `sandbox clock advance --partner ${shopper.partnerId} --by 8d`);
      await eventuallyRows(shopper, (rows) => rows[0]?.state === 'expired');
    }
    const later = await assertFiltersAgree(shopper);
    assert.deepEqual([later.suspended?.length, later.expired?.length], [1, 4], mode);
  }
});
