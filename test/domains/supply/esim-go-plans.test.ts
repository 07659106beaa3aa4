import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanEntry, RawImport } from '../../../src/domains/catalog/import-format/import-format.ts';
import { esimGoDatabase, openRig } from '../../support/suppliers/esim-go-rig.ts';
import { ESIM_GO_ONE, ESIM_GO_TWO, esimGoBundle } from '../../support/suppliers/fake-esim-go-bundles.ts';

const database = esimGoDatabase();

async function open() {
  const t = await openRig(database);
  return {
    ...t,
    list: async () => (await t.supplier.plans(AbortSignal.timeout(20_000))) as RawImport,
  };
}

const plan = (list: RawImport, code: string): PlanEntry => {
  const found = list.plans.map(({ entry }) => entry as PlanEntry).find((entry) => entry.code === code);
  assert.ok(found, `${code} is in the list`);
  return found;
};

suite('esim go: the list of plans', () => {
  test('a bundle is a plan with its places, cost, network and allowances; its price is for the markup to set', async () => {
    await using t = await open();
    const list = await t.list();
    assert.deepEqual(list.supplier, { slug: 'esim-go', title: 'eSIM Go', kind: 'esim_go' });
    assert.deepEqual(plan(list, ESIM_GO_ONE), {
      code: ESIM_GO_ONE,
      destination: 'GB',
      title: 'United Kingdom 1 GB, 7 days',
      amount: 1024,
      day: 7,
      is_unlimited: false,
      network_type: '5G',
      price: '0',
      cost: '2.280000',
      coverage: ['GB', 'IM'],
      voice: 30,
      text: null,
      short_info: 'eSIM, 1GB, 7 Days, United Kingdom, V2',
      operator: { rechargeability: true },
    });
  });

  test('a bundle is also a refill of those that cover the same places with the same provider', async () => {
    await using t = await open();
    const list = await t.list();
    const refill = plan(list, `refill:${ESIM_GO_TWO}`);
    assert.deepEqual(refill, {
      ...plan(list, ESIM_GO_TWO),
      code: `refill:${ESIM_GO_TWO}`,
      refills: [ESIM_GO_ONE, ESIM_GO_TWO, 'esim_ULE_7D_GB_V2'],
    });
    assert.deepEqual(plan(list, 'refill:esim_500MB_1D_GB_V2').refills, ['esim_500MB_1D_GB_V2']);
  });

  test('a region is ours where we have it, and covers the two-letter codes', async () => {
    await using t = await open();
    const { destination, coverage, title, network_type, amount, voice } = plan(await t.list(), 'esim_5GB_30D_REUP_V2');
    assert.deepEqual(
      { destination, coverage, title, network_type, amount, voice },
      {
        destination: 'europe',
        coverage: ['FR', 'DE'],
        title: 'Europe+ 5 GB, 30 days',
        network_type: '4G',
        amount: 5120,
        voice: null,
      },
    );
  });

  test('without a limit: by the flag or by -1, with what its group says of fair use', async () => {
    await using t = await open();
    const fairUse = (found: PlanEntry) => [found.is_unlimited, found.amount, found.fup_daily_mb, found.fup_speed_kbps];
    assert.deepEqual(fairUse(plan(await t.list(), 'esim_ULE_7D_GB_V2')), [true, 0, 1024, 1250]);
    t.fake.state.bundles = [
      esimGoBundle('a', { dataAmount: -1, groups: ['Unlimited Plus'] }),
      esimGoBundle('b', { unlimited: true, groups: null }),
      esimGoBundle('esim_UL_1D_GB_V2', { unlimited: true, dataAmount: -1, duration: 1 }),
    ];
    const list = await t.list();
    assert.deepEqual(fairUse(plan(list, 'a')), [true, 0, 2048, 2000]);
    assert.deepEqual(fairUse(plan(list, 'b')), [true, 0, undefined, undefined]);
    assert.deepEqual(fairUse(plan(list, 'esim_UL_1D_GB_V2')), [true, 0, 1024, 512]);
    assert.equal(plan(list, 'esim_UL_1D_GB_V2').title, 'United Kingdom Unlimited Lite, 1 day');
  });

  test('all pages are read, named or bare, in pages that every account may have', async () => {
    await using t = await open();
    t.fake.state.bundles = Array.from({ length: 120 }, (_, n) => esimGoBundle(`esim_${n}GB_7D_GB_V2`));
    for (const bareLists of [true, false]) {
      t.fake.state.bareLists = bareLists;
      assert.equal((await t.list()).plans.length, 240);
    }
  });

  test('too many calls are waited for; any other failure, an empty list or another currency is an error', async () => {
    await using t = await open();
    t.fake.meet('rate_limit', /catalogue/);
    assert.ok((await t.list()).plans.length > 0);
    for (const mishap of ['server_error', 'garbage'] as const) {
      t.fake.meet(mishap, /catalogue/);
      await assert.rejects(t.list());
    }
    t.fake.state.currency = 'GBP';
    await assert.rejects(t.list(), /in GBP, not in USD/);
    t.fake.state.currency = 'USD';
    t.fake.state.bundles = [];
    await assert.rejects(t.list(), /empty/);
  });

  test('bundles without a fixed price are left out, and the log says how many', async () => {
    await using t = await open();
    const list = await t.list();
    assert.ok(!list.plans.some(({ entry }) => (entry as PlanEntry).code.includes('payg')));
    assert.ok(t.logged.some((line) => line.includes('bundles without a fixed price') && line.includes('"bundles":1')));
  });
});
