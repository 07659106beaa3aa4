import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Proof, proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { raw, type Sql, sql } from '../../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../../src/platform/db/search-path.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { credit } from '../../../support/sales/shop.ts';

// A panel alone: no job changes anything beside the tests.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
const { live } = t.base.worlds;
/** As `audit` has it: may change nothing, and reads tables whole. */
const ofLive = openDatabase({
  url: t.base.url,
  name: 'audit',
  role: 'wayfare_live',
  searchPath: 'live,shared',
  statementTimeoutMs: 0,
});
after(() => ofLive.close());
const prove = (): Promise<Proof> => proveBooks(ofLive, () => {});
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

/** What somebody could do to old rows, how it is undone, and the rule that names it. */
const tamperings: readonly {
  what: string;
  rule: string;
  change: () => Sql;
  undo: () => Sql;
}[] = [
  {
    what: 'a balance',
    rule: 'every wallet equals the sum of its transfers',
    change: () => sql`update wallets set cash = cash + 1 where partner_id = ${prepaid}`,
    undo: () => sql`update wallets set cash = cash - 1 where partner_id = ${prepaid}`,
  },
  {
    what: 'cash that became promo money',
    rule: 'every wallet equals the sum of its transfers',
    change: () => sql`update wallets set cash = cash - 1, promo = promo + 1 where partner_id = ${prepaid}`,
    undo: () => sql`update wallets set cash = cash + 1, promo = promo - 1 where partner_id = ${prepaid}`,
  },
  {
    what: 'the amount of an old transfer',
    rule: 'every movement equals the sum of its transfers',
    change: () => sql`update transfers set amount = amount + 1 where id = (select min(id) from transfers)`,
    undo: () => sql`update transfers set amount = amount - 1 where id = (select min(id) from transfers)`,
  },
  {
    what: 'an old transfer that is gone',
    rule: 'every movement equals the sum of its transfers',
    change: () => sql`
      with gone as (delete from transfers where id = (select min(id) from transfers) returning *)
      insert into gone_transfers select * from gone`,
    undo: () => sql`insert into transfers overriding system value select * from gone_transfers`,
  },
  {
    what: 'the amount of an old movement',
    rule: 'every movement follows from the balance before it',
    change: () => sql`update movements set amount = amount + 1 where id = (select min(id) from movements)`,
    undo: () => sql`update movements set amount = amount - 1 where id = (select min(id) from movements)`,
  },
  {
    what: 'the balance an old movement left',
    rule: 'every movement follows from the balance before it',
    change: () =>
      sql`update movements set balance_after = balance_after + 1 where id = (select min(id) from movements)`,
    undo: () => sql`update movements set balance_after = balance_after - 1 where id = (select min(id) from movements)`,
  },
  {
    what: 'an old movement that is gone',
    rule: 'the lines of every book are numbered without a gap',
    change: () => sql`
      with gone as (delete from movements where id = (select min(id) from movements) returning *)
      insert into gone_movements select * from gone`,
    undo: () => sql`insert into movements overriding system value select * from gone_movements`,
  },
  {
    what: 'the price of an old order',
    rule: 'every paid order has its charge, of the price it was sold for',
    change: () => sql`update orders set sale_price = sale_price + 1 where id = ${orderOf.get('charged')}`,
    undo: () => sql`update orders set sale_price = sale_price - 1 where id = ${orderOf.get('charged')}`,
  },
  {
    what: 'an old order that is failed without its money back',
    rule: 'every failed paid order has its whole charge back, no order more than that',
    change: () => sql`update orders set status = 2 where id = ${orderOf.get('charged')}`,
    undo: () => sql`update orders set status = 1 where id = ${orderOf.get('charged')}`,
  },
  {
    what: 'an open order that is failed without its money back',
    rule: 'every failed paid order has its whole charge back, no order more than that',
    change: () => sql`update orders set status = 2 where id = ${orderOf.get('deferred')}`,
    undo: () => sql`update orders set status = 4 where id = ${orderOf.get('deferred')}`,
  },
  {
    what: 'what an old order says was refunded',
    rule: 'every delivered order is marked with what was refunded of it, and its refund says the same',
    change: () => sql`update orders set refunded = refunded + 1 where id = ${orderOf.get('refunded')}`,
    undo: () => sql`update orders set refunded = refunded - 1 where id = ${orderOf.get('refunded')}`,
  },
];

suite('whatever is done to old rows', () => {
  for (const { what, rule, change, undo } of tamperings)
    test(`${what}: a proof names the rule`, async () => {
      assert.deepEqual((await prove()).drift, []);
      await tamper(change());
      const found = await prove();
      assert.ok(rulesOf(found).includes(rule), JSON.stringify(found.drift));
      await tamper(undo());
    });
});

test('a charge of another price, money that moved in no transfer, and a line too many are found', async () => {
  const fresh = await order();
  const { id: movement } = await live.db.one<{ id: bigint }>(sql`select id from movements where order_id = ${fresh}`);
  const breaking = async (there: Sql, back: Sql, rule: string) => {
    await tamper(there);
    const { drift } = await prove();
    assert.ok(
      drift.some((one) => one.rule === rule),
      `${rule}: ${JSON.stringify(drift)}`,
    );
    await tamper(back);
    assert.deepEqual((await prove()).drift, [], rule);
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

test('audit proves everything, also with the option --new of earlier versions', async () => {
  for (const command of ['audit', 'audit --new']) {
    await tamper(sql`update orders set sale_price = sale_price + 1 where id = ${orderOf.get('charged')}`);
    const broken = await run(t.operator(), command).catch((error: unknown) => error);
    await tamper(sql`update orders set sale_price = sale_price - 1 where id = ${orderOf.get('charged')}`);
    assert.match(
      JSON.stringify(broken, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
      /has its charge/,
    );
    const { ok, proof } = await run(t.operator(), command);
    assert.deepEqual([ok, proof], [true, 'whole']);
  }
});
