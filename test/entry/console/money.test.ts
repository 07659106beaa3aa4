import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { settledShares } from '../../../src/domains/billing/revenue-share/shares.ts';
import { listTopups } from '../../../src/domains/billing/topups/rows.ts';
import { readTrialBalance } from '../../../src/domains/insight/figures/trial-balance.ts';
import { addToMonths } from '../../../src/domains/insight/rollups/ledger-by-month.ts';
import { proofJob } from '../../../src/domains/money/proof/proof.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { DAY, HOUR } from '../../../src/platform/clock.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { proveBoth } from '../../../src/worlds/books.ts';
import { countedLedger, directLedger } from '../../support/database/direct-count.ts';
import { explaining } from '../../support/database/explain.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { browser } from '../../support/program/panel.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { charge, delivered, keepReading, posted } from '../../support/sales/sales.ts';
import { credit } from '../../support/sales/shop.ts';

// A panel alone: no job settles, counts or proves anything beside the tests.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const { db: owner } = t.base;
const plan = await testPlan(t);
const [admin, finance, support, reader] = (await Promise.all(
  (['admin', 'finance', 'support', 'read-only'] as const).map((role) => signedInOperator(t, role)),
)) as [
  Awaited<ReturnType<typeof signedInOperator>>,
  Awaited<ReturnType<typeof signedInOperator>>,
  Awaited<ReturnType<typeof signedInOperator>>,
  Awaited<ReturnType<typeof signedInOperator>>,
];

const read = async (path: string, who = reader) => {
  const answer = await who.get(`/operator/api/money/${path}`);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer;
};
const month = () => new Date(t.clock.now()).toISOString().slice(0, 7);
const linesOf = (text: string) => text.replace('\ufeff', '').trimEnd().split('\r\n');

const [prepaid, postpaid] = [
  await t.partner({ name: 'Alpine' }),
  await t.partner({ name: 'Baltic', billing: 'postpaid', creditLimit: toCents(100_000n) }),
];

test('the trial balance has every account, adds up to zero, and equals the wallets', async () => {
  const { body: empty } = await read('trial-balance');
  assert.deepEqual([empty.accounts, empty.adds_up], [[], true]);
  await credit(t, prepaid, '50');
  await run(t.operator(), `wallet credit --partner ${prepaid} --amount 5 --promo`);
  await paidOrder(t, { partnerId: prepaid, plan });
  await paidOrder(t, { partnerId: postpaid, plan });
  const { body } = await read('trial-balance');
  const direct = await live.db.query<{ account: string; debits: bigint; credits: bigint }>(sql`
    select account, sum(debits)::bigint as debits, sum(credits)::bigint as credits from (
      select debit as account, amount as debits, 0 as credits from transfers union all select credit, 0, amount from transfers
    ) as side group by 1 order by 1`);
  const cents = (text: string) => BigInt(text.replace('.', ''));
  assert.deepEqual(
    body.accounts.map((one: Record<string, string>) => [
      one.account,
      cents(one.debits ?? ''),
      cents(one.credits ?? ''),
    ]),
    direct.map(({ account, debits, credits }) => [account, debits, credits]),
  );
  assert.equal(body.total.debits, body.total.credits);
  assert.equal(body.total.balance, '0.00');
  assert.deepEqual([body.adds_up, body.compared, body.differences], [true, true, []]);
});

test('counted or not, by month or in all, the trial balance is the same', async () => {
  const before = await readTrialBalance(live.db);
  while ((await addToMonths(live.db, t.clock)) > 0);
  const { young } = await owner.one<{ young: number }>(sql`
    select count(*)::int as young from live.movements
    where id <= (select movements_to from live.ledger_by_month_progress) and at >= ${new Date(t.clock.now() - DAY)}`);
  assert.equal(young, 0, 'beside a movement of the last day, one with a smaller id may not be committed yet');
  assert.deepEqual(await readTrialBalance(live.db), before);
  const tomorrow = { now: () => t.clock.now() + 2 * DAY };
  await addToMonths(live.db, tomorrow, 2);
  assert.ok((await countedLedger(live.db)).length > 0);
  assert.deepEqual(await readTrialBalance(live.db), before, 'in the middle of the count');
  await Promise.all([1, 2, 3].map(() => addToMonths(live.db, tomorrow, 3)));
  while ((await addToMonths(live.db, tomorrow)) > 0);
  assert.deepEqual(await countedLedger(live.db), await directLedger(live.db));
  assert.deepEqual(await readTrialBalance(live.db), before);
  await credit(t, prepaid, '1');
  assert.equal((await read(`trial-balance?month=${month()}`)).body.compared, true, 'the running month goes up to now');
  const past = await readTrialBalance(live.db, new Date(t.clock.now() - 400 * DAY));
  assert.deepEqual(past, { accounts: [], wallets: null });
  for (const bad of ['month=2026-13', 'month=2999-01', 'mode=other'])
    assert.equal((await reader.get(`/operator/api/money/trial-balance?${bad}`)).body.error.code, 'invalid_input');
});

test('a trial balance that does not add up says where', async () => {
  await live.db.run(
    sql`update wallets set cash = cash + 7, outstanding = outstanding - 3 where partner_id = ${postpaid}`,
  );
  const { body } = await read('trial-balance');
  assert.equal(body.adds_up, false);
  assert.deepEqual(
    body.differences.map((one: { account: string }) => one.account),
    ['cash', 'receivable'],
  );
  await live.db.run(
    sql`update wallets set cash = cash - 7, outstanding = outstanding + 3 where partner_id = ${postpaid}`,
  );
  assert.equal((await read('trial-balance')).body.adds_up, true);
});

test('each world has its own trial balance, and both can be had as a file', async () => {
  const { body } = await read('trial-balance?mode=sandbox');
  assert.equal(body.adds_up, true, JSON.stringify(body));
  const { wallets } = await readTrialBalance(sandbox.db);
  assert.ok((wallets?.cash ?? 0n) > 0n);
  const { body: shown, ...csv } = await read('trial-balance.csv');
  assert.match(String(csv.headers['content-disposition']), /trial-balance-live-/);
  const lines = linesOf(csv.text);
  assert.equal(lines[0], 'account,debits_usd,credits_usd,balance_usd');
  const { total } = (await read('trial-balance')).body;
  assert.equal(lines.at(-1), `total,${total.debits},${total.credits},0.00`);
  assert.equal(shown, undefined);
});

test('a proof is kept with its result and age, made by the command or asked for in the console', async () => {
  assert.deepEqual((await read('proofs')).body, { last: null, open: null, latest: [] });
  assert.equal((await run(t.operator(), 'audit')).ok, true);
  const first = (await read('proofs')).body;
  assert.equal(first.last.result.ok, true);
  assert.equal(first.last.result.live.orders, 2);
  assert.ok(first.last.age_seconds < 60);
  t.clock.advance(10 * 60_000);
  assert.ok((await read('proofs')).body.last.age_seconds >= 600, 'it ages');

  const asked = await runAs(finance, 'audit request', {});
  assert.deepEqual(asked.body.result, { requested: true, already_running: false }, asked.text);
  assert.equal((await runAs(finance, 'audit request', {})).body.result.already_running, true, 'one is enough');
  const waiting = (await read('proofs')).body;
  assert.equal(waiting.open.by, `operator:${finance.email}`);
  assert.equal(waiting.last.id, first.last.id, 'the last result stays until there is another');
  await live.db.run(sql`update wallets set cash = cash + 1 where partner_id = ${prepaid}`);
  assert.equal(await prove(), 1);
  const broken = (await read('proofs')).body;
  assert.deepEqual([broken.open, broken.last.result.ok, broken.last.by], [null, false, `operator:${finance.email}`]);
  assert.equal(broken.last.result.live.drift[0].rule, 'every wallet equals the sum of its transfers');
  assert.deepEqual(broken.last.result.live.drift[0].examples, [String(prepaid)]);
  assert.equal(broken.last.done, broken.last.total);
  await live.db.run(sql`update wallets set cash = cash - 1 where partner_id = ${prepaid}`);
  assert.equal(await prove(), 0, 'nothing is asked for');

  await runAs(finance, 'audit request', {});
  await prove();
  assert.equal((await read('proofs')).body.last.result.ok, true);

  // As a server of the version before asks for a proof of new rows only.
  await owner.run(sql`insert into proofs (kind, asked_by, asked_at) values ('new', 'eva', ${new Date(t.clock.now())})`);
  await live.db.run(sql`update wallets set cash = cash + 1 where partner_id = ${prepaid}`);
  await prove();
  await live.db.run(sql`update wallets set cash = cash - 1 where partner_id = ${prepaid}`);
  const [found] = await owner.query(sql`select kind, result ->> 'ok' as ok from proofs order by id desc limit 1`);
  assert.deepEqual(found, { kind: 'whole', ok: 'false' }, 'everything is proved');
});

const prove = (signal = new AbortController().signal, url = t.base.url) =>
  proofJob({ db: owner, clock: t.clock, prove: (onProgress) => proveBoth(url, onProgress) }).run(signal);

test('a proof is done when it ends, however slowly its progress is written', async () => {
  await runAs(finance, 'audit request', {});
  const slow: Db = {
    ...owner,
    async run(statement) {
      if (statement.prepare().text.includes('set done')) await wait(20);
      return owner.run(statement);
    },
  };
  await proofJob({ db: slow, clock: t.clock, prove: (asked) => proveBoth(t.base.url, asked) }).run(
    new AbortController().signal,
  );
  const { last } = (await read('proofs')).body;
  assert.deepEqual([last.done, last.total > 0], [last.total, true]);
});

test('a proof whose worker died is begun again when its lease ends, and one that cannot be made says why', async () => {
  await runAs(finance, 'audit request', {});
  await owner.run(sql`
    update proofs set started_at = now(), leased_until = ${new Date(t.clock.now() + 60_000)} where finished_at is null`);
  assert.equal(await prove(), 0, 'another worker has it');
  t.clock.advance(61_000);
  const stopped = new AbortController();
  stopped.abort();
  await prove(stopped.signal);
  assert.notEqual((await read('proofs')).body.open, null, 'a worker that is stopped leaves it to the next');
  await prove();
  assert.equal((await read('proofs')).body.last.result.ok, true);
  await runAs(finance, 'audit request', {});
  await prove(undefined, 'postgres://nobody:hush@127.0.0.1:1/none');
  const { body, text } = await read('proofs');
  assert.equal(body.latest[0].result, null);
  assert.match(body.latest[0].error, /the database at 127.0.0.1:1\/none cannot be reached/);
  assert.ok(!text.includes('hush'));
});

test('a settlement pays exactly what its preview says, to the debt first', async () => {
  const expiresAt = t.clock.now() - 20 * DAY;
  for (const [partnerId, pct] of [
    [prepaid, 40],
    [postpaid, 25],
  ] as const)
    await run(t.operator(), `partner set ${partnerId} --revenue-share ${pct}`);
  await run(t.operator(), `wallet payment --partner ${postpaid} --amount 8`);
  const sold = [
    await delivered(t, prepaid, { deliveredAt: t.clock.now() - 60 * DAY }),
    await delivered(t, prepaid, { deliveredAt: t.clock.now() - 60 * DAY }),
    await delivered(t, postpaid, { deliveredAt: t.clock.now() - 60 * DAY }),
    await delivered(t, postpaid, { deliveredAt: t.clock.now() - 60 * DAY }),
  ];
  for (const sale of sold) {
    await keepReading(t, sale, { usedMb: 1024, expiresAt });
    await posted(t, sale === sold[0] || sale === sold[1] ? prepaid : postpaid, [charge(2000n, sale.orderId)]);
  }
  const balances = () =>
    live.db.query(sql`select partner_id as id, cash + promo as balance, outstanding from wallets order by partner_id`);
  const before = await balances();
  const { body: preview } = await read('settlement/preview', finance);
  assert.deepEqual(await balances(), before, 'a preview pays nothing');
  assert.equal(preview.is_whole, true);
  assert.equal(preview.partners.length, 2, JSON.stringify(preview));
  assert.deepEqual((await read('settlement/preview', finance)).body.partners, preview.partners, 'and can be repeated');

  const settled = await runAs(await signedInOperator(t, 'finance'), 'settle', {});
  assert.equal(settled.status, 200, settled.text);
  assert.equal(
    settled.body.result.settled,
    preview.partners.reduce((sum: number, one: { shares: number }) => sum + one.shares, 0),
  );
  const paid = await live.db.query<{ id: number; shares: number; debt: bigint; wallet: bigint }>(sql`
    select partner_id as id, count(*)::int as shares, sum(settle_debt)::bigint as debt, sum(settle_wallet)::bigint as wallet
    from revenue_shares where status = 'settled' group by 1 order by 1`);
  const cents = (text: string) => BigInt(text.replace('.', ''));
  assert.deepEqual(
    preview.partners.map((one: Record<string, string> & { partner: { id: number }; shares: number }) => [
      ...[one.partner.id, one.shares, cents(one.to_debt ?? ''), cents(one.to_wallet ?? '')],
    ]),
    paid.map(({ id, shares, debt, wallet }) => [id, shares, debt, wallet]),
  );
  const after = (await balances()) as { id: number; balance: bigint; outstanding: bigint }[];
  for (const one of preview.partners) {
    const wallet = after.find(({ id }) => id === one.partner.id);
    assert.deepEqual(
      [cents(one.balance_after), cents(one.outstanding_after)],
      [wallet?.balance, wallet?.outstanding],
      one.partner.name,
    );
  }
  assert.deepEqual((await read('settlement/preview', finance)).body.partners, [], 'nothing is left');
  assert.equal((await run(t.operator(), 'audit')).live.drift.length, 0);
});

test('the history has what was settled, page by page, and so does the file of its month', async () => {
  const { body } = await read('settlement');
  assert.equal(body.settled.length, 4);
  assert.equal(body.next, null);
  const { body: page } = await read('settlement?limit=3');
  assert.equal(page.settled.length, 3);
  assert.equal((await read(`settlement?before=${page.next}`)).body.settled.length, 1);
  const { paid } = await live.db.one<{ paid: bigint }>(sql`select sum(amount)::bigint as paid from revenue_shares`);
  assert.equal(body.paid.replace('.', ''), String(paid));
  const [first] = await settledShares(live.db, { limit: 1 });
  assert.ok(first);
  assert.equal((await settledShares(live.db, { limit: 10, before: first })).length, 3);
  const file = linesOf((await read(`settlements.csv?month=${month()}`)).text);
  assert.equal(file.length, 5);
  assert.match(file[0] ?? '', /^id,settled_utc,partner_id,partner,order_id/);
  assert.equal(linesOf((await read('settlements.csv?month=2020-01')).text).length, 1);
});

test('a statement is the one the partner sees, and the file of a month has every line of every partner', async () => {
  const { body: months } = await read(`statements/${prepaid}`);
  assert.deepEqual([months.partner.name, months.months[0]], ['Alpine', month()]);
  const { body: statement } = await read(`statements/${prepaid}/${month()}`);
  assert.equal(statement.partner.id, prepaid);
  const wallet = statement.books.find(({ book }: { book: string }) => book === 'wallet');
  const { rows: walletRows } = await live.db.one<{ rows: number }>(sql`
    select count(*)::int as rows from movements where partner_id = ${prepaid} and book = 'wallet'`);
  assert.equal(wallet.lines.length, walletRows);
  const unknown = await reader.get('/operator/api/money/statements/999999');
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found']);
  assert.equal((await reader.get('/operator/api/money/statements/x')).text, unknown.text);
  assert.equal((await reader.get(`/operator/api/money/statements/${prepaid}/2999-01`)).status, 404);

  const lines = linesOf((await read(`movements.csv?month=${month()}`)).text);
  const all = await live.db.query<{ id: bigint }>(sql`select id from movements order by partner_id, book desc, line`);
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',')[2]),
    all.map(({ id }) => String(id)),
  );
  assert.equal((await reader.get('/operator/api/money/movements.csv')).body.error.code, 'invalid_input');
});

test('card payments are listed by outcome, and can be checked', async () => {
  const now = new Date(t.clock.now());
  await live.db.run(sql`
    insert into topups (partner_id, payment_key, provider, amount, currency, status, disputed, created_at) values
      (${prepaid}, 'topup_open', 'simulated', 2000, 'USD', 'requires_payment', 0, ${now}),
      (${prepaid}, 'topup_failed', 'simulated', 2000, 'USD', 'failed', 0, ${now}),
      (${prepaid}, 'topup_disputed', 'other', 2000, 'USD', 'succeeded', 1500, ${now})`);
  const keys = async (query = '') =>
    (await read(`payments${query}`)).body.payments.map((one: { payment_key: string }) => one.payment_key);
  assert.deepEqual(await keys(), ['topup_disputed', 'topup_failed', 'topup_open']);
  for (const kind of ['open', 'failed', 'disputed']) assert.deepEqual(await keys(`?only=${kind}`), [`topup_${kind}`]);
  const [disputed] = (await read('payments?only=disputed')).body.payments;
  assert.equal(disputed.open_amount, '15.00');
  assert.deepEqual(await keys(`?before=${disputed.id}`), ['topup_failed', 'topup_open']);
  assert.deepEqual(await keys('?limit=2'), ['topup_disputed', 'topup_failed']);
  assert.equal((await reader.get('/operator/api/money/payments?only=odd')).body.error.code, 'invalid_input');
  const refused = await runAs(finance, 'topup check', { paymentKey: 'topup_disputed' });
  assert.match(refused.body.error.code, /other_provider|topup_not_available/);
});

test('lists of money are read off an index', async () => {
  const { db, plans } = explaining(live.db);
  await settledShares(db, { limit: 50, before: { settledAt: new Date(), id: 5n } });
  for (const only of ['open', 'failed', 'disputed'] as const)
    await listTopups(db as Db, { only, before: 9n, limit: 50 });
  await readTrialBalance(db).catch(() => {});
  const indexes = [
    'revenue_shares_settled',
    'topups_open',
    'topups_failed',
    'topups_disputed',
    'transfers_of_movement',
  ];
  for (const [i, index] of indexes.entries()) assert.match(plans[i] ?? '', new RegExp(index), plans[i]);
});

test('every operator may read; only admin and finance may settle, preview, prove or check', async () => {
  const paths = [
    'trial-balance',
    'trial-balance.csv',
    'proofs',
    'settlement',
    'payments',
    `statements/${prepaid}`,
    `movements.csv?month=${month()}`,
  ];
  for (const path of paths) {
    for (const who of [admin, finance, support, reader]) await read(path, who);
    assert.equal((await browser(t).get(`/operator/api/money/${path}`)).status, 401);
  }
  for (const who of [support, reader]) {
    const preview = await who.get('/operator/api/money/settlement/preview');
    assert.deepEqual([preview.status, preview.body.error.code], [403, 'role_forbids']);
    for (const command of ['settle', 'audit request', 'topup check', 'revenue-share set'])
      assert.equal((await runAs(who, command, {})).body.error.code, 'role_forbids', command);
  }
  t.clock.advance(HOUR);
  const late = await signedInOperator(t, 'finance');
  await owner.run(sql`update staff_sessions set confirmed_at = ${new Date(t.clock.now() - DAY)}`);
  assert.equal((await runAs(late, 'settle', {})).body.error.code, 'confirmation_required');
});
