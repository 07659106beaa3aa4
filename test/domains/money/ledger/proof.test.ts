import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { lockWallets, post } from '../../../../src/domains/money/ledger/ledger.ts';
import { settledIds, sinceCheckpoint } from '../../../../src/domains/money/proof/checkpoint.ts';
import { ordersToLookAt } from '../../../../src/domains/money/proof/fingerprints.ts';
import { type Proof, type ProofKind, proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { type Db, openDatabase } from '../../../../src/platform/db/database.ts';
import { raw, type Sql, sql } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { credit } from '../../../support/sales/shop.ts';

// A panel alone: no job changes anything beside the tests.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
/** As `audit` has it: may change nothing but the checkpoint, and reads tables whole. */
const books = (schema: 'live' | 'sandbox') =>
  openDatabase({
    url: t.base.url,
    name: 'audit',
    role: `wayfare_${schema}`,
    searchPath: `${schema},shared`,
    statementTimeoutMs: 0,
  });
const [ofLive, ofSandbox] = [books('live'), books('sandbox')];
after(() => Promise.all([ofLive.close(), ofSandbox.close()]));
const prove = (kind: ProofKind, db: Db = ofLive): Promise<Proof> =>
  proveBooks(db, () => {}, { kind, at: new Date(t.clock.now()) });
const rulesOf = ({ drift }: Proof) => drift.map(({ rule }) => rule);

/** Past the triggers that keep the ledger append-only, as somebody with the rights of the server's owner could. */
const tamper = (statement: Sql) =>
  t.base.db.tx(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await enterSchema(tx, 'live');
    await tx.run(statement);
  });

const [prepaid, postpaid] = [
  await t.partner(),
  await t.partner({ billing: 'postpaid', creditLimit: toCents(100_000n) }),
];
const plan = await testPlan(t);
const order = async (partnerId = prepaid) => (await paidOrder(t, { partnerId, plan })).id;
const orderOf = new Map<string, bigint>();
before(async () => {
  for (const table of ['movements', 'transfers'])
    await t.base.db.run(raw(`create table live.gone_${table} as table live.${table} with no data`));
  await credit(t, prepaid, '100');
  await run(t.operator(), `wallet credit --partner ${prepaid} --amount 5 --promo`);
  for (const name of ['deferred', 'failed', 'refunded']) orderOf.set(name, await order());
  orderOf.set('charged', await order(postpaid));
  await run(t.operator(), `order fail ${orderOf.get('failed')}`);
  const delivered = [orderOf.get('refunded'), orderOf.get('charged')];
  await live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', delivered_at = paid_at, provision_due_at = null
    where id = any(${delivered}::bigint[])`);
  await run(t.operator(), `order refund ${orderOf.get('refunded')} --amount 1`);
});

/** What somebody could do to old rows, how it is undone, and the rule that names it in a whole proof. */
const tamperings: readonly {
  what: string;
  rule: string;
  /** False: it leaves all sums alone, so that only a whole proof finds it. */
  isNewEnough: boolean;
  change: () => Sql;
  undo: () => Sql;
}[] = [
  {
    what: 'a balance',
    rule: 'every wallet equals the sum of its transfers',
    isNewEnough: true,
    change: () => sql`update wallets set cash = cash + 1 where partner_id = ${prepaid}`,
    undo: () => sql`update wallets set cash = cash - 1 where partner_id = ${prepaid}`,
  },
  {
    what: 'cash that became promo money',
    rule: 'every wallet equals the sum of its transfers',
    isNewEnough: true,
    change: () => sql`update wallets set cash = cash - 1, promo = promo + 1 where partner_id = ${prepaid}`,
    undo: () => sql`update wallets set cash = cash + 1, promo = promo - 1 where partner_id = ${prepaid}`,
  },
  {
    what: 'the amount of an old transfer',
    rule: 'every movement equals the sum of its transfers',
    isNewEnough: true,
    change: () => sql`update transfers set amount = amount + 1 where id = (select min(id) from transfers)`,
    undo: () => sql`update transfers set amount = amount - 1 where id = (select min(id) from transfers)`,
  },
  {
    what: 'an old transfer that is gone',
    rule: 'every movement equals the sum of its transfers',
    isNewEnough: true,
    change: () => sql`
      with gone as (delete from transfers where id = (select min(id) from transfers) returning *)
      insert into gone_transfers select * from gone`,
    undo: () => sql`insert into transfers overriding system value select * from gone_transfers`,
  },
  {
    what: 'the amount of an old movement',
    rule: 'every movement follows from the balance before it',
    isNewEnough: true,
    change: () => sql`update movements set amount = amount + 1 where id = (select min(id) from movements)`,
    undo: () => sql`update movements set amount = amount - 1 where id = (select min(id) from movements)`,
  },
  {
    what: 'the balance an old movement left',
    rule: 'every movement follows from the balance before it',
    isNewEnough: false,
    change: () =>
      sql`update movements set balance_after = balance_after + 1 where id = (select min(id) from movements)`,
    undo: () => sql`update movements set balance_after = balance_after - 1 where id = (select min(id) from movements)`,
  },
  {
    what: 'an old movement that is gone',
    rule: 'the lines of every book are numbered without a gap',
    isNewEnough: true,
    change: () => sql`
      with gone as (delete from movements where id = (select min(id) from movements) returning *)
      insert into gone_movements select * from gone`,
    undo: () => sql`insert into movements overriding system value select * from gone_movements`,
  },
  {
    what: 'the price of an old order',
    rule: 'every paid order has its charge, of the price it was sold for',
    isNewEnough: false,
    change: () => sql`update orders set sale_price = sale_price + 1 where id = ${orderOf.get('charged')}`,
    undo: () => sql`update orders set sale_price = sale_price - 1 where id = ${orderOf.get('charged')}`,
  },
  {
    what: 'an old order that is failed without its money back',
    rule: 'every failed paid order has its whole charge back, no order more than that',
    isNewEnough: false,
    change: () => sql`update orders set status = 2 where id = ${orderOf.get('charged')}`,
    undo: () => sql`update orders set status = 1 where id = ${orderOf.get('charged')}`,
  },
  {
    what: 'an order that was open at the whole proof and is failed without its money back',
    rule: 'every failed paid order has its whole charge back, no order more than that',
    isNewEnough: true,
    change: () => sql`update orders set status = 2 where id = ${orderOf.get('deferred')}`,
    undo: () => sql`update orders set status = 4 where id = ${orderOf.get('deferred')}`,
  },
  {
    what: 'what an old order says was refunded',
    rule: 'every delivered order is marked with what was refunded of it, and its refund says the same',
    isNewEnough: false,
    change: () => sql`update orders set refunded = refunded + 1 where id = ${orderOf.get('refunded')}`,
    undo: () => sql`update orders set refunded = refunded - 1 where id = ${orderOf.get('refunded')}`,
  },
];

suite('whatever is done to old rows', () => {
  for (const { what, rule, isNewEnough, change, undo } of tamperings)
    test(`${what}: a whole proof names the rule${isNewEnough ? ', and one of what is new finds it too' : ''}`, async () => {
      assert.deepEqual((await prove('whole')).drift, []);
      await tamper(change());
      const found = await prove('new');
      assert.equal(found.kind, 'new');
      assert.equal(found.drift.length > 0, isNewEnough, JSON.stringify(found.drift));
      const whole = await prove('whole');
      assert.ok(rulesOf(whole).includes(rule), JSON.stringify(whole.drift));
      assert.equal((await prove('new')).kind, 'whole', 'nothing is built on books that do not add up');
      await tamper(undo());
    });
});

suite('what is new since the last whole proof', () => {
  before(async () => {
    assert.deepEqual((await prove('whole')).drift, []);
  });

  test('is all that is proved, whatever happened to old orders, and only until the next whole proof', async () => {
    const { figures: before, drift } = await prove('new');
    assert.deepEqual([drift, before.new_orders, before.new_movements], [[], 0n, 0n]);
    await order();
    await order(postpaid);
    await run(t.operator(), `order refund ${orderOf.get('refunded')} --amount 1`);
    await run(t.operator(), `order fail ${orderOf.get('deferred')}`);
    const { figures, drift: found } = await prove('new');
    const { orders = 0n, movements = 0n } = before;
    assert.deepEqual([found, figures.new_orders, figures.orders], [[], 2n, orders + 2n]);
    assert.equal(figures.new_movements, (figures.movements ?? 0n) - movements);
    assert.deepEqual((await prove('whole')).drift, []);
    assert.equal((await prove('new')).figures.new_orders, 0n);
  });

  test('needs no rule row by row where its fingerprints agree, but for orders with more than their charge', async () => {
    const lookedAt = () =>
      ofLive.tx(async (tx) => {
        const scope = await sinceCheckpoint(tx);
        assert.ok(scope);
        return ordersToLookAt(tx, scope);
      });
    await prove('whole');
    const before = new Set(await lookedAt());
    await run(t.operator(), `wallet credit --partner ${prepaid} --amount 1 --promo`);
    // Paid in part with promo money: a movement with two transfers.
    await order();
    await order(postpaid);
    const failed = await order();
    await run(t.operator(), `order fail ${failed}`);
    await run(t.operator(), `order refund ${orderOf.get('charged')} --amount 1`);
    const now = await lookedAt();
    assert.ok(now, 'the fingerprints agree');
    assert.deepEqual(
      now.filter((id) => !before.has(id)).sort((a, b) => (a < b ? -1 : 1)),
      [orderOf.get('charged'), failed],
    );
    await tamper(sql`update orders set sale_price = sale_price + 1 where id = ${failed}`);
    assert.equal(await lookedAt(), undefined);
    await tamper(sql`update orders set sale_price = sale_price - 1 where id = ${failed}`);
  });

  test('is proved by the same rules: a charge of another price, money that moved in no transfer, a line too many', async () => {
    const fresh = await order();
    const { id: movement } = await live.db.one<{ id: bigint }>(sql`select id from movements where order_id = ${fresh}`);
    const breaking = async (there: Sql, back: Sql, rule: string) => {
      await tamper(there);
      const { kind, drift } = await prove('new');
      assert.equal(kind, 'new');
      assert.ok(
        drift.some((one) => one.rule === rule),
        `${rule}: ${JSON.stringify(drift)}`,
      );
      await tamper(back);
      assert.deepEqual((await prove('new')).drift, [], rule);
    };
    await breaking(
      sql`update orders set sale_price = sale_price + 1 where id = ${fresh}`,
      sql`update orders set sale_price = sale_price - 1 where id = ${fresh}`,
      'every paid order has its charge, of the price it was sold for',
    );
    await breaking(
      sql`update orders set paid_at = null where id = ${fresh}`,
      sql`update orders set paid_at = created_at where id = ${fresh}`,
      'no order that was never paid has a charge',
    );
    await breaking(
      sql`update movements set order_id = -order_id where id = ${movement}`,
      sql`update movements set order_id = -order_id where id = ${movement}`,
      'every paid order has its charge, of the price it was sold for',
    );
    // The wallet's book and its balance stay right; only the movement and its transfers do not fit together.
    await breaking(
      sql`update transfers set partner_id = ${postpaid} where movement_id = ${movement}`,
      sql`update transfers set partner_id = ${prepaid} where movement_id = ${movement}`,
      'every movement equals the sum of its transfers',
    );
    await breaking(
      sql`update movements set balance_after = balance_after + 1 where id = ${movement}`,
      sql`update movements set balance_after = balance_after - 1 where id = ${movement}`,
      'every movement follows from the balance before it',
    );
    await breaking(
      sql`update wallets set wallet_lines = wallet_lines + 1 where partner_id = ${prepaid}`,
      sql`update wallets set wallet_lines = wallet_lines - 1 where partner_id = ${prepaid}`,
      'the lines of every book are numbered without a gap',
    );
    await breaking(
      sql`update orders set status = 3 where id = ${fresh}`,
      sql`update orders set status = 4 where id = ${fresh}`,
      'no order was left half-written',
    );
  });

  test('includes a purchase that was on its way during the whole proof, though later ids were proved', async () => {
    const [held, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = live.db.tx(async (tx) => {
      const wallets = await lockWallets(tx, [prepaid]);
      await post(tx, wallets, [
        {
          partnerId: prepaid,
          book: 'wallet',
          type: 'adjust',
          transfers: [{ debit: 'adjustment', credit: 'cash', amount: toCents(1n) }],
          at: new Date(t.clock.now()),
        },
      ]);
      held.resolve();
      await finish.promise;
    });
    await held.promise;
    await order(postpaid);
    let isSettled = false;
    const settled = settledIds(ofLive).then((ids) => {
      isSettled = true;
      return ids;
    });
    await wait(150);
    assert.equal(isSettled, false, 'ids count as settled only when every writer has ended');
    const proved = prove('whole');
    finish.resolve();
    await slow;
    const { newest } = await live.db.one<{ newest: bigint }>(sql`select max(id) as newest from movements`);
    assert.equal((await settled)?.movementsTo, newest);
    assert.deepEqual((await proved).drift, []);
    assert.deepEqual((await prove('new')).drift, []);
    // A checkpoint that does not know the slow one: it is new then, and the later one is not.
    await t.base.db.run(sql`
      update live.proved_wallets p set cash = p.cash - 1, wallet_lines = p.wallet_lines - 1,
        last_wallet_id = (select id from live.movements m where m.partner_id = p.partner_id and book = 'wallet' and line = p.wallet_lines - 1)
      where partner_id = ${prepaid}`);
    await t.base.db.run(sql`update live.proof_checkpoints set movements_to = movements_to - 2`);
    const { drift, figures } = await prove('new');
    assert.deepEqual([drift, figures.new_movements], [[], 1n]);
  });

  test('in the sandbox: an account that was reset is proved from its first line', async () => {
    await prove('whole', ofSandbox);
    await sandbox.tools?.reset(prepaid, t.clock.now());
    for (let n = 0; n < 3; n += 1) await paidOrder(t, { partnerId: prepaid, plan, world: sandbox });
    const { kind, drift, figures } = await prove('new', ofSandbox);
    const { lines } = await sandbox.db.one<{ lines: bigint }>(sql`
      select count(*) as lines from movements where partner_id = ${prepaid}`);
    assert.deepEqual([kind, drift, figures.new_movements], ['new', [], lines]);
  });
});

test('audit proves everything; audit --new what is new, or everything where no whole proof was made', async () => {
  await t.base.db.run(sql`update live.proof_checkpoints set is_broken = true`);
  const first = await run(t.operator(), 'audit --new');
  assert.deepEqual(
    [first.ok, first.proof, 'since' in first.live],
    [true, 'new', false],
    'the sandbox had a checkpoint',
  );
  await run(t.operator(), 'audit');
  t.clock.advance(DAY);
  const again = await run(t.operator(), 'audit --new');
  const { at } = await t.base.db.one<{ at: Date }>(sql`select started_at as at from proofs where kind = 'whole'`);
  assert.deepEqual(again.live.since, at);
  assert.deepEqual([again.ok, again.proof, again.live.new_orders], [true, 'new', 0n]);
  const kinds = await t.base.db.query<{ kind: string }>(sql`select kind from proofs order by id`);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['new', 'whole', 'new'],
  );
});
