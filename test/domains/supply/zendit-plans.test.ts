import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanEntry, RawImport } from '../../../src/domains/catalog/import-format/import-format.ts';
import { openZendit } from '../../../src/domains/supply/adapters/zendit/zendit.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { fakeZendit } from '../../support/suppliers/fake-zendit.ts';
import { ZENDIT_REFILL, zenditOffer } from '../../support/suppliers/fake-zendit-offers.ts';

async function open() {
  const clock = new TestClock();
  const fake = await fakeZendit(clock);
  const zendit = openZendit(fake.settings, { clock, log: createLog('silent') });
  return {
    fake,
    list: (signal = AbortSignal.timeout(10_000)) => zendit.supplier('zendit').plans(signal) as Promise<RawImport>,
    async [Symbol.asyncDispose]() {
      await zendit.close();
      await fake[Symbol.asyncDispose]();
    },
  };
}

const plan = (list: RawImport, code: string): PlanEntry => {
  const found = list.plans.map(({ entry }) => entry as PlanEntry).find((entry) => entry.code === code);
  assert.ok(found, `${code} is in the list`);
  return found;
};

suite('zendit: the list of offers', () => {
  test('an offer is a plan with its place, price, cost, network and brand', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(list.supplier, { slug: 'zendit', title: 'Zendit', kind: 'zendit' });
    assert.deepEqual(plan(list, 'one-gb'), {
      code: 'one-gb',
      destination: 'US',
      title: 'United States 1.02 GB 7 days',
      amount: 1_024,
      day: 7,
      is_unlimited: false,
      network_type: '5G',
      price: '4.00',
      cost: '1.800000',
      coverage: ['US', 'CA'],
      voice: null,
      text: null,
      short_info: 'Data only',
      operator: { title: 'Zesim', other_info: 'Works in Canada, too.', rechargeability: true },
    });
  });

  test('a region goes by its name, the world is global; the fair use of the grade Fast is known', async () => {
    await using t = await open();
    const list = await t.list();
    const europe = plan(list, 'ESIM-WEU-30D-5GB');
    assert.deepEqual(
      [europe.destination, europe.coverage, europe.network_type],
      ['western-europe', ['FR', 'DE'], '4G'],
    );
    assert.deepEqual([europe.title, europe.amount], ['Western Europe 5 GB 30 days', 5_000]);
    const world = plan(list, 'ESIM-GL-1D-UNL');
    assert.deepEqual([world.destination, world.coverage, world.network_type], ['global', ['US', 'JP'], '5G']);
    assert.deepEqual([world.title, world.amount, world.is_unlimited], ['Global Unlimited 1 day', 0, true]);
    assert.deepEqual([world.fup_kind, world.fup_daily_mb, world.fup_speed_kbps], ['daily_throttle', 1_000, 512]);
    const places = list.destinations.map(({ entry }) => entry as { code: string; title: string });
    assert.equal(places.find(({ code }) => code === 'western-europe')?.title, 'Western Europe');
  });

  test('every offer is also a refill, for eSIMs of the same country or region', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(plan(list, ZENDIT_REFILL), {
      ...plan(list, 'two-gb'),
      code: ZENDIT_REFILL,
      refills: ['one-gb', 'two-gb'],
    });
    assert.deepEqual(plan(list, 'refill:ESIM-GL-1D-UNL').refills, ['ESIM-GL-1D-UNL']);
  });

  test('disabled offers are dropped; others that cannot be sold are left out, with the reason', async () => {
    await using t = await open();
    t.fake.state.offers.push(
      zenditOffer('nowhere', { country: '', regions: [] }),
      zenditOffer('free', { cost: {} }),
      zenditOffer('refill:x'),
    );
    const list = await t.list();
    const codes = list.plans.map(({ entry }) => (entry as PlanEntry).code);
    const sold = ['one-gb', 'two-gb', 'ESIM-WEU-30D-5GB', 'ESIM-GL-1D-UNL'];
    assert.deepEqual(codes, [...sold, ...sold.map((code) => `refill:${code}`)]);
    assert.deepEqual(list.leftOut, [
      { code: 'ESIM-US-RANGE', reason: 'its price is RANGE, not FIXED' },
      { code: 'ESIM-US-EUR', reason: 'priced in EUR, not USD' },
      { code: 'nowhere', reason: 'it names neither a country nor a region' },
      { code: 'free', reason: 'it has no cost' },
      { code: 'refill:x', reason: 'its id looks like one of ours for a refill' },
    ]);
  });

  test('numbers may come as text or be missing; without a price of ours the suggested one counts', async () => {
    await using t = await open();
    const price = { currency: 'USD', currencyDivisor: '1000', fixed: 0, suggestedFixed: '4505' };
    const cost = { currency: 'USD', currencyDivisor: 1_000, fixed: '1234', fee: 1 };
    t.fake.state.offers = [zenditOffer('one', { dataGB: '0.5', durationDays: '1', roaming: null, price, cost })];
    const found = plan(await t.list(), 'one');
    assert.deepEqual([found.title, found.amount, found.day], ['United States 500 MB 1 day', 500, 1]);
    assert.deepEqual([found.price, found.cost, found.coverage], ['4.51', '1.235000', ['US']]);
  });

  test('is read page by page to its end, and each offer once', async () => {
    await using t = await open();
    t.fake.state.offers = Array.from({ length: 2_500 }, (_, n) =>
      zenditOffer(`offer-${n}`, { regions: [`R${n}`], country: '' }),
    );
    assert.equal((await t.list()).plans.length, 5_000);
    assert.deepEqual(
      t.fake.requests.map(({ query }) => query.get('_offset')),
      ['0', '1000', '2000'],
    );
    t.fake.state.mostPerPage = 100;
    await assert.rejects(t.list(), { message: 'a page of the list is incomplete' });
  });

  for (const mishap of ['rate_limit', 'server_error', 'garbage', 'break'] as const)
    test(`${mishap}: fails rather than return half a list`, async () => {
      await using t = await open();
      t.fake.meet(mishap, /offers/);
      await assert.rejects(t.list());
    });

  test('an empty list is rejected, because it would take everything off sale', async () => {
    await using t = await open();
    for (const offers of [[], [zenditOffer('off', { enabled: false })]]) {
      t.fake.state.offers = offers;
      await assert.rejects(t.list(), { message: 'the list is empty' });
    }
  });

  test('stops when it is aborted', async () => {
    await using t = await open();
    t.fake.meet('hang', /offers/);
    await assert.rejects(t.list(AbortSignal.timeout(100)), { message: 'given up' });
  });
});
