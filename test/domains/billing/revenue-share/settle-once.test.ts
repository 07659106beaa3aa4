import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { drift, liveConnection, revenueShare, revenueShareOn } from '../../../support/sales/shares.ts';

const NOW = Date.UTC(2026, 5, 1);

/** Many expired sales at once, each with a reading that leaves something unused. */
async function manyExpired(t: TestApp, partnerId: number, count: number, usedMb = 1280): Promise<void> {
  const [at, expired] = [new Date(NOW - 40 * DAY), new Date(NOW - 10 * DAY)];
  await t.base.worlds.live.db.run(sql`
    with sold as (
      insert into orders (partner_id, plan_id, product_id, status, delivery, billing_mode, product_price, sale_price,
        cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, iccid,
        created_at, delivered_at)
      select ${partnerId}, 1, 'esc_00000000000000aa', 1, 'delivered', 'prepaid', 2000, 1800, 8000000, 'France 5 GB', '5 GB',
        5120, 30, false, 'FR', 'simulated', 'fr-5', '89' || ${partnerId} || '0' || n || ${usedMb}, ${at}, ${at}
      from generate_series(1, ${count}) n returning iccid
    )
    insert into usage_readings (iccid, state, total_mb, used_mb, expires_at, fetched_at)
    select iccid, 'expired', 5120, ${usedMb}, ${expired}, ${expired} from sold`);
}

async function partnerAt(t: TestApp, pct: number, billing: 'prepaid' | 'postpaid', debt = 0n): Promise<number> {
  const id = await t.partner({ billing });
  await run(t.operator(), `partner set ${id} --revenue-share ${pct}`);
  if (debt > 0n)
    await run(t.operator(), `wallet adjust --partner ${id} --debt --add ${Number(debt) / 100} --note opening`);
  return id;
}

interface Sums {
  readonly shares: bigint;
  readonly amount: bigint;
  readonly moved: bigint;
}

const sums = (t: TestApp, partnerId: number): Promise<Sums> =>
  t.base.worlds.live.db.one<Sums>(sql`
    select count(*) as shares, coalesce(sum(amount), 0)::bigint as amount, (
      select coalesce(sum(transfers.amount), 0)::bigint from transfers
      where partner_id = ${partnerId} and debit = 'share_expense') as moved
    from revenue_shares where partner_id = ${partnerId}`);

test('property: settled from several processes at once, and again, every sale is paid once and all adds up', async () => {
  await using t = await testApp({ role: 'api' });
  await using other = await t.another();
  const anyPartner = fc.record({
    pct: fc.integer({ min: 1, max: 100 }),
    billing: fc.constantFrom('prepaid', 'postpaid'),
    debt: fc.bigInt({ min: 0n, max: 20_000n }),
    sales: fc.integer({ min: 1, max: 40 }),
    usedMb: fc.integer({ min: 0, max: 5119 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyPartner, { minLength: 1, maxLength: 3 }), async (partners) => {
      const ids: number[] = [];
      for (const { pct, billing, debt, sales, usedMb } of partners) {
        const id = await partnerAt(t, pct, billing as 'prepaid', debt);
        await manyExpired(t, id, sales, usedMb);
        ids.push(id);
      }
      const runs = [t, other, t, other].map((app) => revenueShare(app).settle(NOW));
      const settled = (await Promise.all(runs)).reduce((sum, pass) => sum + pass.settled, 0);
      assert.equal(
        settled,
        partners.reduce((sum, { sales }) => sum + sales, 0),
      );
      assert.deepEqual(await revenueShare(t).settle(NOW), { looked: 0, accrued: 0, settled: 0 });
      for (const [i, id] of ids.entries()) {
        const { shares, amount, moved } = await sums(t, id);
        assert.equal(Number(shares), partners[i]?.sales);
        assert.equal(moved, amount);
      }
      assert.deepEqual(await drift(t.base.worlds.live.db), []);
    }),
    { numRuns: 8 },
  );
});

test('a process killed anywhere in a settlement loses nothing and pays nothing twice', async () => {
  await using t = await testApp({ role: 'api' });
  const partner = await partnerAt(t, 40, 'postpaid', 30_000n);
  await manyExpired(t, partner, 1500);
  const script = fileURLToPath(new URL('../../../support/sales/settle-process.ts', import.meta.url));
  let cutShort = 0;
  for (let i = 0; i < 6; i++) {
    const child = spawn(process.execPath, [script, t.base.url, String(NOW)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    setTimeout(() => child.kill('SIGKILL'), 5 + i * 25);
    const [, signal] = await once(child, 'exit');
    if (signal === 'SIGKILL') cutShort++;
    assert.deepEqual(await drift(t.base.worlds.live.db), []);
  }
  assert.ok(cutShort > 0, 'no run was killed before its end');
  await revenueShare(t).settle(NOW);
  const { shares, amount, moved } = await sums(t, partner);
  assert.equal(shares, 1500n);
  assert.equal(moved, amount);
  assert.deepEqual(await drift(t.base.worlds.live.db), []);
});

test('a share stays shadow with an empty channel until its money has moved', async () => {
  await using t = await testApp({ role: 'api' });
  t.clock.freeze(NOW);
  const partner = await partnerAt(t, 40, 'prepaid');
  const key = await t.key(partner);
  await manyExpired(t, partner, 3);
  const { body: before } = await t.get('/account/profitshare', { key });
  assert.equal(before.count, 0);

  // A transaction that holds the wallet makes the payment wait past its time-out: the rows are there, the money is not.
  const impatient = liveConnection(t.base.url, { statementTimeoutMs: 2_000 });
  await t.base.db.tx(async (tx) => {
    await tx.run(sql`select from live.wallets where partner_id = ${partner} for update`);
    await assert.rejects(revenueShareOn(impatient).settle(NOW), /statement timeout/);
  });
  await impatient.close();
  const read = async (query = '') => (await t.get(`/account/profitshare${query}`, { key })).body;
  const shadow = await read('?status=shadow');
  assert.deepEqual([shadow.count, shadow.total_share, (await read('?status=settled')).count], [3, '7.20', 0]);
  const { status, channel, amount, settle_debt, settle_wallet, settled_at } = shadow.items[0];
  assert.deepEqual([status, channel, amount, settle_debt, settle_wallet], ['shadow', '', '2.40', '0.00', '0.00']);
  assert.equal(settled_at, null);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 0);

  assert.deepEqual(await revenueShare(t).settle(NOW), { looked: 0, accrued: 0, settled: 3 });
  assert.deepEqual([(await read('?status=shadow')).total_share, (await read('?status=settled')).count], ['0.00', 3]);
  assert.equal((await t.get('/account/balance', { key })).body.balance, 7.2);
});

test('the audit finds a share whose money does not match its row, and totals that do not match their rows', async () => {
  await using t = await testApp({ role: 'api' });
  const partner = await partnerAt(t, 40, 'prepaid');
  await manyExpired(t, partner, 2);
  await revenueShare(t).settle(NOW);
  assert.deepEqual(await drift(t.base.worlds.live.db), []);
  await t.base.db.run(sql`update live.revenue_share_totals set amount = amount + 1 where partner_id = ${partner}`);
  await t.base.db.run(sql`
    update live.revenue_shares set amount = amount + 1, settle_wallet = settle_wallet + 1
    where id = (select min(id) from live.revenue_shares)`);
  const found = await drift(t.base.worlds.live.db);
  // The total of paid shares is right again by two wrongs; the one of shadow shares is not.
  assert.deepEqual(
    found.map(({ rule, rows }) => [rule, rows]),
    [
      ['every revenue share was paid as its row says, and nothing else was', 1],
      ['every settled revenue share counts only what was not refunded', 1],
      ['the revenue share totals equal the sum of their rows', 1],
    ],
  );
});
