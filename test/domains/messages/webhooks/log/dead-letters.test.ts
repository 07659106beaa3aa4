import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abandonHeld } from '../../../../../src/domains/messages/webhooks/queue/held.ts';
import { DAY, HOUR, MINUTE, SECOND, timestamp } from '../../../../../src/platform/clock.ts';
import type { Mode } from '../../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { until } from '../../../../support/servers/receiver.ts';
import { type Stage, stage } from '../stage.ts';

/** A subscription of some partner, and one delivery to it whose last attempt fails now. */
async function lastAttemptFails(s: Stage, partnerId: number, mode: Mode, path: string): Promise<bigint> {
  const url = `http://${s.hook.host}${path}`;
  const made = await s.operate(`webhook create --partner ${partnerId} --mode ${mode} --url ${url}`);
  const id: bigint = made.subscription_id;
  await s.operate(`webhook pause ${id}`);
  await s.publish([{ partnerId, event: 'order.delivered' }], mode);
  const { db } = s.t.base.worlds[mode];
  await db.run(sql`update webhook_queue set attempts = 4 where subscription_id = ${id}`);
  await s.operate(`webhook resume ${id}`);
  const dead = () => db.maybe(sql`select from webhook_deliveries where subscription_id = ${id} and status = 'dead'`);
  await until(async () => (await dead()) !== undefined);
  s.t.clock.advance(MINUTE);
  return id;
}

test('webhook dead: every partner in both modes, the latest death first, with where it was sent and what came back', async () => {
  await using s = await stage();
  s.t.clock.freeze();
  const other = await s.t.partner();
  s.hook.answer = 500;
  const first = await lastAttemptFails(s, s.partnerId, 'sandbox', '/first');
  const second = await lastAttemptFails(s, other, 'live', '/second');
  s.hook.answer = (_, response) => response.destroy();
  const third = await lastAttemptFails(s, s.partnerId, 'live', '/third');

  const listed = await s.operate('webhook dead');
  const { delivery_id, event_id, died_at, ...rest } = listed[1];
  assert.deepEqual(rest, {
    partner_id: other,
    mode: 'live',
    subscription_id: second,
    url: `http://${s.hook.host}/second`,
    event_type: 'order.delivered',
    attempts: 5,
    http_code: 500,
    error: '',
  });
  assert.match(event_id, /^order\.delivered:\d+:1$/);
  assert.equal(timestamp(died_at), timestamp(s.t.clock.now() - 2 * MINUTE));
  const all = (rows: { subscription_id: bigint }[]) => rows.map((row) => row.subscription_id);
  assert.deepEqual(all(listed), [third, second, first]);
  assert.deepEqual(
    listed.map((row: { mode: string; http_code: number | null; error: string }) => [
      row.mode,
      row.http_code,
      row.error !== '',
    ]),
    [
      ['live', null, true],
      ['live', 500, false],
      ['sandbox', 500, false],
    ],
  );

  assert.deepEqual(all(await s.operate(`webhook dead --partner ${s.partnerId}`)), [third, first]);
  assert.deepEqual(all(await s.operate('webhook dead --mode sandbox')), [first]);
  assert.deepEqual(all(await s.operate(`webhook dead --mode live --partner ${other}`)), [second]);
  assert.deepEqual(all(await s.operate('webhook dead --limit 2')), [third, second]);
  assert.deepEqual(await s.operate('webhook dead --partner 99999'), []);

  await s.operate(`webhook pause ${second}`);
  await s.operate(`webhook requeue ${delivery_id}`);
  assert.deepEqual(all(await s.operate('webhook dead')), [third, first], 'what was requeued is not dead');
});

test('what was held too long died when it was given up; one that died before that was recorded comes last', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  await s.operate(`webhook pause ${id}`);
  await s.publish([{}]);
  s.t.clock.advance(7 * DAY + HOUR);
  const now = s.t.clock.now();
  assert.equal(await abandonHeld(s.t.base.worlds.live.db, now), 1);
  await s.publish([{}]);
  await s.t.base.worlds.live.db.run(sql`update webhook_deliveries set status = 'dead' where status = 'pending'`);
  const [held, unknown] = await s.operate('webhook dead');
  assert.deepEqual([held.error, held.attempts, held.http_code], ['held too long', 0, null]);
  assert.ok(Math.abs(held.died_at.getTime() - now) < SECOND);
  assert.equal(unknown.died_at, null);
});
