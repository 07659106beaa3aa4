import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resend } from '../../../../../src/domains/messages/webhooks/log/resend.ts';
import { removeBatch, retention } from '../../../../../src/domains/messages/webhooks/log/retention.ts';
import { DAY } from '../../../../../src/platform/clock.ts';
import type { Db } from '../../../../../src/platform/db/database.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../../../src/platform/log.ts';
import { ConfigError, readConfig } from '../../../../../src/platform/settings/config.ts';
import { type Stage, stage } from '../stage.ts';

const off = { role: 'api' } as const;

/** Writes finished deliveries straight into the log: as many as given, each this many days old. */
async function logged(s: Stage, db: Db, status: 'sent' | 'dead', ...daysOld: readonly number[]): Promise<bigint[]> {
  const now = s.t.clock.now();
  const rows = await db.query<{ id: bigint }>(sql`
    insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, max_attempts, created_at,
      died_at, body)
    select ${s.partnerId}, 1, 1, 'order.paid:1:1', 'order.paid', ${status}, 5, at, case when ${status} = 'dead' then at end, '\\x00'
    from unnest(${daysOld.map((days) => new Date(now - days * DAY))}::timestamptz[]) with ordinality as given (at, n) order by n
    returning id`);
  return rows.map(({ id }) => id);
}

const left = async (db: Db) =>
  (await db.query<{ id: bigint }>(sql`select id from webhook_deliveries order by id`)).map(({ id }) => id);

test('DELIVERY_RETENTION_DAYS: 90 days, or a whole number of them', () => {
  const kept = (days?: string) => readConfig({ DELIVERY_RETENTION_DAYS: days }).deliveriesKeptMs;
  assert.equal(kept(), 90 * DAY);
  assert.equal(kept('7'), 7 * DAY);
  for (const wrong of ['0', '-1', '1.5', 'forever', 'Infinity']) assert.throws(() => kept(wrong), ConfigError, wrong);
});

test('after the retention a delivery is gone from the log in both worlds, and one that still waits is not', async () => {
  await using s = await stage();
  const old: { mode: 'live' | 'sandbox'; id: string }[] = [];
  for (const mode of ['live', 'sandbox'] as const) {
    s.hook.answer = 200;
    await s.subscribe(mode);
    await s.publish([{ orderId: 1n }], mode);
    await s.settled({ status: 'sent' }, mode);
    s.hook.answer = 500;
    await s.publish([{ orderId: 2n }], mode);
    await s.settled({ status: 'failed' }, mode);
    old.push({ mode, id: (await s.log('status=sent', mode))[0].id });
  }
  const sales = async (mode: 'live' | 'sandbox') => (await s.log('', mode)).map(({ sale_id }) => sale_id);

  s.t.clock.advance(89 * DAY);
  await s.t.work();
  for (const { mode } of old) assert.deepEqual(await sales(mode), ['2', '1']);

  s.t.clock.advance(2 * DAY);
  await s.t.work();
  for (const { mode, id } of old) {
    assert.deepEqual(await sales(mode), ['2'], 'it waits for its next attempt');
    const gone = await s.t.get(`/webhook/deliveries?id=${id}`, { key: s.key[mode] });
    assert.equal(gone.status, 404);
    assert.equal(gone.body.error, 'delivery_not_found');
    const isTold = s.t.logged.some((line) => {
      const { msg, schema, deliveries } = JSON.parse(line);
      return msg === 'old deliveries were removed from the log' && schema === mode && deliveries === 1;
    });
    assert.ok(isTold, 'the log says so');
  }
});

test('a dead letter is kept for the whole retention after it died', async () => {
  await using s = await stage(off);
  const { db } = s.t.base.worlds.live;
  const [late] = await logged(s, db, 'dead', 100, 100);
  await db.run(sql`update webhook_deliveries set died_at = died_at + interval '20 days' where id = ${late}`);
  const { removed } = await removeBatch(db, 0n, new Date(s.t.clock.now() - 90 * DAY));
  assert.equal(removed, 1);
  assert.deepEqual(await left(db), [late]);
});

test('a dead letter that is being requeued is left alone', async () => {
  await using s = await stage(off);
  const { db } = s.t.base.worlds.live;
  await s.subscribe();
  const [requeued, other] = await logged(s, db, 'dead', 100, 100);
  assert.ok(requeued && other);
  const before = new Date(s.t.clock.now() - 90 * DAY);
  await db.tx(async (tx) => {
    await resend(tx, [requeued], undefined, s.t.clock.now());
    assert.deepEqual(await removeBatch(db, 0n, before), { last: other, seen: 2, removed: 1 });
  });
  assert.deepEqual(await removeBatch(db, 0n, before), { last: requeued, seen: 1, removed: 0 });
  assert.deepEqual(await left(db), [requeued]);
});

test('a pass goes on behind deliveries that were dated ahead, and ends where all are young', async () => {
  await using s = await stage(off);
  const { db, schema } = s.t.base.worlds.sandbox;
  const ahead = await logged(s, db, 'sent', ...Array(2_500).fill(-300));
  await logged(s, db, 'sent', ...Array(1_200).fill(91));
  const young = await logged(s, db, 'sent', 89, 1);
  const lines: string[] = [];
  const log = createLog('info', (line) => void lines.push(line));
  const run = retention({ schema, db, keptMs: 90 * DAY, clock: s.t.clock, log });
  const { signal } = new AbortController();
  let removed = 0;
  for (let rows = 1; rows > 0; removed += rows) rows = await run(signal);
  assert.equal(removed, 1_200);
  assert.deepEqual(await left(db), [...ahead, ...young]);
  assert.equal(await run(signal), 0);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).deliveries),
    [1_200],
    'one line for a pass, none for one that found nothing',
  );
});

test('a later pass finds what has become old behind the place where the last one began', async () => {
  await using s = await stage(off);
  const { db, schema } = s.t.base.worlds.live;
  await logged(s, db, 'sent', ...Array(2_000).fill(91));
  await logged(s, db, 'sent', ...Array(600).fill(80));
  const [young] = await logged(s, db, 'sent', 70);
  const run = retention({ schema, db, keptMs: 90 * DAY, clock: s.t.clock, log: createLog('silent') });
  const pass = async () => {
    let removed = 0;
    for (let rows = 1; rows > 0; removed += rows) rows = await run(new AbortController().signal);
    return removed;
  };
  assert.equal(await pass(), 2_000);
  assert.equal(await pass(), 0);
  s.t.clock.advance(15 * DAY);
  assert.equal(await pass(), 600);
  assert.deepEqual(await left(db), [young]);
});
