import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullInDeliveries } from '../../../../src/domains/messages/webhooks/queue/due-times.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { stage } from './stage.ts';

const WARNING = 'deliveries were scheduled too far ahead, as if the clock had been wrong: they are sent now';
const warnings = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === WARNING);

test('a retry that was scheduled while the clock was a month ahead is sent once the clock is right again', async () => {
  await using s = await stage();
  await s.subscribe();
  s.hook.answer = 500;
  s.t.clock.advance(30 * DAY);
  await s.publish([{}]);
  await s.settled({ status: 'failed' });
  s.t.clock.advance(-30 * DAY);
  s.hook.answer = 200;
  await s.t.work();
  await s.settled({ status: 'sent', attempts: '2' });
  assert.deepEqual(
    warnings(s.t.logged).map(({ level, schema, deliveries }) => ({ level, schema, deliveries })),
    [{ level: 'warn', schema: 'live', deliveries: 1 }],
  );
});

test('waits of up to twelve hours are left alone, also where the test clock of an account is turned', async () => {
  await using s = await stage({ role: 'api' });
  const { db } = s.t.base.worlds.sandbox;
  await s.subscribe('sandbox');
  await s.operate(`sandbox clock advance --partner ${s.partnerId} --by 365d`);
  await s.publish(
    [{ occurredAt: s.t.clock.now() + 365 * DAY }, { occurredAt: s.t.clock.now() + 365 * DAY }],
    'sandbox',
  );
  const now = s.t.clock.now();
  assert.equal(await pullInDeliveries(db, now), 0);
  await db.run(sql`update webhook_queue set due_at = ${new Date(now + 12 * HOUR)}`);
  assert.equal(await pullInDeliveries(db, now), 0);
  await db.run(sql`
    update webhook_queue set due_at = ${new Date(now + 14 * HOUR)}
    where delivery_id = (select min(delivery_id) from webhook_queue)`);
  assert.equal(await pullInDeliveries(db, now), 1);
  assert.equal(await pullInDeliveries(db, now), 0);
});
