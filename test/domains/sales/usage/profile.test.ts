import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { coveredBy } from '../../../../src/domains/sales/esims/esims.ts';
import type { ProfileReading, Supplier } from '../../../../src/domains/supply/port/port.ts';
import { DAY, HOUR, MINUTE, timestamp } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import type { StockedApp } from '../../../support/sales/catalog.ts';
import {
  type OwnedEsim,
  ownEsim,
  refillShop,
  type Shopper,
  shopperIn,
  withdraw,
} from '../../../support/sales/refills.ts';
import { bodies, eventIds, subscribePaused } from '../../../support/servers/queued-events.ts';

const PHONE = 'esim.installed,esim.removed,esim.country_changed';
const KIND = 'simulated';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

const detail = async ({ key }: Shopper, { iccid }: OwnedEsim) => (await t.get(`/esim/detail/${iccid}`, { key })).body;
const note = ({ iccid }: OwnedEsim, told: Partial<ProfileReading>, kind = KIND) =>
  t.base.worlds.live.usage.noteProfile(kind, iccid, told);

/** Readings of this supplier tell this of the phone, until it is disposed of. */
async function readingsTell(told: () => Partial<ProfileReading> | undefined) {
  const supplier: { -readonly [K in 'usage']: Supplier[K] } = await t.base.worlds.live.suppliers.of('aurora');
  const { usage } = supplier;
  let calls = 0;
  supplier.usage = async (esim, limitMs) => {
    calls++;
    const { profile: _own, ...answer } = (await usage(esim, limitMs)) as never as Record<string, unknown>;
    const profile = told();
    return { ...answer, ...(profile && { profile }) } as never;
  };
  return { calls: () => calls, [Symbol.dispose]: () => void Object.assign(supplier, { usage }) };
}

suite('readings', () => {
  test('a reading with the phone in it stores it and sends its events, without a further call', async () => {
    const shopper = await shopperIn(t, 'live');
    await subscribePaused(t, shopper.partnerId, 'live', PHONE);
    const esim = await ownEsim(t, shopper);
    const seenAt = new Date(t.clock.now() - HOUR);
    using supplier = await readingsTell(() => ({
      state: 'installed',
      device: { brand: 'Google', model: 'Pixel 9' },
      country: 'TR',
      seenAt,
    }));
    const { profile } = (await detail(shopper, esim)).esim;
    assert.deepEqual(profile, {
      state: 'installed',
      device: { brand: 'Google', model: 'Pixel 9' },
      country: 'TR',
      covered: true,
      seen_at: timestamp(seenAt),
    });
    assert.equal(supplier.calls(), 1);
    const ids = [`esim.installed:${esim.iccid}:1`, `esim.country_changed:${esim.iccid}:1`];
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), ids);
    const [installed, changed] = await bodies(t, shopper.partnerId, 'live');
    assert.deepEqual(Object.keys(installed), [
      ...['event', 'event_id', 'occurred_at', 'iccid', 'order_id', 'reference', 'profile'],
    ]);
    assert.deepEqual([changed.country, changed.covered, changed.profile], ['TR', true, profile]);
    t.clock.advance(2 * MINUTE);
    await detail(shopper, esim);
    assert.equal(supplier.calls(), 2, 'it was read again');
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), ids, 'and nothing new was seen');
  });

  test('what a reading does not tell stays as it is known; unknown tells nothing', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    let told: Partial<ProfileReading> | undefined = {
      state: 'enabled',
      country: 'FR',
      seenAt: new Date(t.clock.now()),
    };
    using _supplier = await readingsTell(() => told);
    const first = (await detail(shopper, esim)).esim.profile;
    for (const next of [undefined, {}, { state: 'unknown' as const, device: null, country: null, seenAt: null }]) {
      told = next;
      t.clock.advance(2 * MINUTE);
      assert.deepEqual((await detail(shopper, esim)).esim.profile, first);
    }
    told = { device: { brand: 'Apple', model: '' } };
    t.clock.advance(2 * MINUTE);
    const last = (await detail(shopper, esim)).esim.profile;
    assert.deepEqual(last, { ...first, device: { brand: 'Apple', model: '' } });
  });

  test('a country without a time has no time; the time of another country is not kept for it', async () => {
    const shopper = await shopperIn(t, 'live');
    const esim = await ownEsim(t, shopper);
    await note(esim, { country: 'FR', seenAt: new Date(t.clock.now()) });
    await note(esim, { country: 'DE' });
    const { country, seen_at } = (await detail(shopper, esim)).esim.profile;
    assert.deepEqual([country, seen_at], ['DE', null]);
  });

  test('a subscription to one of them makes eSIMs watched; one to suspensions alone does not', async () => {
    for (const [events, isWatched] of [
      ['esim.installed', true],
      ['esim.country_changed', true],
      ['esim.suspended,esim.resumed', false],
    ] as const) {
      const shopper = await shopperIn(t, 'live');
      await subscribePaused(t, shopper.partnerId, 'live', events);
      const { orderId } = await ownEsim(t, shopper);
      const { due } = await t.base.worlds.live.db.one<{ due: Date | null }>(sql`
        select watch_due_at as due from orders where id = ${orderId}`);
      assert.equal(due !== null, isWatched, events);
    }
  });

  test('a subscription that names no events receives none of them', async () => {
    const shopper = await shopperIn(t, 'live');
    const url = 'https://93.184.215.14/contract';
    await run(t.operator(), `webhook create --partner ${shopper.partnerId} --mode live --url ${url}`);
    const esim = await ownEsim(t, shopper);
    await note(esim, { state: 'installed', country: 'TR' });
    await t.post('/esim/suspend', { iccid: esim.iccid }, { key: shopper.key });
    const ids = await eventIds(t, shopper.partnerId, 'live');
    assert.deepEqual(
      ids.filter((id) => id.startsWith('esim.')),
      [],
    );
  });
});

suite('notifications', () => {
  test('are kept and sent like readings, once however often they come', async () => {
    const shopper = await shopperIn(t, 'live');
    await subscribePaused(t, shopper.partnerId, 'live', PHONE);
    const esim = await ownEsim(t, shopper);
    const seenAt = new Date(t.clock.now());
    await Promise.all(Array.from({ length: 10 }, () => note(esim, { country: 'FR', seenAt })));
    assert.deepEqual(await eventIds(t, shopper.partnerId, 'live'), [`esim.country_changed:${esim.iccid}:1`]);
    await note(esim, { state: 'deleted' });
    assert.equal((await eventIds(t, shopper.partnerId, 'live')).at(-1), `esim.removed:${esim.iccid}:1`);
  });

  test('a late one does not replace what was seen after it', async () => {
    const shopper = await shopperIn(t, 'live');
    await subscribePaused(t, shopper.partnerId, 'live', PHONE);
    const esim = await ownEsim(t, shopper);
    const now = t.clock.now();
    await note(esim, { country: 'FR', seenAt: new Date(now - HOUR) });
    await note(esim, { country: 'DE', seenAt: new Date(now - DAY), state: 'enabled' });
    const { state, country, seen_at } = (await detail(shopper, esim)).esim.profile;
    assert.deepEqual([country, seen_at], ['FR', timestamp(now - HOUR)]);
    assert.notEqual(state, 'unknown', 'the rest of it counts');
    const changes = (await eventIds(t, shopper.partnerId, 'live')).filter((id) => id.includes('country'));
    assert.equal(changes.length, 1);
  });

  test('of another kind of supplier, of an unknown ICCID or of a withdrawn eSIM change nothing', async () => {
    const shopper = await shopperIn(t, 'live');
    const [esim, gone] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
    await withdraw(t, 'live', gone);
    await note(esim, { country: 'FR' }, 'airalo');
    await note({ ...esim, iccid: '8999999999999999999' }, { country: 'FR' });
    await note(gone, { state: 'deleted' });
    const kept = await t.base.worlds.live.db.query(sql`
      select from esim_profiles where partner_id = ${shopper.partnerId}`);
    assert.equal(kept.length, 0);
  });

  test('an ICCID that is sold again starts anew', async () => {
    const shopper = await shopperIn(t, 'live');
    const [first, second] = [await ownEsim(t, shopper), await ownEsim(t, shopper)];
    await note(first, { state: 'deleted', country: 'FR' });
    const { db } = t.base.worlds.live;
    await db.run(sql`update orders set iccid = ${first.iccid} where id = ${second.orderId}`);
    const [row] = (await t.get('/esim/list', { key: shopper.key })).body.esims;
    assert.deepEqual(
      [row.order_id, row.iccid, row.profile.state, row.profile.country],
      [second.orderId, first.iccid, 'unknown', null],
    );
    await note(first, { country: 'DE' });
    const found = (await t.get('/esim/list', { key: shopper.key })).body.esims;
    assert.deepEqual([found.length, found[0].profile.country], [1, 'DE']);
  });
});

test('a country is covered if the plan names it; an unknown country or plan is not judged', () => {
  const plan = { coverage: { codes: ['DE', 'FR'] } };
  assert.deepEqual(
    [coveredBy(plan, 'FR'), coveredBy(plan, 'TR'), coveredBy(plan, null), coveredBy(undefined, 'FR')],
    [true, false, null, null],
  );
});
