import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Plan } from '../../../../src/domains/catalog/plans/plan.ts';
import { isSuggested, shortcomings } from '../../../../src/domains/supply/routes/fit.ts';
import { highestCost, noLimits, offersFor } from '../../../../src/domains/supply/routes/offers.ts';
import { toCents, toMicros } from '../../../../src/platform/amounts/cents.ts';
import { plan as planOf } from '../../../support/database/plan.ts';

let id = 0;
const made = (supplier: string, special: Partial<Plan> = {}): Plan => {
  id += 1;
  const plan = planOf({ id, cost: toMicros(4_000_000n), ...special });
  return {
    ...plan,
    supplier: { id: supplier.length, slug: supplier, title: supplier, kind: 'simulated' },
    supplierPlan: `p${id}`,
  };
};
const withMeta = (plan: Plan, meta: Partial<Plan['network']['meta']>): Plan => ({
  ...plan,
  network: { ...plan.network, meta: { ...plan.network.meta, ...meta } },
});
const none = () => false;
const shortfall = (plan: Partial<Plan>, other: Partial<Plan>) => shortcomings(made('a', plan), made('bb', other), none);

suite('an alternate is at least as good', () => {
  test('if nothing a traveller was sold is less, and its cost is known', () => {
    assert.deepEqual(shortfall({}, {}), []);
    assert.deepEqual(
      shortfall({ coverage: { codes: ['FR', 'TR'], names: [] } }, { coverage: { codes: ['TR'], names: [] } }),
      ['coverage'],
    );
    assert.deepEqual(shortfall({ amountMb: 2048 }, { amountMb: 1024 }), ['data']);
    assert.deepEqual(shortfall({ amountMb: 1024 }, { amountMb: 2048 }), []);
    assert.deepEqual(shortfall({ day: 8 }, { day: 7 }), ['days']);
    assert.deepEqual(shortfall({ networkType: '5G' }, { networkType: '4G' }), ['network']);
    assert.deepEqual(shortfall({ voice: 10, text: 5 }, { voice: 9, text: null }), ['voice', 'text messages']);
    assert.deepEqual(shortfall({}, { cost: null }), ['cost unknown']);
    const [plain, other] = [made('a'), made('bb')];
    assert.deepEqual(shortcomings(plain, withMeta(other, { is_kyc_verify: true }), none), ['identity check']);
    assert.deepEqual(shortcomings(withMeta(plain, { rechargeability: true }), other, none), ['refills']);
    assert.deepEqual(
      shortcomings(plain, other, (plan) => plan === plain),
      ['refills'],
    );
  });

  test('an unlimited plan only by an unlimited one, with fair use at least as generous', () => {
    const unlimited = { amountMb: 0, isUnlimited: true } as const;
    const throttled = (dailyMb: number, speedKbps: number) => ({
      ...unlimited,
      fairUse: { kind: 'daily_throttle', dailyMb, speedKbps, text: '' },
    });
    assert.deepEqual(shortfall(throttled(1024, 512), { amountMb: 99_999 }), ['data']);
    assert.deepEqual(shortfall(throttled(1024, 512), throttled(2048, 512)), []);
    assert.deepEqual(shortfall(throttled(1024, 512), throttled(1024, 128)), ['fair use']);
    const open = { ...unlimited, fairUse: { kind: 'none', dailyMb: 0, speedKbps: 0, text: '' } };
    assert.deepEqual(shortfall(throttled(1024, 512), open), []);
    assert.deepEqual(shortfall(open, throttled(9_999, 9_999)), ['fair use']);
  });

  test('suggestions are of other suppliers, and never replace a capped plan by an unlimited one', () => {
    const plan = made('a');
    assert.equal(isSuggested(plan, made('a'), none), false);
    assert.equal(isSuggested(plan, made('bb'), none), true);
    assert.equal(isSuggested(plan, made('bb', { amountMb: 0, isUnlimited: true }), none), false);
  });
});

suite('who is asked', () => {
  const price = toCents(500n);
  const costing = (supplier: string, micros: bigint) => made(supplier, { cost: toMicros(micros) });
  const [own, cheap, dear] = [costing('own', 4_000_000n), costing('cheap', 3_000_000n), costing('dear', 5_000_001n)];
  const order = (prefer: 'own' | 'cheapest', limits = noLimits, balances: Record<string, bigint> = {}) =>
    offersFor(own, { alternates: [dear, cheap], prefer, ...limits }, price, (supplier) => {
      const balance = balances[supplier];
      return balance === undefined ? undefined : toMicros(balance);
    }).map(({ supplier }) => supplier);

  test('its own supplier first, or the cheapest; those that cost more than the price paid are not asked', () => {
    assert.deepEqual(order('own'), ['own', 'cheap']);
    assert.deepEqual(order('cheapest'), ['cheap', 'own']);
  });

  test('within the limits of the route, which never bind its own supplier', () => {
    assert.deepEqual(order('own', { maxCost: toMicros(6_000_000n), minMargin: null }), ['own', 'dear', 'cheap']);
    assert.deepEqual(order('own', { maxCost: toMicros(1n), minMargin: null }), ['own']);
    assert.deepEqual(order('own', { maxCost: null, minMargin: 4_000n }), ['own', 'cheap']);
    assert.deepEqual(order('own', { maxCost: null, minMargin: 4_001n }), ['own']);
    assert.equal(highestCost({ maxCost: null, minMargin: 3_333n }, toCents(1n)), 6_667n);
  });

  test('last where our balance is known not to cover the cost', () => {
    assert.deepEqual(order('own', noLimits, { own: 3_999_999n, cheap: 3_000_000n }), ['cheap', 'own']);
    assert.deepEqual(order('cheapest', noLimits, { cheap: 0n }), ['own', 'cheap']);
  });
});
