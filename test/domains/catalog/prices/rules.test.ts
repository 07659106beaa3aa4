import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { priceOf, type RuleSet, type Terms } from '../../../../src/domains/catalog/prices/rules.ts';
import { type Cents, centsToMicros, type Micros, toCents, toMicros } from '../../../../src/platform/amounts/cents.ts';
import { type BasisPoints, NO_SHARE, parsePercent, toBasisPoints } from '../../../../src/platform/amounts/percent.ts';
import { europe, plan, turkey } from '../../../support/database/plan.ts';

const pct = (text: string): BasisPoints => parsePercent(text) ?? assert.fail(`${text} is not a percentage`);
const usd = (cents: number): Cents => toCents(BigInt(cents));

const noRules: RuleSet = { product: new Map(), provider: new Map(), country: new Map(), region: new Map() };

const terms = (special: Partial<Terms> = {}): Terms => ({
  own: noRules,
  general: noRules,
  account: { share: NO_SHARE, source: 'none' },
  cap: pct('60'),
  ...special,
});

suite('rule order', () => {
  const product = plan({ listPrice: usd(1000), cost: toMicros(4_000_000n) });
  const shares = {
    product: new Map([[product.alias, usd(900)]]),
    provider: new Map([['aurora', pct('20')]]),
    country: new Map([['TR', pct('30')]]),
    region: new Map([['europe', pct('40')]]),
  };
  const account = { share: pct('50'), source: 'account_default' } as const;

  test('product, provider, country, region, account default, none: the most specific rule decides', () => {
    const left: { -readonly [K in keyof RuleSet]: RuleSet[K] } = { ...shares };
    const seen: string[] = [];
    for (const scope of ['product', 'provider', 'country', 'region'] as const) {
      const { source, partnerPrice } = priceOf(product, terms({ own: left, account }));
      seen.push(`${source} ${partnerPrice}`);
      left[scope] = new Map();
    }
    seen.push(priceOf(product, terms({ account })).source, priceOf(product, terms()).source);
    assert.deepEqual(seen, ['product 900', 'provider 880', 'country 820', 'region 760', 'account_default', 'none']);
  });

  test("inside a scope the partner's own rule beats the general one; scope decides first", () => {
    const own = { ...noRules, country: new Map([['TR', pct('5')]]) };
    assert.equal(priceOf(product, terms({ own, general: { ...noRules, country: shares.country } })).partnerPrice, 970n);
    const bySupplier = priceOf(product, terms({ own, general: { ...noRules, provider: shares.provider } }));
    assert.deepEqual([bySupplier.source, bySupplier.partnerPrice], ['provider', 880n]);
  });

  test("a region rule covers the region's own plans and those of its countries; a country rule only its own", () => {
    const rules = terms({ own: { ...noRules, region: shares.region, country: new Map([['europe', pct('1')]]) } });
    assert.equal(priceOf(plan({ destination: europe }), rules).source, 'region');
    assert.equal(priceOf(plan({ destination: turkey }), rules).source, 'region');
    assert.equal(priceOf(plan({ destination: { ...turkey, region: 'asia' } }), rules).source, 'none');
  });

  test('the winning rule is named even if it gives no discount', () => {
    const own = { ...noRules, country: new Map([['TR', NO_SHARE]]) };
    const price = priceOf(product, terms({ own, account }));
    assert.deepEqual(price, { partnerPrice: 1000n, discount: 0n, marginSharePct: '0.00', source: 'country' });
  });
});

suite('fixed product price', () => {
  const product = plan({ listPrice: usd(1000), cost: toMicros(4_000_000n) });
  const fixed = (cents: number) => ({ ...noRules, product: new Map([[product.alias, usd(cents)]]) });
  const sources = (own: RuleSet, general: RuleSet = noRules) => priceOf(product, terms({ own, general })).source;

  test('the floor is list price minus the capped margin; below it the rule is ignored', () => {
    assert.equal(sources(fixed(640)), 'product');
    assert.equal(sources(fixed(639)), 'none');
  });

  test('above list price the rule is ignored', () => {
    assert.equal(sources(fixed(1000)), 'product');
    assert.equal(sources(fixed(1001)), 'none');
  });

  test("if a partner's own fixed price is below the floor, the general one applies", () => {
    assert.equal(priceOf(product, terms({ own: fixed(1), general: fixed(700) })).partnerPrice, 700n);
  });

  test('without a known cost only the list price itself is allowed', () => {
    const unknown = { ...product, cost: null };
    assert.equal(priceOf(unknown, terms({ own: fixed(999) })).source, 'none');
    assert.equal(priceOf(unknown, terms({ own: fixed(1000) })).source, 'product');
  });
});

suite('margin formula', () => {
  const share = (text: string) => terms({ account: { share: pct(text), source: 'account_default' } });

  test('discount = margin × share / 100, rounded half up once at the partner price', () => {
    // Margin 5.99, a third of it is 1.976700: the price 8.0133 becomes 8.01, the discount 1.98.
    const price = priceOf(plan({ listPrice: usd(999), cost: toMicros(4_000_000n) }), share('33'));
    assert.deepEqual(price, { partnerPrice: 801n, discount: 198n, marginSharePct: '33.06', source: 'account_default' });
    // 9.985 is half a cent: up.
    assert.equal(priceOf(plan({ listPrice: usd(1000), cost: toMicros(9_700_000n) }), share('5')).partnerPrice, 999n);
  });

  test('margin zero, negative or unknown: the partner price equals the list price', () => {
    for (const cost of [toMicros(10_000_000n), toMicros(12_000_000n), null]) {
      const price = priceOf(plan({ listPrice: usd(1000), cost }), share('50'));
      assert.deepEqual([price.partnerPrice, price.discount, price.marginSharePct], [1000n, 0n, '0.00']);
    }
  });

  test('a share above the cap is clipped when applied', () => {
    assert.equal(priceOf(plan({ listPrice: usd(1000), cost: toMicros(0n) }), share('80')).partnerPrice, 400n);
  });

  test('rounding never goes below a cost that lies between two cents', () => {
    const whole = { ...share('100'), cap: pct('100') };
    assert.equal(priceOf(plan({ listPrice: usd(200), cost: toMicros(1_004_000n) }), whole).partnerPrice, 101n);
  });
});

test('whatever the rules: never below cost, never negative, never above list, discount equals list minus price', () => {
  const cents = fc.bigInt(0n, 10_000_000n).map(toCents);
  const percent = fc.bigInt(0n, 10_000n).map(toBasisPoints);
  const product = plan();
  const rules = fc
    .record({
      product: fc.option(cents),
      provider: fc.option(percent),
      country: fc.option(percent),
      region: fc.option(percent),
    })
    .map(
      (rule): RuleSet => ({
        product: new Map(rule.product === null ? [] : [[product.alias, rule.product]]),
        provider: new Map(rule.provider === null ? [] : [['aurora', rule.provider]]),
        country: new Map(rule.country === null ? [] : [['TR', rule.country]]),
        region: new Map(rule.region === null ? [] : [['europe', rule.region]]),
      }),
    );
  // Half of the costs lie near the list price, where rounding matters most.
  const costOf = (list: Cents): fc.Arbitrary<Micros | null> =>
    fc.option(
      fc.oneof(
        fc.bigInt(0n, 200_000_000_000n),
        fc.bigInt(-20_000n, 20_000n).map((near) => (centsToMicros(list) + near < 0n ? 0n : centsToMicros(list) + near)),
      ),
    ) as fc.Arbitrary<Micros | null>;
  const offers = cents.chain((listPrice) => fc.record({ listPrice: fc.constant(listPrice), cost: costOf(listPrice) }));

  fc.assert(
    fc.property(offers, rules, rules, percent, percent, (offer, own, general, share, cap) => {
      const listed = { ...product, ...offer };
      const price = priceOf(listed, { own, general, account: { share, source: 'account_default' }, cap });
      assert.equal(price.discount, listed.listPrice - price.partnerPrice);
      assert.ok(price.partnerPrice >= 0n);
      assert.ok(price.partnerPrice <= listed.listPrice);
      const margin = listed.cost === null ? 0n : centsToMicros(listed.listPrice) - listed.cost;
      if (margin > 0n) assert.ok(centsToMicros(price.partnerPrice) >= (listed.cost ?? 0n), 'below cost');
      else assert.equal(price.partnerPrice, listed.listPrice);
      // Rounding may add at most half a cent to the capped share.
      assert.ok(centsToMicros(price.discount) * 10_000n <= (margin > 0n ? margin * cap : 0n) + 5_000n * 10_000n);
    }),
    { numRuns: 5_000 },
  );
});
