import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptsOfDelivery, attemptsOfOrder } from '../../../../src/domains/messages/webhooks/log/attempt-log.ts';
import { listDeadLetters } from '../../../../src/domains/messages/webhooks/log/dead-letter-search.ts';
import { listDeliveries } from '../../../../src/domains/messages/webhooks/log/delivery-log.ts';
import { countResendable } from '../../../../src/domains/messages/webhooks/log/resend.ts';
import { listPrunable, pruneBodies, removeBatch } from '../../../../src/domains/messages/webhooks/log/retention.ts';
import { pullInDeliveries } from '../../../../src/domains/messages/webhooks/queue/due-times.ts';
import { claim, dueLanes } from '../../../../src/domains/messages/webhooks/queue/queue.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { openDatabase, type Queryable } from '../../../../src/platform/db/database.ts';
import { worldRole } from '../../../../src/platform/db/migrate/rights.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { fillBacklog } from './backlog.ts';

const SUBSCRIPTIONS = 2_000;

/** A world with a full backlog and no process that delivers. */
async function filled() {
  const database = await freshDatabase();
  const owner = openDatabase({
    url: database.url,
    name: 'test',
    searchPath: 'live,shared',
    statementTimeoutMs: 60_000,
  });
  const { id } = await owner.one<{ id: number }>(sql`
    insert into shared.partners (name, email) values ('P', 'p@example.com') returning id`);
  await fillBacklog(owner, id, { subscriptions: SUBSCRIPTIONS, due: 30_000, sent: 60_000 });
  await owner.run(sql`analyze`);
  const db = openDatabase({
    url: database.url,
    name: 'test',
    role: worldRole.live,
    searchPath: 'live,shared',
    inIndexOrder: true,
  });
  return {
    db,
    owner,
    partnerId: id,
    async [Symbol.asyncDispose]() {
      await db.close();
      await owner.close();
      await database.drop();
    },
  };
}

test('no query of the engine or the log reads more than it returns, however much there is', async () => {
  await using world = await filled();
  const { db, partnerId } = world;
  const now = Date.now();

  const look = await explain(db, (ask) => dueLanes(ask, now));
  assert.ok(look.rowsRead <= 4 * SUBSCRIPTIONS + 10, look.steps.join('\n'));

  // One lane holds half of the backlog: it is read no further than its room. Paused, it is not read at all.
  const rooms = [1n, 3n, 5n, 7n].map((subscriptionId) => ({ subscriptionId, room: 25 }));
  const claimed = await explain(db, (ask) => claim(ask, rooms, now));
  assert.ok(claimed.rowsRead <= 100 * 4 + 20, claimed.steps.join('\n'));
  await db.run(sql`update webhook_subscriptions set status = 2, held_since = now() where id = 1`);
  const paused = await explain(db, (ask) => claim(ask, rooms.slice(0, 1), now));
  assert.ok(paused.rowsRead <= 1, paused.steps.join('\n'));

  for (const [filter, most] of [
    [{}, 24 * 50 + 50],
    [{ status: 'dead' }, 6 * 50 + 50],
    [{ status: 'sent', event: 'order.paid' }, 100],
    [{ subscriptionId: 1n }, 24 * 50 + 51],
    [{ subscriptionId: 3n, status: 'pending', event: 'order.test' }, 2],
    [{ subscriptionId: 1n, before: 50_001n }, 24 * 50 + 51],
    [{ subscriptionId: 1n, from: new Date(now - HOUR) }, 24 * 50 + 51],
    // A search by halves: a step is at most a row of each range.
    [{ subscriptionId: 1n, status: 'sent', until: new Date(now - 20 * DAY) }, 20 * 6 + 6 * 50 + 51],
    [{ subscriptionId: 1n, until: new Date(now - 60 * DAY) }, 20 * 24 + 24 * 50 + 51],
  ] as const) {
    const full = { status: undefined, event: undefined, subscriptionId: undefined, limit: 50, ...filter };
    const listed = await explain(db, (ask) => listDeliveries(ask, partnerId, full));
    assert.ok(listed.rowsRead <= most, `${JSON.stringify(Object.keys(filter))}\n${listed.steps.join('\n')}`);
  }

  const resendable = await explain(db, (ask) =>
    countResendable(ask, partnerId, {
      subscriptionId: 1n,
      status: 'dead',
      event: undefined,
      from: undefined,
      until: new Date(now),
    }),
  );
  assert.ok(resendable.rowsRead <= 200, resendable.steps.join('\n'));

  await db.run(
    sql`update webhook_deliveries set body = '\\x00' where id in (select id from webhook_deliveries where status = 'sent' limit 700)`,
  );
  await db.run(sql`select 1`);
  const old = new Date(now - 86_400_000);
  const prunable = await explain(db, (ask) => listPrunable(ask, old));
  assert.ok(prunable.rowsRead <= 500, prunable.steps.join('\n'));
  const ids = await listPrunable(db, old);
  const pruned = await explain(db, (ask) => pruneBodies(ask, ids));
  assert.ok(pruned.rowsRead <= 1_500, pruned.steps.join('\n'));

  const removed = await explain(db, (ask) => removeBatch(ask, 0n, new Date(now - 86_400_000)));
  assert.ok(removed.rowsRead <= 3_000, removed.steps.join('\n'));

  await db.run(sql`
    insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, error, response_headers, response_body)
    select id, 1, now(), 5, '', '', '' from webhook_deliveries`);
  const withAttempts = await explain(db, (ask) => removeBatch(ask, 0n, new Date(now - 86_400_000)));
  assert.ok(withAttempts.rowsRead <= 4_000, withAttempts.steps.join('\n'));
  for (const read of [
    (ask: Queryable) => attemptsOfOrder(ask, partnerId, 50_000n),
    (ask: Queryable) => attemptsOfDelivery(ask, partnerId, 100_001n),
  ]) {
    const tried = await explain(db, read);
    assert.ok(tried.rowsRead <= 10, tried.steps.join('\n'));
  }

  await db.run(sql`update webhook_queue set due_at = now() + interval '30 days' where subscription_id = 3`);
  const pulledIn = await explain(db, (ask) => pullInDeliveries(ask, now));
  assert.ok(pulledIn.rowsRead <= 2 * SUBSCRIPTIONS + 50, pulledIn.steps.join('\n'));
});

test('dead letters are read off their own index, however many died and whatever else is in the log', async () => {
  await using world = await filled();
  const { db, owner, partnerId } = world;
  const other = partnerId + 1;
  // Most died together, of one partner; the other's few are the oldest.
  await owner.run(sql`
    update webhook_deliveries set status = 'dead',
      partner_id = case when id < 100 then ${other}::int else partner_id end,
      died_at = case when id < 50 then null else now() + id * interval '1 ms' end
    where status = 'sent' and id < 120000`);
  // The planner now knows of two partners, and expects to meet either at every second row of any index.
  await owner.run(sql`analyze webhook_deliveries`);
  for (const whose of [undefined, partnerId, other]) {
    const listed = await explain(db, (ask) => listDeadLetters(ask, { partnerId: whose, limit: 50 }));
    assert.ok(listed.rowsRead <= 100, listed.steps.join('\n'));
    const index = whose === undefined ? 'webhook_dead_letters' : 'webhook_dead_letters_of_partner';
    assert.ok(listed.steps[0]?.includes(`using ${index}:`), `${whose}\n${listed.steps.join('\n')}`);
  }
});
