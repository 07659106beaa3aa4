import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../../src/platform/clock.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { keepMonths, type MonthlyLog } from '../../../src/platform/jobs/partitions.ts';
import { freshDatabase } from '../../support/database/postgres.ts';

const log: MonthlyLog = { schema: 'live', table: 'request_log', keptMs: 7 * DAY };

async function site() {
  const { url, drop } = await freshDatabase();
  const db = openDatabase({ url, name: 'test', searchPath: 'live,shared' });
  return {
    db,
    /** One call at each of these times. */
    note: (...times: string[]) =>
      db.run(sql`
        insert into request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms, address)
        select 1, at::timestamptz, gen_random_uuid(), 1, 'GET', '/', 200, '', false, 1, '' from unnest(${times}::text[]) as at`),
    keep: (now: string) => keepMonths(db, log, Date.parse(now)),
    /** Where the calls are, by day. */
    where: async (): Promise<string[]> =>
      (
        await db.query<{ row: string }>(
          sql`select format('%s %s', at::date, tableoid::regclass) as row from request_log order by at`,
        )
      ).map(({ row }) => row),
    months: async (): Promise<string[]> =>
      (
        await db.query<{ name: string }>(sql`
          select relname::text as name from pg_class
          where relnamespace = 'live'::regnamespace and relkind = 'r' and relname like 'request\\_log\\_%' order by 1`)
      ).map(({ name }) => name.slice('request_log_'.length)),
    async [Symbol.asyncDispose]() {
      await db.close();
      await drop();
    },
  };
}

test('months are made ahead, so when one begins its partition is there', async () => {
  await using s = await site();
  await s.keep('2031-11-30T23:59:00Z');
  assert.deepEqual(await s.months(), ['2031_11', '2031_12', '2032_01', 'default']);
  await s.note('2031-11-30T23:59:59.999Z', '2031-12-01T00:00:00Z', '2032-01-31T23:59:59Z');
  assert.deepEqual(await s.where(), [
    '2031-11-30 request_log_2031_11',
    '2031-12-01 request_log_2031_12',
    '2032-01-31 request_log_2032_01',
  ]);
  await s.keep('2031-12-01T00:00:00Z');
  await s.keep('2031-12-01T00:00:00Z');
  assert.deepEqual(await s.months(), ['2031_11', '2031_12', '2032_01', '2032_02', 'default']);
});

test('a row without a partition for its month is kept, and moves to the partition once it exists', async () => {
  await using s = await site();
  await s.note('2031-02-03T00:00:00Z', '2031-03-01T00:00:00Z', '2037-01-01T00:00:00Z');
  assert.deepEqual(new Set((await s.where()).map((row) => row.split(' ')[1])), new Set(['request_log_default']));
  await s.keep('2031-02-28T00:00:00Z');
  assert.deepEqual(await s.where(), [
    '2031-02-03 request_log_2031_02',
    '2031-03-01 request_log_2031_03',
    '2037-01-01 request_log_default',
  ]);
});

test('a month goes as a whole when its last day is past its time, and not before', async () => {
  await using s = await site();
  await s.keep('2031-02-10T00:00:00Z');
  await s.note('2031-02-28T23:59:59Z', '2031-03-01T00:00:00Z');
  await s.keep('2031-03-07T23:59:59Z');
  assert.ok((await s.months()).includes('2031_02'));
  await s.keep('2031-03-08T00:00:00Z');
  assert.deepEqual(await s.months(), ['2031_03', '2031_04', '2031_05', 'default']);
  assert.deepEqual(await s.where(), ['2031-03-01 request_log_2031_03']);
});

test('a month that was detached before a kill is dropped by the next run', async () => {
  await using s = await site();
  await s.keep('2031-02-10T00:00:00Z');
  await s.db.run(sql`alter table request_log detach partition request_log_2031_02`);
  await s.keep('2031-03-08T00:00:00Z');
  assert.deepEqual(await s.months(), ['2031_03', '2031_04', '2031_05', 'default']);
});

test('beside a backup it waits for another time; two processes at once make each month once', async () => {
  await using s = await site();
  await s.keep('2031-02-10T00:00:00Z');
  await s.db.tx(async (tx) => {
    await tx.run(sql`lock table request_log in access share mode`);
    await s.keep('2031-06-01T00:00:00Z');
    assert.deepEqual(await s.months(), ['2031_02', '2031_03', '2031_04', 'default']);
  });
  await Promise.all([1, 2, 3].map(() => s.keep('2031-10-01T00:00:00Z')));
  await s.keep('2031-10-01T00:00:00Z');
  assert.deepEqual(await s.months(), ['2031_10', '2031_11', '2031_12', 'default']);
});
