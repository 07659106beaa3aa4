import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkImport } from '../../../../src/domains/catalog/import/import-check.ts';
import { demoImports } from '../../../../src/domains/catalog/import/import-list.ts';
import type { DestinationEntry } from '../../../../src/domains/catalog/import-format/entries.ts';

const imports = await demoImports();
const destinations = (imports[0]?.destinations ?? []).map(({ entry }) => entry as DestinationEntry);
const known = new Map(destinations.map((one) => [one.code, one]));
const checked = imports.map((one) => checkImport(one, known));
const plans = checked.flatMap((one) => one.plans.map((plan) => ({ ...plan, supplier: one.supplier.slug })));

test('the demo catalog: 200+ countries, regions and a global destination, at least 6,000 plans', () => {
  const count = (scope: string) => destinations.filter((one) => one.scope === scope).length;
  assert.ok(count('country') >= 200);
  assert.ok(count('regional') >= 5);
  assert.equal(count('global'), 1);
  assert.ok(plans.length >= 6_000);
  assert.ok(destinations.every(({ scope, region }) => scope !== 'country' || known.has(region ?? '')));
});

test('several suppliers for every destination', () => {
  for (const { code } of destinations) {
    const suppliers = new Set(plans.filter((plan) => plan.destination === code).map((plan) => plan.supplier));
    assert.ok(suppliers.size >= 2, code);
  }
});

test('small packages, unlimited plans with fair-use figures, 4G and 5G, metered and not, wide coverage', () => {
  const some = (test: (plan: (typeof plans)[number]) => boolean) => assert.ok(plans.filter(test).length > 100);
  some((plan) => plan.amountMb > 0 && plan.amountMb < 1024);
  some((plan) => plan.isUnlimited && plan.fupDailyMb > 0 && plan.fupSpeedKbps > 0 && plan.fairUseText !== '');
  some((plan) => plan.isUnlimited && plan.fupKind === 'unknown');
  some((plan) => plan.networkType === '4G');
  some((plan) => plan.networkType === '5G');
  some((plan) => plan.isUsageMetered);
  some((plan) => !plan.isUsageMetered);
  some((plan) => plan.coverage.length > 5);
  assert.ok(plans.every((plan) => !(plan.isUnlimited && plan.isUsageMetered)));
});

test('most plans can be refilled: every one with a size, for its destination, by its own supplier', () => {
  const refills = plans.filter((plan) => plan.refills !== null);
  assert.ok(refills.length > 1_000 && refills.length < plans.length / 4, `${refills.length}`);
  const byPlace = Map.groupBy(plans, (plan) => `${plan.supplier} ${plan.destination}`);
  for (const [place, there] of byPlace) {
    const [esims, added] = [there.filter((plan) => !plan.refills), there.filter((plan) => plan.refills)];
    const sized = esims.filter((plan) => !plan.isUnlimited).map((plan) => plan.supplierPlan);
    assert.ok(added.length === 2 || added.length === 3, place);
    for (const refill of added) assert.deepEqual(refill.refills, sized.toSorted(), place);
    for (const refill of added) assert.deepEqual(refill.onSale, esims[0]?.onSale, place);
    for (const plan of there) assert.equal(plan.network.meta.rechargeability, !plan.isUnlimited, place);
  }
});

test('every price earns a margin: cost with six places below list price', () => {
  for (const { cost, listPrice, title } of plans) {
    assert.ok(cost !== null && BigInt(cost) > 0n && BigInt(cost) < BigInt(listPrice) * 10_000n, title);
  }
});

test('more of the same is never cheaper to buy: cost rises with data and with days', () => {
  const byKind = Map.groupBy(plans, (plan) => `${plan.supplier} ${plan.destination} ${plan.isUnlimited}`);
  for (const kind of byKind.values()) {
    for (const a of kind) {
      for (const b of kind) {
        if (a.amountMb <= b.amountMb && a.day <= b.day) assert.ok(Number(a.cost) <= Number(b.cost), b.title);
      }
    }
  }
});

test('the same on every run', async () => {
  assert.deepEqual(await demoImports(), imports);
});
