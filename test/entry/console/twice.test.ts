import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { askForLive } from '../../../src/domains/partners/applications/applications.ts';
import { operatorAccess, operators } from '../../../src/domains/partners/people/people.ts';
import { stepAt, totpCode } from '../../../src/domains/partners/people/second-factor.ts';
import { proposals } from '../../../src/domains/partners/proposals/proposals.ts';
import { ssoProviders } from '../../../src/domains/partners/single-sign-on/single-sign-on.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { consoleActions } from '../../../src/entry/console/api.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { refusedWithoutKey, twice, type Wish } from '../../support/browser/twice.ts';
import { testApp } from '../../support/program/app.ts';
import { acceptedOperator, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { type Browser, PASSWORD, someEmail } from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';
import { invoicing, sell } from '../../support/sales/invoices.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { buy, credit, pausedSubscription } from '../../support/sales/shop.ts';
import { smtpServer } from '../../support/servers/smtp.ts';
import { csvOf, type Item, importText, newItems, PLAN, stockPlans } from '../../support/suppliers/stock-shop.ts';
import { refundShop, withdrawals } from '../../support/suppliers/withdrawals.ts';

const smtp = await smtpServer();
after(() => smtp[Symbol.asyncDispose]());
const issuerUrl = new URL('https://issuer.example');
const oidc = { issuer: issuerUrl, clientId: 'x', clientSecret: 'y', roleClaim: undefined, roles: new Map() };
const t = await testApp({ config: { mail: smtp.settings, invoicing, oidc } });
after(() => t[Symbol.asyncDispose]());
const other = await t.another();
after(() => other[Symbol.asyncDispose]());
const { db, worlds } = t.base;
const shop = await refundShop(t);
const plan = await testPlan(t);
await withdrawals(t, { outcome: 'refused', reason: 'installed' });

const cli = (line: string | readonly string[]) => run(t.operator(), line);
const rows = async (table: string): Promise<number> => (await db.query(sql`select 1 from ${raw(table)}`)).length;
const some = async () => String(await t.partner());
const LAST_MONTH = new Date(new Date().setUTCDate(0));
const month = LAST_MONTH.toISOString().slice(0, 7);
const sold = async () => {
  const partner = await t.partner();
  await sell(t, partner, { price: 450n, at: LAST_MONTH });
  return String(partner);
};
const invoice = async (): Promise<string> =>
  (await cli(['invoice', 'issue', '--partner', await sold(), '--month', month])).numbers[0];
const rich = async () => {
  const partner = await t.partner();
  await credit(t, partner, '100.00');
  return String(partner);
};
const waiting = async () => String((await paidOrder(t, { partnerId: shop.partnerId, plan })).id);
const requested = async () => {
  const { id } = await shop.order(shop.live);
  await t.post('/order/refund', { order_id: id }, { key: shop.live });
  return id;
};
const replaceable = async () => {
  const { id, iccid } = await shop.order(shop.live);
  await t.post('/esim/replace', { iccid, idempotency_key: `r-${iccid}` }, { key: shop.live });
  return id;
};
const webhook = async () => String(await pausedSubscription(t, await t.partner()));
const dead = async () => {
  const partner = await t.partner();
  const id = await pausedSubscription(t, partner);
  await buy(t, await t.key(partner, 'sandbox'), plan.alias);
  await worlds.sandbox.db.run(sql`delete from webhook_queue where subscription_id = ${id}`);
  await worlds.sandbox.db.run(sql`
    update webhook_deliveries set status = 'dead', died_at = created_at where subscription_id = ${id}`);
  return String(id);
};
const keyOf = async () => {
  await t.key(await t.partner());
  const { id } = await db.one<{ id: number }>(sql`select max(id) as id from api_keys`);
  return String(id);
};
const memberOf = async () => {
  await cli(`member invite --partner ${await some()} --email ${someEmail()} --role finance`);
  const made = await cli(`member invite --partner ${await some()} --email ${someEmail()} --role owner`);
  const { id } = await db.one<{ id: number }>(sql`select max(id) as id from members where role = 'finance'`);
  assert.ok(made.link);
  return String(id);
};
/** A partner that signed up and wants live. */
const applicationOf = () =>
  db.tx(async (tx) => {
    const wanted = { name: 'Island', email: someEmail(), isLive: false };
    const partnerId = await createPartner(tx, wanted, new Date(t.clock.now()));
    const details = { address: 'a', country: 'b', taxNumber: 'c', volume: 'd', use: 'e' };
    const wish = { partnerId, email: wanted.email, company: 'Island', details };
    return String((await askForLive(tx, wish, t.clock.now())).applicationId);
  });
const operatorOf = () =>
  db.tx(async (tx) =>
    String((await operators.create(tx, { email: someEmail(), role: 'support' }, t.clock.now())).operatorId),
  );
const withFactor = async (table: 'second_factors' | 'staff_second_factors', column: string, id: string) => {
  await db.run(sql`
    insert into ${raw(table)} (${raw(column)}, secret, on_since)
    values (${id}, ${t.base.vault.seal('never asked for')}, ${new Date(t.clock.now())})`);
  return id;
};
/** Of somebody else. */
const proposal = async () => {
  const partnerId = await t.partner();
  const who = { operatorId: 999_999, who: `operator:${someEmail()}`, key: someEmail() };
  const what = {
    action: 'wallet credit',
    input: { partner: String(partnerId), amount: '7.00' },
    amount: toCents(700n),
  };
  const wanted = { ...who, ...what, partnerId, words: 'Credit 7.00 USD', terms: {} };
  return (await db.tx((tx) => proposals.add(tx, t.base.vault, wanted, t.clock.now()))).id;
};
const incident = async () => {
  const words = ['incident', 'write', '--title', 'Slow', '--text', 'Looking.', '--impact', 'minor', '--parts', 'api'];
  return String((await run(t.operator(), words)).incident_id);
};
const inStock = async () => {
  await stockPlans(t.base);
  const [item] = newItems(1) as [Item];
  await importText(t, csvOf([item]));
  return item.iccid;
};
const subscriptions = async () => (await worlds.sandbox.db.query(sql`select 1 from webhook_subscriptions`)).length;

/** A partner that has set up single sign-on, with a domain that nobody has confirmed. */
const claiming = async () => {
  const partner = await t.partner();
  const wanted = {
    issuer: 'https://issuer.example',
    clientId: 'x',
    clientSecret: 'y',
    domains: [`company${partner}.example`],
  };
  await db.tx((tx) => ssoProviders.set(tx, t.base.vault, partner, wanted, t.clock.now()));
  return partner;
};

interface Case extends Pick<Wish, 'entries' | 'movements' | 'count' | 'isShownOnce'> {
  readonly input: Readonly<Record<string, string | boolean>>;
  /** Somebody in particular. */
  readonly who?: Browser;
}

/** What succeeds, for every command that the console runs. */
const cases: Readonly<Record<string, () => Promise<Case>>> = {
  'partner create': async () => ({
    input: { name: 'Alpine', email: someEmail() },
    // The sandbox's play money.
    movements: 1,
    count: () => rows('partners'),
  }),
  'partner set': async () => ({ input: { id: await some(), 'margin-share': '20' } }),
  'partner open-live': async () => ({ input: { id: String(await t.partner({ isLive: false })) } }),
  'partner delete': async () => ({ input: { id: await some() } }),
  'key create': async () => ({
    input: { partner: await some(), mode: 'live' },
    count: () => rows('api_keys'),
    isShownOnce: true,
  }),
  'key set': async () => ({ input: { id: await keyOf(), name: 'shop' } }),
  'key revoke': async () => ({ input: { id: await keyOf() } }),
  'member invite': async () => ({
    input: { partner: await some(), email: someEmail(), role: 'owner' },
    count: () => rows('members'),
    isShownOnce: true,
  }),
  'member set': async () => ({ input: { id: await memberOf(), role: 'developer' } }),
  'member reset-second-factor': async () => {
    const id = await memberOf();
    const { person } = await db.one<{ person: number }>(sql`
      insert into people (email, password_hash) select email, 'none' from members where id = ${id} returning id as person`);
    await db.run(sql`update members set person_id = ${person} where id = ${id}`);
    await withFactor('second_factors', 'person_id', String(person));
    return { input: { id } };
  },
  'member remove': async () => ({ input: { id: await memberOf() }, count: async () => -(await rows('members')) }),
  'application approve': async () => ({ input: { id: await applicationOf(), version: '1' } }),
  'application ask': async () => ({ input: { id: await applicationOf(), version: '1', question: 'Who?' } }),
  'application reject': async () => ({ input: { id: await applicationOf(), version: '1', note: 'No' } }),
  'operator invite': async () => ({
    input: { email: someEmail(), role: 'support' },
    count: () => rows('staff'),
    isShownOnce: true,
  }),
  'operator set': async () => ({ input: { id: await operatorOf(), role: 'finance' } }),
  'operator reset-second-factor': async () => ({
    input: { id: await withFactor('staff_second_factors', 'operator_id', await operatorOf()) },
  }),
  'operator remove': async () => ({ input: { id: await operatorOf() } }),
  'sso confirm': async () => {
    const partner = await claiming();
    return { input: { partner: String(partner), domain: `company${partner}.example` } };
  },
  // The operator who asks is the one who keeps a password, so their session goes on.
  'sso require': async () => {
    const who = await signedInOperator(t);
    const operator = String((await who.get(`${own}/me`)).body.operator.id);
    await db.run(sql`update staff set password_hash = 'none' where id = ${operator}`);
    return { who, input: { operator } };
  },
  'sso release': async () => {
    await db.tx((tx) => operators.requireSso(tx, undefined));
    return { input: {} };
  },
  'mail test': async () => ({ input: { address: someEmail() }, count: () => rows("mails where kind = 'test'") }),
  'wallet credit': async () => ({ input: { partner: await some(), amount: '100.00' }, movements: 1 }),
  'wallet payment': async () => {
    const partner = await some();
    await cli(`partner set ${partner} --billing postpaid --credit-limit 100`);
    await cli(`wallet adjust --partner ${partner} --add 50.00 --debt --note owed`);
    return { input: { partner, amount: '20.00' }, movements: 1 };
  },
  'wallet adjust': async () => ({ input: { partner: await rich(), subtract: '5.00', note: 'wrong' }, movements: 1 }),
  'catalog product set': async () => ({ input: { product: (await testPlan(t)).alias, price: '12.00' } }),
  'pricing rule add': async () => ({
    input: { scope: 'provider', target: 'aurora', share: '30', partner: await some() },
    count: () => rows('pricing_rules'),
  }),
  'pricing rule remove': async () => {
    const rule = await cli(`pricing rule add --scope provider --target aurora --share 30 --partner ${await some()}`);
    return { input: { id: String(rule.rule_id) }, count: async () => -(await rows('pricing_rules')) };
  },
  'privacy export': async () => ({ input: { partner: await some() }, isShownOnce: true }),
  'privacy erase': async () => ({ input: { email: someEmail() } }),
  'pricing cap': async () => ({ input: { pct: '75' } }),
  'pricing tiers': async () => ({ input: { tiers: '1000=10,5000=15', 'window-days': '30' } }),
  'webhook create': async () => ({
    input: { partner: await some(), mode: 'sandbox', url: 'https://93.184.215.14/hook' },
    count: subscriptions,
    isShownOnce: true,
  }),
  'webhook set': async () => ({ input: { id: await webhook(), events: 'order.paid' } }),
  'webhook rotate': async () => ({ input: { id: await webhook() }, isShownOnce: true }),
  'webhook pause': async () => ({ input: { id: await webhook() } }),
  'webhook resume': async () => ({ input: { id: await webhook() } }),
  'webhook delete': async () => ({ input: { id: await webhook() } }),
  'webhook requeue': async () => ({ input: { subscription: await dead() } }),
  // Nothing is that old, and what changes nothing leaves no entry.
  'webhook prune': async () => ({ input: { before: '2020-01-01T00:00:00Z' }, entries: 0 }),
  'order retry': async () => ({ input: { id: await waiting() } }),
  'order resend': async () => ({ input: { id: (await shop.order(shop.live)).id } }),
  'order fail': async () => {
    // Not due for long: no job may deliver it first.
    const id = await waiting();
    await worlds.live.db.run(sql`update orders set provision_due_at = now() + interval '1 hour' where id = ${id}`);
    return { input: { id }, movements: 1 };
  },
  'order cancel': async () => {
    // Certainly at no supplier, and not due for long.
    const id = await waiting();
    await worlds.live.db.run(sql`
      update orders set provision_due_at = now() + interval '1 hour', free_attempts = provision_attempts where id = ${id}`);
    return { input: { id }, movements: 1 };
  },
  'order refund': async () => ({
    input: { id: (await shop.order(shop.live)).id, amount: '1.00', version: 'none' },
    movements: 1,
  }),
  'refund approve': async () => ({
    input: { id: await requested(), amount: '1.00', version: 'requested-0-0' },
    movements: 1,
  }),
  'refund reject': async () => ({ input: { id: await requested(), note: 'used', version: 'requested-0-0' } }),
  'refund approve-many': async () => ({
    input: { orders: `${await requested()}=requested-0-0,${await requested()}=requested-0-0` },
    entries: 2,
    movements: 2,
  }),
  'refund reject-many': async () => ({
    input: { orders: `${await requested()}=requested-0-0,${await requested()}=requested-0-0`, note: 'used' },
    entries: 2,
  }),
  'replacement approve': async () => ({ input: { id: await replaceable() } }),
  'replacement reject': async () => ({ input: { id: await replaceable() } }),
  'replacement approve-many': async () => ({
    input: { orders: `${await replaceable()},${await replaceable()}` },
    entries: 2,
  }),
  'replacement reject-many': async () => ({
    input: { orders: `${await replaceable()},${await replaceable()}` },
    entries: 2,
  }),
  'invoice issue': async () => ({ input: { partner: await sold(), month }, count: () => rows('live.invoices') }),
  'invoice credit': async () => ({
    input: { number: await invoice(), reason: 'Wrong name' },
    count: () => rows('live.invoices'),
  }),
  'invoice send': async () => ({ input: { number: await invoice() } }),
  'note add': async () => ({
    input: { order: (await shop.order(shop.live)).id, text: 'Called them.' },
    count: () => rows('notes'),
  }),
  'note delete': async () => {
    const { note_id } = await cli(['note', 'add', '--partner', await some(), '--text', 'Wrong.']);
    return { input: { id: String(note_id) }, count: async () => -(await rows('notes')) };
  },
  'supplier set': async () => ({ input: { supplier: 'aurora', markup: '20' } }),
  'stock discard': async () => ({ input: { iccid: await inStock() } }),
  'stock release': async () => {
    const iccid = await inStock();
    await cli(`stock discard ${iccid}`);
    return { input: { iccid } };
  },
  'stock set': async () => {
    await inStock();
    return { input: { supplier: 'depot', plan: PLAN, low: '5' } };
  },
  'route set': async () => {
    const [sold, other] = [await testPlan(t), await testPlan(t)];
    return { input: { product: sold.alias, alternates: other.alias }, count: () => rows('routes') };
  },
  'route clear': async () => {
    const [sold, other] = [await testPlan(t), await testPlan(t)];
    await cli(`route set ${sold.alias} --alternates ${other.alias}`);
    return { input: { product: sold.alias } };
  },
  'incident write': async () => ({
    input: { title: 'Slow answers', text: 'We are looking.', impact: 'minor', parts: 'api' },
    count: () => rows('incidents'),
  }),
  'incident update': async () => ({
    input: { id: await incident(), text: 'Found it.', status: 'identified', version: '1' },
    count: () => rows('incident_updates'),
  }),
  'incident resolve': async () => ({
    input: { id: await incident(), text: 'It is over.', version: '1' },
    count: () => rows('incident_updates'),
  }),
  'route auto': async () => ({ input: { setting: 'on', supplier: 'aurora' } }),
  'supplier test': async () => ({ input: { supplier: 'aurora' } }),
  'sandbox clock advance': async () => ({ input: { partner: await some(), by: '1h' } }),
  'sandbox clock reset': async () => {
    const partner = await some();
    await cli(`sandbox clock advance --partner ${partner} --by 1h`);
    return { input: { partner } };
  },
  'audit request': async () => ({ input: {} }),
  'topup check': async () => {
    const key = await t.key(await t.partner());
    const { payment_key } = (await t.post('/account/topup', { amount: '20' }, { key })).body;
    return { input: { paymentKey: payment_key } };
  },
  settle: async () => ({ input: {} }),
  'revenue-share set': async () => ({ input: { 'grace-days': '30' } }),
  // Last: it takes the plans off sale that are not in the supplier's list.
  'catalog import': async () => ({ input: { source: 'aurora', yes: true }, count: () => rows('catalog_imports') }),
};

const own = '/operator/api';
const person = () => acceptedOperator(t, 'read-only');
const secured = async () => {
  const who = await person();
  await withSecondFactor(t, who, own);
  return who;
};
const setUp = async (who: Browser) =>
  totpCode((await who.post(`${own}/second-factor/start`)).body.key, stepAt(t.clock.now()));
const secondSession = async () => {
  const email = someEmail();
  const who = await signedInOperator(t, 'support', email);
  const { id } = await db.one<{ id: number }>(sql`select id from staff where email = ${email}`);
  await db.tx((tx) => operatorAccess.sessions.open(tx, id, t.clock.now()));
  return who;
};
const savedView = async (who: Browser): Promise<string> =>
  (await who.post(`${own}/views`, { list: 'orders', name: 'Overdue', filters: { status: 'overdue' } })).body.id;
const fewer = async () => -(await rows('staff_sessions'));

/** What operators do for themselves. */
const wishes: Readonly<Record<string, () => Promise<Wish>>> = {
  [`${own}/password`]: async () => ({
    who: await person(),
    path: `${own}/password`,
    body: { current: PASSWORD, password: `${PASSWORD} new` },
  }),
  [`${own}/second-factor/start`]: async () => {
    const count = () => rows('staff_second_factors');
    return { who: await person(), path: `${own}/second-factor/start`, entries: 0, count, isShownOnce: true };
  },
  [`${own}/second-factor/turn-on`]: async () => {
    const who = await person();
    return { who, path: `${own}/second-factor/turn-on`, body: { code: await setUp(who) }, isShownOnce: true };
  },
  [`${own}/second-factor/recovery-codes`]: async () => ({
    who: await secured(),
    path: `${own}/second-factor/recovery-codes`,
    isShownOnce: true,
  }),
  [`${own}/second-factor/turn-off`]: async () => ({ who: await secured(), path: `${own}/second-factor/turn-off` }),
  [`${own}/passkeys`]: async () => {
    const who = await person();
    const { options } = (await who.post(`${own}/passkeys/start`)).body;
    const body = { name: 'Phone', passkey: new SoftPasskey().create(options) };
    return { who, path: `${own}/passkeys`, body, count: () => rows('staff_passkeys'), isShownOnce: true };
  },
  [`${own}/passkeys/{id}/remove`]: async () => {
    const who = await secured();
    const { options } = (await who.post(`${own}/passkeys/start`)).body;
    const made = { name: 'Phone', passkey: new SoftPasskey().create(options) };
    const { id } = (await who.post(`${own}/passkeys`, made)).body.passkey;
    return { who, path: `${own}/passkeys/${id}/remove`, count: async () => -(await rows('staff_passkeys')) };
  },
  [`${own}/sessions/{id}/end`]: async () => {
    const who = await secondSession();
    const { sessions } = (await who.get(`${own}/sessions`)).body;
    const { id } = sessions.find((one: { is_this: boolean }) => !one.is_this);
    return { who, path: `${own}/sessions/${id}/end`, entries: 0, count: fewer };
  },
  [`${own}/sessions/end-others`]: async () => ({
    who: await secondSession(),
    path: `${own}/sessions/end-others`,
    entries: 0,
    count: fewer,
  }),
  [`${own}/home/dismiss`]: async () => ({
    who: await signedInOperator(t, 'read-only'),
    path: `${own}/home/dismiss`,
    body: { kind: 'old_proof', of: '', state: '1' },
    entries: 0,
    count: () => rows('staff_dismissals'),
  }),
  [`${own}/views`]: async () => ({
    who: await person(),
    path: `${own}/views`,
    body: { list: 'orders', name: 'Overdue', filters: { status: 'overdue' } },
    entries: 0,
    count: () => rows('saved_views'),
  }),
  [`${own}/views/{id}`]: async () => {
    const who = await person();
    return { who, path: `${own}/views/${await savedView(who)}`, body: { name: 'Late' }, entries: 0 };
  },
  [`${own}/views/{id}/delete`]: async () => {
    const who = await person();
    const count = async () => -(await rows('saved_views'));
    return { who, path: `${own}/views/${await savedView(who)}/delete`, entries: 0, count };
  },
  [`${own}/proposals/{id}/approve`]: async () => ({
    who: await signedInOperator(t),
    path: `${own}/proposals/${await proposal()}/approve`,
    // Of the approval and of the change.
    entries: 2,
    movements: 1,
  }),
  [`${own}/proposals/{id}/reject`]: async () => ({
    who: await signedInOperator(t),
    path: `${own}/proposals/${await proposal()}/reject`,
    body: { reason: 'too much' },
  }),
  [`${own}/stock/import`]: async () => {
    await stockPlans(t.base);
    const body = { input: { supplier: 'depot', plan: PLAN }, text: csvOf(newItems(3)) };
    const count = async () => (await rows('live.stock_items')) / 3;
    return { who: await signedInOperator(t), path: `${own}/stock/import`, body, count };
  },
  [`${own}/suppliers/add`]: async () => ({
    who: await signedInOperator(t),
    path: `${own}/suppliers/add`,
    body: { supplier: 'go-twice', kind: 'esim_go', title: 'Twice', settings: { key: 'k' } },
    count: () => rows('supplier_accounts'),
  }),
  [`${own}/suppliers/account`]: async () => {
    const who = await signedInOperator(t);
    const given = { supplier: 'go-changed', title: 'Changed', settings: { key: 'k' } };
    await who.post(`${own}/suppliers/add`, { ...given, kind: 'esim_go' });
    return { who, path: `${own}/suppliers/account`, body: given };
  },
  [`${own}/catalog/import`]: async () => {
    const supplier = { slug: 'delta', title: 'Delta', kind: 'simulated' };
    const sold = { code: 'fr-1', destination: 'FR', title: 'France 1 GB', amount: 1024, day: 7, network_type: '4G' };
    const text = JSON.stringify({ supplier, plans: [{ ...sold, price: 5, cost: 2 }] });
    const count = () => rows('catalog_imports');
    return { who: await signedInOperator(t), path: `${own}/catalog/import`, body: { input: {}, text }, count };
  },
};

const actions = consoleActions(t.base, {} as Services)
  .filter((action) => action.signedIn)
  .filter(({ verb }) => verb === 'POST');
const addressOf = (words: string) => `${own}/run/${words.replaceAll(' ', '/')}`;

test('every action of the console that changes something is tried here, and one without a key says why', () => {
  assert.deepEqual(
    [...Object.keys(cases).map(addressOf), ...Object.keys(wishes)].sort(),
    actions
      .filter(({ keyless }) => keyless === undefined)
      .map(({ path }) => path)
      .sort(),
  );
  for (const { path, keyless = 'it has a key' } of actions) assert.ok(keyless.length > 10, path);
});

suite('asked for twice at once, at two processes, it happens once and all get one answer', () => {
  for (const [words, prepare] of Object.entries(cases))
    test(words, async () => {
      const { input, who = await signedInOperator(t), ...expected } = await prepare();
      const wish = { who, path: addressOf(words), body: { input }, ...expected };
      await refusedWithoutKey(wish);
      const { cookie } = who;
      await twice(t, other, wish);
      assert.equal(who.cookie, cookie);
    });
  for (const [path, prepare] of Object.entries(wishes))
    test(path, async () => {
      const wish = await prepare();
      await refusedWithoutKey(wish);
      await twice(t, other, wish);
    });
});
