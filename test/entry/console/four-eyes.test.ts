import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { setPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { operatorAccess, operators } from '../../../src/domains/partners/people/people.ts';
import { countAmounts } from '../../../src/domains/partners/proposals/proposals.ts';
import type { ProposalView } from '../../../src/entry/console/proposals.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { listChanges } from '../../../src/platform/audit/audit-log.ts';
import { DAY, HOUR, MINUTE, timestamp } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { type Browser, browser, signedIn } from '../../support/program/panel.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { credit } from '../../support/sales/shop.ts';
import { smtpServer } from '../../support/servers/smtp.ts';
import { refundShop, withdrawals } from '../../support/suppliers/withdrawals.ts';

const smtp = await smtpServer();
after(() => smtp[Symbol.asyncDispose]());
const t = await testApp({ config: { mail: smtp.settings, fourEyes: toCents(500n) } });
after(() => t[Symbol.asyncDispose]());
const { db } = t.base;
const plan = await testPlan(t);
const shop = await refundShop(t);
await withdrawals(t, { outcome: 'refused', reason: 'installed' });

type Operator = Awaited<ReturnType<typeof signedInOperator>>;
/** Two who may move money, as their sessions are confirmed for minutes only. */
const pair = async (): Promise<[Operator, Operator]> => [
  await signedInOperator(t, 'finance'),
  await signedInOperator(t, 'finance'),
];
const admins = async (): Promise<[Operator, Operator]> => [await signedInOperator(t), await signedInOperator(t)];
const idOf = async ({ email }: Operator): Promise<number> => (await operators.byEmail(db, email))?.operatorId ?? 0;
const approve = (by: Browser, id: number, ask = {}) => by.post(`/operator/api/proposals/${id}/approve`, {}, ask);
const reject = (by: Browser, id: number, reason = '') => by.post(`/operator/api/proposals/${id}/reject`, { reason });
const listed = async (by: Browser, id: number): Promise<ProposalView> => {
  const { body } = await by.get('/operator/api/proposals');
  return body.proposals.find((one: ProposalView) => one.id === id);
};
const balanceOf = async (partner: number): Promise<string> =>
  (await run(t.operator(), `wallet show --partner ${partner}`)).balance;
const rows = async (): Promise<number> => (await db.query(sql`select 1 from proposals`)).length;
const proposed = async (by: Browser, action: string, input: Readonly<Record<string, string | boolean>>) => {
  const answer = await runAs(by, action, input);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(typeof answer.body.proposal, 'number', answer.text);
  assert.equal(answer.body.result, undefined);
  return answer.body.proposal as number;
};
const carriedOut = async (by: Browser, action: string, input: Readonly<Record<string, string | boolean>>) => {
  const answer = await runAs(by, action, input);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.proposal, undefined, answer.text);
  return answer.body.result;
};
const refusal = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
];
const creditOf = (partner: number, amount: string) => ({ partner: String(partner), amount });

suite('what is above the limit', () => {
  test('is proposed and not carried out; another operator approves it, and the log has both names', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', { ...creditOf(partner, '5.01'), note: 'invoice 7' });
    assert.equal(await balanceOf(partner), '0.00');
    const seen = await listed(bob, id);
    assert.match(seen.words, /^Credit 5\.01 USD to .+ \(partner \d+\): “invoice 7”$/);
    assert.deepEqual(
      [seen.status, seen.amount, seen.partner_id, seen.proposed_by, seen.is_own, seen.may_decide, seen.changes],
      ['waiting', '5.01', partner, ann.email, false, true, []],
    );
    assert.deepEqual(seen.input, { Partner: String(partner), Amount: '5.01', Note: 'invoice 7' });
    const done = await approve(bob, id);
    assert.equal(done.status, 200, done.text);
    assert.equal(done.body.result.balance, '5.01');
    assert.equal(await balanceOf(partner), '5.01');
    const after = await listed(ann, id);
    assert.deepEqual([after.status, after.decided_by, after.may_decide], ['approved', bob.email, false]);
    const [entry] = await listChanges(db, { target: `partner ${partner}`, who: undefined, limit: 1 });
    assert.deepEqual(
      [entry?.what, entry?.who, (entry?.after as { approved_by?: string } | undefined)?.approved_by],
      ['wallet credit', `operator:${ann.email}`, `operator:${bob.email}`],
    );
    const log = await listChanges(db, { target: `proposal ${id}`, who: undefined, limit: 5 });
    assert.deepEqual(
      log.map(({ what, who }) => [what, who]),
      [
        ['proposal approve', `operator:${bob.email}`],
        ['proposal create', `operator:${ann.email}`],
      ],
    );
    const { body } = await bob.get('/operator/api/audit');
    const sentences = body.entries.map((one: { sentence: { text: string }[] }) =>
      one.sentence.map(({ text }) => text).join(''),
    );
    assert.ok(
      sentences.some((one: string) => one.endsWith(`, approved by ${bob.email}`)),
      sentences.join('\n'),
    );
  });

  test('an amount that equals the limit is carried out', async () => {
    const [ann] = await pair();
    const partner = await t.partner();
    assert.equal((await carriedOut(ann, 'wallet credit', creditOf(partner, '5.00'))).balance, '5.00');
  });

  test('each way the console has to move or promise money is proposed', async () => {
    const [ann, bob] = await admins();
    const partner = String(await t.partner());
    await credit(t, Number(partner), '50.00');
    const waiting = String((await paidOrder(t, { partnerId: shop.partnerId, plan })).id);
    const other = String((await paidOrder(t, { partnerId: shop.partnerId, plan })).id);
    const { id: sold } = await shop.order(shop.live);
    const { id: asked } = await shop.order(shop.live);
    await t.post('/order/refund', { order_id: asked }, { key: shop.live });
    const { id: replaced, iccid } = await shop.order(shop.live);
    await t.post('/esim/replace', { iccid, idempotency_key: 'four eyes' }, { key: shop.live });
    await db.run(sql`update plans set cost = 6000000`);
    const { version } = await run(t.operator(), ['order', 'show', asked]).then(({ refund }) => refund);
    await run(t.operator(), 'pricing rule add --scope provider --target aurora --share 10');
    const [rule] = await run(t.operator(), 'pricing rule list');
    const ways: readonly [string, Readonly<Record<string, string | boolean>>][] = [
      ['wallet credit', { partner, amount: '6' }],
      ['wallet credit', { partner, amount: '6', promo: true }],
      ['wallet adjust', { partner, subtract: '6', note: 'n' }],
      ['wallet adjust', { partner, add: '6', debt: true, note: 'n' }],
      ['wallet payment', { partner, amount: '6' }],
      ['partner set', { id: partner, 'credit-limit': '6' }],
      ['partner set', { id: partner, replacements: '6' }],
      ['partner set', { id: partner, 'margin-share': '90' }],
      ['partner set', { id: partner, 'revenue-share': '90' }],
      ['partner create', { name: 'New', email: 'n@example.com', billing: 'postpaid', 'credit-limit': '6' }],
      ['order refund', { id: sold, version: 'none' }],
      ['refund approve', { id: asked, version }],
      ['refund approve-many', { orders: `${asked}=${version}` }],
      ['replacement approve', { id: replaced }],
      ['replacement approve-many', { orders: replaced }],
      ['order fail', { id: waiting }],
      ['order cancel', { id: other }],
      ['pricing rule add', { scope: 'product', target: plan.alias, price: '0.01' }],
      ['pricing rule remove', { id: String(rule.rule_id) }],
      ['pricing cap', { pct: '99' }],
      ['pricing tiers', { tiers: '1=99' }],
      ['catalog product set', { product: plan.alias, price: '0.01' }],
      ['catalog product set', { product: plan.alias, cost: '0.01' }],
      ['supplier set', { supplier: 'aurora', markup: '1' }],
      ['supplier set', { supplier: 'aurora', title: 'Borealis' }],
    ];
    const state = () =>
      db.one(sql`
        select (select count(*) from live.movements) as movements, (select count(*) from pricing_rules) as rules,
          (select sum(list_price) from plans) as prices, (select count(*) from partners) as partners`);
    const before = await state();
    for (const [action, input] of ways) {
      t.clock.advance(2_000);
      const id = await proposed(ann, action, input);
      assert.notEqual((await listed(bob, id)).words, '', action);
    }
    assert.deepEqual(await state(), before);
  });

  test('what promises nothing, moves nothing real or lowers a limit is carried out', async () => {
    const [ann] = await admins();
    const partner = await t.partner();
    await run(t.operator(), `partner set ${partner} --billing postpaid --credit-limit 100`);
    await carriedOut(ann, 'partner set', { id: String(partner), name: 'Renamed', suspended: 'false' });
    await carriedOut(ann, 'partner set', { id: String(partner), 'credit-limit': '50' });
    await carriedOut(ann, 'catalog product set', { product: plan.alias, 'on-sale': 'true' });
    const { id } = await paidOrder(t, { partnerId: shop.partnerId, plan });
    await carriedOut(ann, 'refund reject-many', { orders: `${id}=none`, note: 'n' });
  });

  test('a limit that was set before counts once the account becomes postpaid', async () => {
    const [ann] = await pair();
    const partner = await t.partner();
    await run(t.operator(), `partner set ${partner} --billing prepaid --credit-limit 1000`);
    await proposed(ann, 'partner set', { id: String(partner), billing: 'postpaid' });
  });

  test('accounts at suppliers, at any amount; their credentials are sealed and never shown', async () => {
    const [ann, bob] = await admins();
    const secret = 'the-credential-of-nimbus';
    const body = {
      supplier: 'nimbus',
      kind: 'airalo',
      title: 'Nimbus',
      settings: { client_id: 'id-of-nimbus', client_secret: secret },
    };
    const answer = await ann.post('/operator/api/suppliers/add', body);
    assert.equal(answer.status, 200, answer.text);
    const { proposal } = answer.body;
    const { text } = await bob.get('/operator/api/proposals');
    assert.ok(text.includes('client_secret') && !text.includes(secret));
    const { words, sealed } = await db.one<{ words: string; sealed: Buffer }>(
      sql`select words, sealed from proposals where id = ${proposal}`,
    );
    assert.ok(!words.includes(secret) && !sealed.includes(secret));
    assert.equal(
      (await run(t.operator(), 'supplier list')).some((one: { supplier: string }) => one.supplier === 'nimbus'),
      false,
    );
    const done = await approve(bob, proposal);
    assert.equal(done.status, 200, done.text);
    assert.ok(!done.text.includes(secret));
    const change = { supplier: 'nimbus', title: 'Nimbus 2', settings: {} };
    const next = (await ann.post('/operator/api/suppliers/account', change)).body.proposal;
    assert.equal((await approve(bob, next)).body.result.title, 'Nimbus 2');
  });

  test('an uploaded price list; a trial of it is not', async () => {
    const [ann, bob] = await admins();
    const price = {
      code: 'paper-1',
      destination: 'FR',
      title: '1 GB',
      amount: 1024,
      day: 7,
      network_type: '4G',
      price: 3,
    };
    const text = JSON.stringify({
      supplier: { slug: 'aurora', title: 'Aurora', kind: 'simulated' },
      full: false,
      plans: [price],
    });
    const tried = await ann.post('/operator/api/catalog/import', { input: { 'dry-run': true }, text });
    assert.equal(tried.body.proposal, undefined);
    const wrong = await ann.post('/operator/api/catalog/import', { input: {}, text: '{}' });
    assert.equal(wrong.status, 400, wrong.text);
    assert.equal(tried.body.result.added, 1, tried.text);
    const { proposal } = (await ann.post('/operator/api/catalog/import', { input: {}, text })).body;
    assert.match((await listed(bob, proposal)).words, /^Import an uploaded price list of aurora: 1 plans, 1 added/);
    assert.equal((await approve(bob, proposal)).status, 200);
  });
});

suite('those who may decide', () => {
  test('get a mail, the operator who proposed it does not, and it stands on the home page', async () => {
    const [ann, bob] = await pair();
    const reader = await signedInOperator(t, 'read-only');
    const id = await proposed(ann, 'wallet credit', creditOf(await t.partner(), '77.00'));
    const mails = await db.query<{ recipient: string }>(sql`
      select recipient from mails where kind = 'proposal' and recipient in (${ann.email}, ${bob.email}, ${reader.email})
      and id > (select max(id) - 100 from mails)`);
    assert.deepEqual(new Set(mails.map(({ recipient }) => recipient)), new Set([bob.email]));
    const home = await bob.get('/operator/api/home');
    const part = home.body.parts.find((one: { part: string }) => one.part === 'proposals');
    assert.equal(part.is_unreadable, false);
    assert.deepEqual([part.alerts[0].kind, part.alerts[0].count > 0], ['proposals', true]);
    assert.equal((await reject(bob, id, 'too much')).body.status, 'rejected');
    const after = await listed(bob, id);
    assert.deepEqual([after.status, after.reason, after.decided_by], ['rejected', 'too much', bob.email]);
    assert.deepEqual(refusal(await approve(bob, id)), [409, 'proposal_closed']);
  });

  test('are not the operator who proposed it: not in another browser, nor with an older session', async () => {
    const email = `${randomUUID()}@example.com`;
    const ann = await signedInOperator(t, 'finance', email);
    const elsewhere = await db.tx(async (tx) => operatorAccess.sessions.open(tx, await idOf(ann), t.clock.now()));
    const older = Object.assign(browser(t), { cookie: `wayfare_operator=${elsewhere}` });
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    for (const by of [ann, older]) assert.deepEqual(refusal(await approve(by, id)), [403, 'own_proposal']);
    assert.deepEqual([(await listed(older, id)).is_own, (await listed(older, id)).may_decide], [true, false]);
    // Removed and invited again, it is still the same person.
    await run(t.operator(), `operator remove ${await idOf(ann)}`);
    const again = await signedInOperator(t, 'finance', email.toUpperCase());
    assert.deepEqual(refusal(await approve(again, id)), [403, 'own_proposal']);
    assert.equal(await balanceOf(partner), '0.00');
  });

  test('are not an account that the one who proposed it has just invited, promoted or reset', async () => {
    const [ann] = await admins();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    const puppet = await signedInOperator(t, 'support');
    await carriedOut(ann, 'operator set', { id: String(await idOf(puppet)), role: 'admin' });
    await db.run(sql`
      insert into staff_second_factors (operator_id, secret, on_since)
      values (${await idOf(puppet)}, ${t.base.vault.seal('never asked for')}, ${new Date(t.clock.now())})`);
    assert.deepEqual(refusal(await approve(puppet, id)), [403, 'own_proposal']);
    assert.equal(await balanceOf(partner), '0.00');
  });

  test('have the permission now: a role that was taken away meanwhile decides nothing', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    await run(t.operator(), `operator set ${await idOf(bob)} --role support`);
    assert.deepEqual(refusal(await approve(bob, id)), [403, 'role_forbids']);
    assert.deepEqual(refusal(await reject(bob, id)), [403, 'role_forbids']);
    const manager = await proposed((await admins())[0], 'catalog product set', { product: plan.alias, price: '3.00' });
    assert.deepEqual(refusal(await approve(ann, manager)), [403, 'role_forbids'], 'money alone does not manage plans');
    assert.equal(await balanceOf(partner), '0.00');
  });

  test('are signed in here, from our own pages, with a password given minutes ago', async () => {
    const [ann, bob] = await pair();
    const id = await proposed(ann, 'wallet credit', creditOf(await t.partner(), '9.00'));
    assert.deepEqual(refusal(await approve(browser(t), id)), [401, 'sign_in_required']);
    assert.deepEqual(refusal(await approve(await signedIn(t, await t.partner()), id)), [401, 'sign_in_required']);
    const foreign = { headers: { origin: 'https://elsewhere.example' } };
    assert.deepEqual(refusal(await approve(bob, id, foreign)), [403, 'cross_origin']);
    assert.deepEqual(refusal(await approve(bob, 999_999)), [404, 'proposal_not_found']);
    t.clock.advance(16 * MINUTE);
    assert.deepEqual(refusal(await approve(bob, id)), [403, 'confirmation_required']);
    assert.equal((await listed(bob, id)).status, 'waiting');
  });

  test('a proposal expires after 24 hours, and its operator can withdraw it before', async () => {
    const [ann] = await pair();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    const own = await proposed(ann, 'wallet credit', creditOf(partner, '10.00'));
    assert.equal((await reject(ann, own)).body.status, 'withdrawn');
    t.clock.advance(DAY);
    const bob = await signedInOperator(t, 'finance');
    assert.equal((await listed(bob, id)).status, 'expired');
    assert.deepEqual(refusal(await approve(bob, id)), [409, 'proposal_closed']);
    assert.deepEqual(refusal(await approve(bob, own)), [409, 'proposal_closed']);
    assert.equal(await balanceOf(partner), '0.00');
  });
});

suite('amounts of one operator to one partner within an hour', () => {
  test('count together, however they are moved', async () => {
    const [ann, bob] = await admins();
    const partner = await t.partner();
    await carriedOut(ann, 'wallet credit', creditOf(partner, '3.00'));
    await proposed(ann, 'wallet credit', creditOf(partner, '2.01'));
    await proposed(ann, 'wallet adjust', { partner: String(partner), add: '2.50', note: 'n' });
    await proposed(ann, 'partner set', { id: String(partner), 'credit-limit': '4.00' });
    assert.equal(await balanceOf(partner), '3.00');
    await carriedOut(bob, 'wallet credit', creditOf(partner, '3.00'));
    await carriedOut(ann, 'wallet credit', creditOf(await t.partner(), '3.00'));
    t.clock.advance(HOUR);
    const later = await signedInOperator(t, 'finance');
    await carriedOut(later, 'wallet credit', creditOf(partner, '3.00'));
  });

  test('what was refused or rejected does not count, what waits does', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const refused = await runAs(ann, 'wallet adjust', { partner: String(partner), subtract: '4.00', note: 'n' });
    assert.deepEqual(refusal(refused), [409, 'insufficient_balance']);
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '6.00'));
    const second = await proposed(ann, 'wallet credit', creditOf(partner, '4.00'));
    await reject(bob, second);
    await reject(bob, id);
    await carriedOut(ann, 'wallet credit', creditOf(partner, '4.00'));
  });

  test('exactly: of eight halves at once, one is carried out', async () => {
    const [ann] = await pair();
    const partner = await t.partner();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => runAs(ann, 'wallet credit', creditOf(partner, '3.00'))),
    );
    const done = answers.filter(({ body }) => body.result);
    assert.equal(done.length, 1, answers.map(({ text }) => text).join('\n'));
    assert.equal(answers.filter(({ body }) => body.proposal).length, 7);
    assert.equal(await balanceOf(partner), '3.00');
  });

  test('exactly, also where nothing else makes them wait for each other: none misses another’s amount', async () => {
    const partnerId = await t.partner();
    const amounts = [{ partnerId, amount: toCents(300n) }];
    const sums = await Promise.all(
      Array.from({ length: 12 }, () => db.tx((tx) => countAmounts(tx, 'operator:kim', amounts, t.clock.now()))),
    );
    assert.deepEqual(
      sums.map(Number).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, i) => 300 * (i + 1)),
    );
  });

  test('a credit limit in small steps is proposed as soon as the whole of it is above', async () => {
    const [ann] = await pair();
    const partner = await t.partner();
    await run(t.operator(), `partner set ${partner} --billing postpaid --credit-limit 4`);
    await proposed(ann, 'partner set', { id: String(partner), 'credit-limit': '5.01' });
    t.clock.advance(HOUR);
    const later = await signedInOperator(t, 'finance', `${randomUUID()}@example.com`);
    await carriedOut(later, 'partner set', { id: String(partner), 'credit-limit': '4.50' });
    await proposed(later, 'partner set', { id: String(partner), 'credit-limit': '4.60' });
  });

  test('a credit limit of a new partner counts with what it is given next', async () => {
    const [ann] = await admins();
    const input = { name: 'Delta', email: 'd@example.com', billing: 'postpaid', 'credit-limit': '4.00' };
    const { partner_id } = await carriedOut(ann, 'partner create', input);
    await proposed(ann, 'wallet credit', creditOf(partner_id, '1.01'));
  });

  test('many refunds at once count as their sum', async () => {
    const [ann, bob] = await pair();
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const { id } = await shop.order(shop.live);
        await t.post('/order/refund', { order_id: id }, { key: shop.live });
        return { id, version: (await run(t.operator(), ['order', 'show', id])).refund.version };
      }),
    );
    const orders = asked.map(({ id, version }) => `${id}=${version}`).join(',');
    const id = await proposed(ann, 'refund approve-many', { orders });
    assert.match((await listed(bob, id)).words, /^Approve 2 refunds of /);
    const done = await approve(bob, id);
    assert.equal(done.body.result?.decided.length, 2, done.text);
    assert.deepEqual(refusal(await approve(bob, id)), [409, 'proposal_closed']);
  });
});

suite('approving', () => {
  test('is refused if the terms changed since, and the list says which', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    await run(t.operator(), `partner set ${partner} --billing postpaid --credit-limit 10`);
    const id = await proposed(ann, 'partner set', { id: String(partner), 'credit-limit': '100' });
    await run(t.operator(), `partner set ${partner} --credit-limit 20`);
    assert.deepEqual((await listed(bob, id)).changes, [{ what: 'credit limit', was: '10.00', is: '20.00' }]);
    const refused = await approve(bob, id);
    assert.deepEqual(refusal(refused), [409, 'proposal_changed']);
    assert.match(refused.body.error.message, /credit limit was 10\.00 and is 20\.00/);
    assert.equal((await run(t.operator(), `partner show ${partner}`)).credit_limit, '20.00');
    await run(t.operator(), `partner set ${partner} --credit-limit 10`);
    assert.equal((await approve(bob, id)).status, 200);
  });

  test('is refused if the terms are being changed at that moment', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    await run(t.operator(), `partner set ${partner} --billing postpaid --credit-limit 10`);
    const id = await proposed(ann, 'partner set', { id: String(partner), 'credit-limit': '100' });
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const editing = db.tx(async (tx) => {
      await setPartner(tx, partner, { creditLimit: toCents(2000n) }, new Date(t.clock.now()));
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const approving = approve(bob, id);
    await eventually('the approval waits', async () => {
      const waiting = await db.query(sql`select 1 from pg_locks where not granted`);
      return waiting.length > 0;
    });
    end.resolve();
    await editing;
    assert.deepEqual(refusal(await approving), [409, 'proposal_changed']);
    assert.equal((await run(t.operator(), `partner show ${partner}`)).credit_limit, '20.00');
  });

  test('is refused if the refund was decided meanwhile', async () => {
    const [ann, bob] = await pair();
    const { id: order } = await shop.order(shop.live);
    const id = await proposed(ann, 'order refund', { id: order, version: 'none' });
    await run(t.operator(), ['order', 'refund', order, '--amount', '0.50']);
    assert.deepEqual(refusal(await approve(bob, id)), [409, 'proposal_changed']);
  });

  test('is not refused because the balance moved with a sale', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    await credit(t, partner, '1.00');
    assert.deepEqual((await listed(bob, id)).changes, []);
    assert.equal((await approve(bob, id)).body.result.balance, '10.00');
  });

  test('twice at once, by two operators and by one, carries it out once', async () => {
    const [ann, bob] = await pair();
    const kim = await signedInOperator(t, 'finance');
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet credit', creditOf(partner, '9.00'));
    const answers = await Promise.all([bob, kim, bob, kim].map((by) => approve(by, id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join('\n'));
    assert.equal(await balanceOf(partner), '9.00');
  });

  test('a repeat with the same key gets the same answer, for proposing and for approving', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const send = () => ann.post('/operator/api/run/wallet/credit', { input: creditOf(partner, '9.00') }, key);
    const before = await rows();
    const [one, two] = [await send(), await send()];
    assert.equal(one.text, two.text);
    // As after a kill between the proposal and its answer.
    await db.run(sql`delete from action_keys where key = ${key.headers['idempotency-key']}`);
    assert.equal((await send()).text, one.text);
    assert.equal((await rows()) - before, 1);
    const again = { headers: { 'idempotency-key': randomUUID() } };
    const done = await approve(bob, one.body.proposal, again);
    assert.equal((await approve(bob, one.body.proposal, again)).text, done.text);
    // As after a kill between the change and its answer.
    await db.run(sql`delete from action_keys where key = ${again.headers['idempotency-key']} and step = 0`);
    assert.equal((await approve(bob, one.body.proposal, again)).text, done.text);
    assert.deepEqual(refusal(await approve(bob, one.body.proposal)), [409, 'proposal_closed']);
    assert.equal(await balanceOf(partner), '9.00');
  });

  test('what the action refuses changes nothing, and the proposal stays', async () => {
    const [ann, bob] = await pair();
    const partner = await t.partner();
    const id = await proposed(ann, 'wallet adjust', { partner: String(partner), subtract: '9.00', note: 'n' });
    assert.deepEqual(refusal(await approve(bob, id)), [409, 'insufficient_balance']);
    assert.equal((await listed(bob, id)).status, 'waiting');
    await credit(t, partner, '9.00');
    assert.equal((await approve(bob, id)).body.result.balance, '0.00');
  });
});

test('every action of the console that is about money says what it moves or promises', () => {
  const without = {
    'audit request': 'it reads the ledger',
    'invoice credit': 'it moves no money: what is owed stays owed',
    'invoice issue': 'it writes down what was charged',
    'invoice send': 'it mails a document again',
    'refund reject': 'it gives nothing',
    'refund reject-many': 'it gives nothing',
    'replacement reject': 'it gives nothing',
    'replacement reject-many': 'it gives nothing',
    'revenue-share set': 'it sets when shares are settled, not how much they are',
    'topup check': 'it books what the card provider says',
  };
  const money = actions.filter(
    ({ console: rule }) => typeof rule === 'object' && 'may' in rule && rule.may === 'money',
  );
  assert.deepEqual(
    money
      .filter(({ fourEyes }) => !fourEyes)
      .map(({ name }) => name)
      .sort(),
    Object.keys(without),
  );
});

test('the command line is exempt, and what it does above the limit is mailed to all admins', async () => {
  const admin = await signedInOperator(t);
  const finance = await signedInOperator(t, 'finance');
  const partner = await t.partner();
  const mailed = async () =>
    (
      await db.query<{ recipient: string }>(sql`
        select recipient from mails where kind = 'command_above_limit' and recipient in (${admin.email}, ${finance.email})`)
    ).map(({ recipient }) => recipient);
  await run(t.operator(), `wallet credit --partner ${partner} --amount 5.00`);
  assert.deepEqual(await mailed(), []);
  await run(t.operator(), `wallet credit --partner ${partner} --amount 0.01`);
  assert.deepEqual(await mailed(), [admin.email], 'together they are above it');
  const other = await t.partner();
  await run(t.operator(), `wallet credit --partner ${other} --amount 900`);
  assert.equal((await mailed()).length, 2);
  assert.equal(await balanceOf(other), '900.00');
});

test('the command line refuses an import as it does without the setting, row by row, and mails nobody', async () => {
  const importOf = async (plans: readonly object[]) => {
    const folder = await mkdtemp(join(tmpdir(), 'wayfare-list-'));
    const file = join(folder, 'list.json');
    const supplier = { slug: 'commanded', title: 'Commanded', kind: 'simulated' };
    await writeFile(file, JSON.stringify({ supplier, plans }));
    return run(t.operator(), ['catalog', 'import', file]).finally(() => rm(folder, { recursive: true }));
  };
  const row = { destination: 'FR', title: '1 GB', amount: 1024, day: 7, network_type: '4G', price: 3 };
  const plans = ['a', 'b', 'c'].map((code) => ({ ...row, code }));
  const mailed = async () => (await db.query(sql`select 1 from mails where kind = 'command_above_limit'`)).length;
  assert.equal((await importOf(plans)).added, 3);
  const before = await mailed();
  const bad = await importOf(plans.map((plan) => ({ ...plan, day: 0 })));
  assert.deepEqual([bad.ok, bad.error, bad.problems.length], [false, 'import_refused', 3]);
  await assert.rejects(importOf(plans.slice(1)), { code: 'many_off_sale', message: /1 of the 3 plans .*--yes$/ });
  await assert.rejects(run(t.operator(), 'catalog import nowhere'), { message: /neither a file nor a supplier/ });
  assert.equal(await mailed(), before);
});

test('a settlement above the limit is proposed; what was due then is paid when it is approved', async () => {
  await using own = await testApp({ config: { fourEyes: toCents(100n) } });
  const partner = await own.partner();
  await run(own.operator(), `partner set ${partner} --revenue-share 50`);
  const order = await paidOrder(own, { partnerId: partner, plan: await testPlan(own) });
  await own.base.worlds.live.provisioning.provision(order);
  const { iccid } = await own.base.worlds.live.db.one<{ iccid: string }>(
    sql`select iccid from orders where id = ${order.id}`,
  );
  const ended = timestamp(own.clock.now() - 4 * DAY);
  await run(own.operator(), ['usage', 'set', iccid, '--used', '256', '--expires-at', ended]);
  const [ann, bob] = [await signedInOperator(own, 'finance'), await signedInOperator(own, 'finance')];
  const id = await proposed(ann, 'settle', {});
  const seen = await listed(bob, id);
  assert.match(seen.words, /^Settle the revenue share that was due at .+ UTC: 1\.50 USD to 1 partner$/);
  assert.equal(seen.changes, null);
  const done = await approve(bob, id);
  assert.deepEqual(done.body.result, { looked: 1, shares: 1, settled: 1 }, done.text);
  assert.equal((await carriedOut(ann, 'settle', {})).settled, 0, 'nothing is due, so nothing has to be approved');
});

test('without the setting nothing is proposed', async () => {
  await using own = await testApp();
  const ann = await signedInOperator(own);
  const partner = await own.partner();
  assert.equal((await carriedOut(ann, 'wallet credit', creditOf(partner, '100000'))).balance, '100000.00');
  assert.deepEqual((await ann.get('/operator/api/proposals')).body, { proposals: [] });
});
