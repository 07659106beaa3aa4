import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createRequestLog, type NotedCall } from '../../../../src/domains/insight/request-log/request-log.ts';
import { listCalls, pruneCalls } from '../../../../src/domains/insight/request-log/rows.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { eventually, runTime } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { outage } from '../../../support/servers/outage.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live } = t.base.worlds;
const silent = { log: { debug() {}, info() {}, warn() {}, error() {} } };

let calls = 0;
const noted = (partnerId: number, more: Partial<NotedCall> = {}): NotedCall => ({
  partnerId,
  keyId: 1,
  requestId: `00000000-0000-4000-8000-${(++calls).toString(16).padStart(12, '0')}`,
  at: t.clock.now(),
  method: 'GET',
  endpoint: '/account/balance',
  status: 200,
  error: '',
  isSimulated: false,
  durationMs: 3,
  address: '192.0.2.7',
  orderId: undefined,
  fields: () => [],
  held: 0,
  answerLength: 0,
  answer: () => null,
  ...more,
});
const kept = async (partnerId: number): Promise<number> =>
  (await live.db.one<{ n: number }>(sql`select count(*)::int as n from request_log where partner_id = ${partnerId}`)).n;

test('an account keeps its newest calls and nothing older than 7 days; others are not touched', async () => {
  const [busy, old, quiet] = [await t.partner(), await t.partner(), await t.partner()];
  const fill = (partnerId: number, rows: number, at: number) =>
    live.db.run(sql`
      insert into request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms, address)
      select ${partnerId}::int, ${new Date(at)}, gen_random_uuid(), 1, 'GET', '/account/balance', 200, '', false, 1, ''
      from generate_series(1, ${rows})`);
  const now = t.clock.now();
  await fill(busy, 7_000, now);
  await fill(old, 30, now - 7 * DAY - HOUR);
  await fill(old, 3, now - 7 * DAY + HOUR);
  await fill(quiet, 90, now);
  const newest = await live.db.query<{ id: bigint }>(sql`
    select id from request_log where partner_id = ${busy} order by id desc limit 100`);
  let removed = 0;
  for (let batch = -1; batch !== 0; removed += batch) batch = await pruneCalls(live.db, now, 100);
  assert.equal(removed, 6_900 + 30);
  assert.deepEqual([await kept(busy), await kept(old), await kept(quiet)], [100, 3, 90]);
  const left = await live.db.query<{ id: bigint }>(sql`
    select id from request_log where partner_id = ${busy} order by id desc`);
  assert.deepEqual(left, newest);
});

test('what the job has not removed yet is not shown', async () => {
  const partner = await t.partner();
  const log = createRequestLog(live, silent);
  for (const age of [8 * DAY, DAY]) log.note(noted(partner, { at: t.clock.now() - age }));
  await log.flush();
  const page = { limit: 10, now: t.clock.now() };
  assert.equal((await log.list(partner, {}, page)).length, 1);
});

test('a flood of one account is kept up to its allowance, and what changed something is always kept', () => {
  const log = createRequestLog(live, silent);
  const taken = (partnerId: number, hasChanged: boolean, calls: number) =>
    Array.from({ length: calls }, () => log.takes(partnerId, hasChanged)).filter(Boolean).length;
  assert.equal(taken(1, false, 20_000), 1_500);
  assert.equal(taken(1, true, 10), 10);
  assert.equal(taken(2, false, 10), 10);
  assert.equal(log.missing.busy, 18_500);
  void log.flush();
  assert.equal(taken(1, false, 20_000), 125);
});

test('while the database is unreachable calls are missing from the log, but use no memory and fail no request', async () => {
  await using own = await testApp();
  const partner = await own.partner();
  const key = await own.key(partner);
  const { requestLog, db } = own.base.worlds.live;
  assert.equal((await own.get('/account/balance', { key })).status, 200);
  await requestLog.flush();
  {
    await using _away = await outage(own);
    for (let i = 0; i < 20_000; i++) if (requestLog.takes(i, false)) requestLog.note(noted(i));
    assert.ok(requestLog.missing.full >= 10_000);
    // A call that needs no database is answered while the log waits for one.
    const flushing = requestLog.flush();
    using run = runTime();
    assert.equal((await own.get('/account/balance', { host: 'live' })).status, 401);
    assert.ok(run.ms < 1_000, `it took ${run.ms} ms`);
    await flushing;
    assert.ok(requestLog.missing.unwritten > 0);
  }
  await eventually('calls are written again', async () => {
    await own.get('/account/balance', { key });
    await requestLog.flush();
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from request_log where partner_id = ${partner}`,
    );
    return n > 1;
  });
  assert.match(await own.base.metrics.print(), /wayfare_request_log_missing_total\{reason="unwritten"\} [1-9]/);
});

test('a process that stops writes what it has noted', async () => {
  const partner = await t.partner();
  const key = await t.key(partner);
  {
    await using other = await t.another();
    for (let i = 0; i < 5; i++) assert.equal((await other.get('/account/balance', { key })).status, 200);
  }
  assert.equal(await kept(partner), 5);
});

test('every filter reads rows of one account only, along the key', async () => {
  const [partner, other] = [await t.partner(), await t.partner()];
  const now = new Date(t.clock.now());
  for (const [of, rows] of [
    [partner, 10_000],
    [other, 30_000],
  ] as const)
    await live.db.run(sql`
      insert into request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms, address, order_id)
      select ${of}::int, ${now}, md5(${of}::text || n::text)::uuid, 1 + n % 3, 'GET', '/account/balance', 200, '', false, 1, '', n
      from generate_series(1, ${rows}) as n`);
  await t.base.db.run(sql`analyze live.request_log`);
  const page = { limit: 51, now: t.clock.now() };
  const { id } = await live.db.one<{ id: string }>(sql`
    select request_id::text as id from request_log where partner_id = ${partner} order by id limit 1`);
  for (const [filter, most] of [
    [{}, 51],
    [{ keyId: 2 }, 200],
    [{ beforeId: 5_000n }, 51],
    [{ requestId: id }, 10_000],
    [{ error: 'rate_limited' }, 10_000],
    [{ orderId: 7n, status: [200, 299], from: now }, 10_000],
  ] as const) {
    const { steps, rowsRead } = await explainReads(live.db, (db) => listCalls(db, partner, filter, page));
    assert.ok(rowsRead <= most, `${JSON.stringify(Object.keys(filter))}: ${rowsRead} rows, ${steps}`);
    assert.match(steps.join(), /^(Index Scan( Backward)? request_log_\w+ using request_log_\w+_pkey[^,]*,?)+$/);
  }
  const pruned = await explainReads(live.db, (db) => pruneCalls(db, t.clock.now()));
  assert.doesNotMatch(pruned.steps.join(), /Seq Scan request_log/);
});

test('answers wait for their call up to a limit in all, whatever becomes of the calls', async () => {
  const log = createRequestLog(live, silent);
  const partner = await t.partner();
  assert.ok(log.holds(15_000_000));
  assert.ok(!log.holds(2_000_000));
  log.note(noted(partner, { held: 15_000_000 }));
  await log.flush();
  assert.ok(log.holds(2_000_000));
});
