import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { readPlans } from '../../../../src/domains/catalog/catalog.ts';
import { isSellable } from '../../../../src/domains/catalog/plans/snapshot.ts';
import { readGeneralTerms, readPartnerPrices } from '../../../../src/domains/catalog/prices/partner-prices.ts';
import type { PricePreview } from '../../../../src/domains/catalog/prices/prices.ts';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { random } from '../../../support/random.ts';
import { batchOf, entry, eventually, stockedApp } from '../../../support/sales/catalog.ts';
import { buy } from '../../../support/sales/shop.ts';

const next = random(20261115);
const usd = (cents: number) => (cents / 100).toFixed(2);
/** Plans of two suppliers, for countries, a region and the world: some without a cost, some below it, one refill, one not on sale. */
const plansOf = (supplier: string) =>
  ['TR', 'FR', 'JP', 'europe', 'global'].flatMap((destination) =>
    Array.from({ length: 4 }, (_, i) =>
      entry({
        code: `${supplier}-${destination}-${i}`,
        destination,
        price: usd(500 + next(4_000)),
        cost: i === 3 ? null : usd(100 + next(1_500)),
        ...(destination.length > 2 && { coverage: ['FR', 'TR'] }),
        ...(destination === 'JP' && i === 2 && { on_sale: false }),
        ...(destination === 'FR' && i === 2 && { refills: [`${supplier}-FR-0`] }),
      }),
    ),
  );
const t = await stockedApp([
  batchOf(plansOf('aurora'), { slug: 'aurora' }),
  batchOf(plansOf('beacon'), { slug: 'beacon' }),
]);
after(() => t[Symbol.asyncDispose]());
const admin = await signedInOperator(t);
const readOnly = await signedInOperator(t, 'read-only');
const aliases = (await readPlans(t.base.db)).map(({ alias }) => alias);

const [standard, tiered, agreed] = [
  t.partner1,
  await t.partner({ name: 'Tiered' }),
  await t.partner({ name: 'Agreed' }),
];
await run(t.operator(), `wallet credit --partner ${tiered} --amount 6000`);
await run(t.operator(), `partner set ${agreed} --margin-share 35`);
const partners = [standard, tiered, agreed];

/** What every partner pays for every plan that can be bought, by the code that purchases charge by. */
async function prices(): Promise<Map<string, bigint>> {
  const { db } = t.base;
  const plans = (await readPlans(db)).filter(isSellable);
  const found = new Map<string, bigint>();
  for (const partner of partners) {
    const { prices: of } = await readPartnerPrices(db, partner, await readGeneralTerms(db), t.clock.now());
    for (const plan of plans) found.set(`${partner} ${plan.alias}`, of.priceOf(plan).partnerPrice);
  }
  return found;
}

type Input = Record<string, string>;
async function previewed(input: Input): Promise<PricePreview> {
  const answer = await readOnly.get(`/operator/api/prices/preview?${new URLSearchParams(input)}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Makes the change, and compares what happened with what the preview said. */
async function holds(foretold: PricePreview, change: () => Promise<unknown>, name: string): Promise<void> {
  const was = await prices();
  await change();
  const is = await prices();
  const changed = [...is].flatMap(([key, now]) => {
    const [partner, plan] = key.split(' ');
    const by = now - (was.get(key) as bigint);
    return by === 0n ? [] : [{ partner, plan, key, by }];
  });
  const rises = changed.filter(({ by }) => by > 0n);
  const falls = changed.filter(({ by }) => by < 0n);
  assert.deepEqual(
    {
      plans: new Set(changed.map(({ plan }) => plan)).size,
      partners: new Set(changed.map(({ partner }) => partner)).size,
      rises: rises.length,
      falls: falls.length,
    },
    { plans: foretold.plans, partners: foretold.partners, rises: foretold.rises, falls: foretold.falls },
    name,
  );
  const shown = (cents: bigint) => usd(Number(cents));
  for (const one of [...foretold.largest_rises, ...foretold.largest_falls]) {
    const key = `${one.partner_id} ${one.product_id}`;
    assert.deepEqual([one.from, one.to], [shown(was.get(key) as bigint), shown(is.get(key) as bigint)], name);
  }
  const size = (one: { from: string; to: string } | undefined) =>
    Math.round(Number(one?.to) * 100 - Number(one?.from) * 100);
  if (rises.length > 0)
    assert.equal(size(foretold.largest_rises[0]), Math.max(...rises.map(({ by }) => Number(by))), name);
  if (falls.length > 0)
    assert.equal(size(foretold.largest_falls[0]), Math.min(...falls.map(({ by }) => Number(by))), name);
  assert.equal(foretold.compared_partners, foretold.open_partners);
  for (const partner of foretold.most_affected)
    assert.equal(partner.plans, changed.filter((one) => one.partner === String(partner.partner_id)).length, name);
}

/** At the command line: the console does the same, but takes only so many changes a minute. */
const saved = (words: readonly string[], input: Input) =>
  run(t.operator(), [...words, ...Object.entries(input).flatMap(([name, value]) => [`--${name}`, value])]);

const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
function randomRule(): Input {
  const scope = pick(['product', 'provider', 'country', 'region'] as const);
  const target = {
    product: () => pick(aliases),
    provider: () => pick(['aurora', 'beacon']),
    country: () => pick(['TR', 'fr', 'japan']),
    region: () => pick(['europe', 'asia', 'global']),
  }[scope]();
  return {
    scope,
    target,
    ...(scope === 'product' ? { price: usd(next(4_500)) } : { share: String(next(101)) }),
    ...(next(2) === 0 && { partner: String(pick(partners)) }),
  };
}

suite('preview', () => {
  test('says exactly what saving a rule then changes, whatever its scope and partner', async () => {
    for (let i = 0; i < 40; i += 1) {
      const rule = randomRule();
      await holds(await previewed(rule), () => saved(['pricing', 'rule', 'add'], rule), JSON.stringify(rule));
    }
    assert.ok((await run(t.operator(), 'pricing rule list')).length > 15);
  });

  test('says what removing a rule, another cap and other tiers change', async () => {
    for (const { cap } of [{ cap: '20' }, { cap: '90' }, { cap: '60' }])
      await holds(await previewed({ cap }), () => run(t.operator(), `pricing cap ${cap}`), `cap ${cap}`);
    for (const input of [
      { tiers: '100=40,7000=50' },
      { tiers: 'none' },
      { tiers: '1000=10,5000=15', 'window-days': '90' },
    ])
      await holds(
        await previewed(input as Input),
        () => saved(['pricing', 'tiers'], input as Input),
        JSON.stringify(input),
      );
    for (const { rule_id } of await run(t.operator(), 'pricing rule list')) {
      const id = String(rule_id);
      const foretold = await previewed({ remove: id });
      assert.equal(foretold.rule?.rule_id, rule_id);
      await holds(foretold, () => run(t.operator(), `pricing rule remove ${id}`), `without ${id}`);
    }
    assert.deepEqual(await run(t.operator(), 'pricing rule list'), []);
  });

  test('a fixed price that would be ignored is called so, with the bounds it has to keep', async () => {
    const plan = await t.alias('aurora-TR-0');
    const { fixed_price, prices: changed, rule } = await previewed({ scope: 'product', target: plan, price: '0.01' });
    assert.ok(fixed_price?.is_ignored && Number(fixed_price.lowest) > 0.01);
    assert.deepEqual([changed, rule], [0, null]);
    const allowed = await previewed({ scope: 'product', target: plan, price: fixed_price.lowest });
    assert.equal(allowed.fixed_price?.is_ignored, false);
    const below = usd(Math.round(Number(fixed_price.lowest) * 100) - 1);
    assert.equal((await previewed({ scope: 'product', target: plan, price: below })).fixed_price?.is_ignored, true);
  });

  test('bad questions get the same refusal as the change would, at the command line too', async () => {
    const refusals: [Input, string][] = [
      [{}, 'invalid_input'],
      [{ scope: 'galaxy', target: 'x', share: '1' }, 'invalid_input'],
      [{ scope: 'country', target: 'TR' }, 'invalid_input'],
      [{ scope: 'country', target: 'TR', share: '101' }, 'invalid_input'],
      [{ scope: 'country', target: 'TR', share: '10', cap: '5' }, 'invalid_input'],
      [{ scope: 'country', target: 'XX', share: '10' }, 'target_not_found'],
      [{ scope: 'country', target: 'TR', share: '10', partner: '999999' }, 'partner_not_found'],
      [{ remove: '999999' }, 'rule_not_found'],
      [{ tiers: '5000=10,1000=20' }, 'invalid_input'],
    ];
    for (const [input, code] of refusals) {
      const answer = await admin.get(`/operator/api/prices/preview?${new URLSearchParams(input)}`);
      assert.deepEqual([answer.body.error?.code, answer.status < 500], [code, true], JSON.stringify(input));
      await assert.rejects(async () => saved(['pricing', 'preview'], input));
    }
    const refused = await runAs(admin, 'pricing rule add', { scope: 'product', target: aliases[0] as string });
    assert.equal(
      refused.body.error.code,
      'invalid_input',
      'a rule without its price is bad input, not a fault of ours',
    );
  });
});

suite('price check', () => {
  const checked = async (partner: number, product: string) => {
    const answer = await readOnly.get(`/operator/api/prices/check?partner=${partner}&product=${product}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  interface Shown {
    won: boolean;
    why: string;
    scope: string;
    is_own: boolean;
    rule_id: number | null;
  }

  test('names the rule that won for each scope, and why every other one did not', async () => {
    const plan = await t.alias('aurora-TR-0');
    const winner = async (partner = standard): Promise<Shown> => {
      const { candidates, source } = await checked(partner, plan);
      const won = candidates.filter((one: Shown) => one.won);
      assert.equal(won.length, 1);
      assert.ok(candidates.every(({ why }: Shown) => why.length > 10));
      assert.equal(won[0].scope, source);
      return won[0];
    };
    assert.deepEqual(
      [(await winner()).scope, (await winner(tiered)).scope, (await winner(agreed)).scope],
      ['none', 'account_default', 'account_default'],
    );
    assert.match((await winner(tiered)).why, /top-ups of 6000\.00 USD in 90 days/);
    assert.match((await winner(agreed)).why, /set for this partner/);
    for (const [scope, target] of [
      ['region', 'europe'],
      ['country', 'TR'],
      ['provider', 'aurora'],
    ] as const) {
      const general = await run(t.operator(), `pricing rule add --scope ${scope} --target ${target} --share 80`);
      assert.equal((await winner()).rule_id, general.rule_id, scope);
      assert.match((await winner()).why, /cut to the cap of 60\.00%/);
      const own = await run(
        t.operator(),
        `pricing rule add --scope ${scope} --target ${target} --share 5 --partner ${standard}`,
      );
      assert.equal((await winner()).rule_id, own.rule_id, `own ${scope}`);
      const beaten = (await checked(standard, plan)).candidates.find((one: Shown) => one.rule_id === general.rule_id);
      assert.equal(beaten.why, `The partner’s own ${scope} rule comes first.`);
    }
    const { lowest_fixed_price, list_price } = await checked(standard, plan);
    const fixed = (price: string, own = '') =>
      run(t.operator(), `pricing rule add --scope product --target ${plan} --price ${price}${own}`);
    const general = await fixed(lowest_fixed_price);
    assert.deepEqual(
      [(await winner()).rule_id, (await checked(standard, plan)).price],
      [general.rule_id, lowest_fixed_price],
    );
    const own = await fixed(list_price, ` --partner ${standard}`);
    assert.equal((await winner()).rule_id, own.rule_id, 'own product');
    await fixed('99999', ` --partner ${standard}`);
    const { candidates } = await checked(standard, plan);
    assert.match(candidates[0].why, /^Ignored: it is above the list price/);
    assert.equal((await winner()).rule_id, general.rule_id, 'what is ignored loses to the general rule');
    await fixed('0.01');
    assert.match((await checked(standard, plan)).candidates[1].why, /^Ignored: it is below .* cap of 60\.00% allows/);
    assert.equal((await winner()).scope, 'provider');
  });

  test('shows the price that is charged, for every partner and plan', async () => {
    const charged = await prices();
    for (const partner of partners)
      for (const alias of aliases) {
        const { price, on_sale } = await checked(partner, alias);
        const expected = charged.get(`${partner} ${alias}`);
        assert.equal(on_sale, expected !== undefined);
        if (expected !== undefined) assert.equal(price, usd(Number(expected)));
      }
  });

  test('says so when there is no margin to share', async () => {
    const { candidates } = await checked(tiered, await t.alias('beacon-JP-3'));
    assert.match(candidates.at(-1).why, /cost is unknown/);
  });

  test('a partner or plan that does not exist is refused', async () => {
    for (const path of [`partner=999999&product=${aliases[0]}`, `partner=x&product=${aliases[0]}`])
      assert.equal((await admin.get(`/operator/api/prices/check?${path}`)).body.error.code, 'partner_not_found');
    const unknown = await admin.get(`/operator/api/prices/check?partner=${standard}&product=esc_no`);
    assert.equal(unknown.body.error.code, 'product_not_found');
  });
});

test('rules are listed newest first, by scope, partner and part of a target, with names', async () => {
  const listed = async (query: string) => (await readOnly.get(`/operator/api/prices/rules?${query}`)).body;
  const all = await listed('');
  assert.equal(all.has_more, false);
  assert.deepEqual(
    all.rules.map((rule: { rule_id: number }) => rule.rule_id),
    (await run(t.operator(), 'pricing rule list')).map((rule: { rule_id: number }) => rule.rule_id).reverse(),
  );
  const [country] = (await listed(`scope=country&partner=${standard}`)).rules;
  assert.deepEqual([country.target, country.target_title, country.partner_name], ['TR', 'Türkiye', 'Test']);
  assert.equal((await listed('target=uro&partner=general')).rules.length, 2, 'europe and aurora');
  assert.equal((await listed(`before=${country.rule_id}`)).rules[0].rule_id < country.rule_id, true);
  for (const query of ['scope=x', 'partner=x', 'before=x'])
    assert.equal((await listed(query)).error.code, 'invalid_input');
});

test('settings show cap, tiers and markups', async () => {
  const { body } = await readOnly.get('/operator/api/prices');
  assert.deepEqual([body.total_share_cap_pct, body.window_days, body.tiers.length], ['60.00', 90, 2]);
  assert.deepEqual(body.suppliers[0], {
    supplier: 'aurora',
    title: 'Supplier',
    plans: 20,
    on_sale: 19,
    markup_pct: null,
  });
});

test('the preview says what the sales of the last 30 days would have brought, to the cent', async () => {
  const plan = await t.alias('aurora-TR-0');
  const uncosted = await t.alias('aurora-TR-3');
  await run(t.operator(), `catalog product set ${plan} --price 10.00 --cost 4.123456`);
  await run(t.operator(), `catalog product set ${uncosted} --price 20.00`);
  const [buyer, other] = [await t.partner({ name: 'Buyer' }), await t.partner({ name: 'Other' })];
  await Promise.all([buyer, other].map((id) => run(t.operator(), `wallet credit --partner ${id} --amount 100`)));
  const [key, otherKey] = [await t.key(buyer), await t.key(other)];
  await eventually(async () => {
    const { product } = (await t.get(`/catalog/product/${plan}`, { key })).body;
    assert.equal(Number(product.price), 10, 'the catalog in memory has the new price, which the preview goes by');
  });
  const orders: string[] = [];
  for (let n = 0; n < 3; n++) orders.push((await buy(t, key, plan)).body.id);
  const price = Number((await t.get(`/order/detail/${orders[0]}`, { key })).body.order.sale_price);
  await buy(t, key, uncosted);
  await buy(t, otherKey, plan);
  await run(t.operator(), `order refund ${orders[0]}`);
  while ((await countChangedDays(t.base.worlds.live.db, t.clock)) > 0);
  const rule = { scope: 'product', target: plan, price: '9.00', partner: String(buyer) };
  const { sales } = await previewed(rule);
  // Two of the three were kept.
  assert.deepEqual(sales, {
    orders: 3,
    revenue_before: (2 * price).toFixed(2),
    revenue_after: '18.00',
    margin_before: (2 * price - 2 * 4.123456).toFixed(2),
    margin_after: '9.75',
    without_cost: 0,
  });
  const { partner: _, ...forAll } = rule;
  assert.equal((await previewed(forAll)).sales.orders, 4);
  t.clock.advance(30 * DAY);
  const later = await signedInOperator(t);
  const { body } = await later.get(`/operator/api/prices/preview?${new URLSearchParams(rule)}`);
  assert.deepEqual([body.prices, body.sales.orders, body.sales.margin_before], [1, 0, null]);
});

test('every operator may read prices; only those who handle money may change them', async () => {
  const support = await signedInOperator(t, 'support');
  const finance = await signedInOperator(t, 'finance');
  assert.equal((await support.get('/operator/api/prices')).status, 200);
  const rule = { scope: 'country', target: 'TR', share: '1' };
  assert.equal((await runAs(support, 'pricing rule add', rule)).body.error.code, 'role_forbids');
  assert.equal((await runAs(support, 'pricing cap', { pct: '60' })).body.error.code, 'role_forbids');
  assert.equal(
    (await runAs(finance, 'supplier set', { supplier: 'aurora', markup: '5' })).body.error.code,
    'role_forbids',
  );
  const made = await runAs(finance, 'pricing rule add', rule);
  assert.equal(made.status, 200, made.text);
  const [latest] = await run(t.operator(), `changes --who operator:${finance.email}`);
  assert.equal(latest.what, 'pricing rule add');
});

test('a top-up that fewer days leave out no longer counts, in the preview as afterwards', async () => {
  await run(t.operator(), 'pricing tiers --window-days 30');
  t.clock.advance(40 * DAY);
  const later = await signedInOperator(t);
  const { body } = await later.get('/operator/api/prices/preview?window-days=90');
  assert.ok(body.falls > 0 && body.partners === 1, 'only the partner that had topped up');
  await holds(body, () => run(t.operator(), 'pricing tiers --window-days 90'), 'window');
});
