import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowReceivers } from '../../../../src/domains/messages/webhooks/log/attempt-log.ts';
import {
  deadReceivers,
  listRequeueable,
  MOST_REQUEUED,
  searchDeadLetters,
} from '../../../../src/domains/messages/webhooks/log/dead-letter-search.ts';
import { listAllStopped } from '../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { openDatabase } from '../../../../src/platform/db/database.ts';
import { worldRole } from '../../../../src/platform/db/migrate/rights.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { explain } from '../../../support/database/measured-plan.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';

const SUBSCRIPTIONS = 1_000;
/** Every tenth subscription has dead letters. */
const IN_TROUBLE = SUBSCRIPTIONS / 10;
const LETTERS = 20_000;

test('reading dead letters and slow receivers costs the same however long the log is', async () => {
  await using undo = new AsyncDisposableStack();
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const open = (more: object) => {
    const db = openDatabase({ url: database.url, name: 'test', searchPath: 'live,shared', ...more });
    undo.defer(() => db.close());
    return db;
  };
  const owner = open({ statementTimeoutMs: 60_000 });
  const db = open({ role: worldRole.live, inIndexOrder: true });
  await owner.run(
    sql`insert into shared.partners (name, email) select 'P' || n, 'p@example.com' from generate_series(1, 200) as n`,
  );
  await owner.run(sql`
    insert into webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    select 1 + n / 5, 'https://r' || n % 50 || '.example/' || n, '{order.paid}', '', '1234', now(), now()
    from generate_series(0, ${SUBSCRIPTIONS - 1}::int) as n`);
  // Sent ones, discarded ones, and the dead letters: one in a hundred is of another event.
  await owner.run(sql`
    insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts, max_attempts,
      created_at, died_at, discarded, body)
    select 1 + (n % ${SUBSCRIPTIONS}::int) / 5, 1 + 2 * (n % ${SUBSCRIPTIONS}::int), n, 'e', 'order.paid', 'sent', 1, 5, now(),
      null::timestamptz, false, 'x'::bytea
    from generate_series(1, 60000) as n
    union all
    select 1, 1, n, 'e', 'order.paid', 'dead', 1, 5, now(), now(), true, 'x'::bytea from generate_series(1, 10000) as n
    union all
    select 1 + (n % ${IN_TROUBLE}::int) * 2, 1 + 20 * (n % ${IN_TROUBLE}::int), n, 'e',
      case when n % 101 = 0 then 'order.failed' else 'order.paid' end, 'dead', 5, 5, now(),
      timestamptz '2031-01-01' + n * interval '1 second', false, 'x'::bytea
    from generate_series(1, ${LETTERS}::int) as n`);
  await owner.run(sql`
    insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, response_headers, response_body)
    select id, 1, now(), id % 3000, 200, '', '', '' from webhook_deliveries`);
  await owner.run(sql`analyze`);

  // To find the receivers in trouble: one hop and one subscription each.
  const hops = 3 * IN_TROUBLE + 10;
  const page = (search: object) => explain(db, (ask) => searchDeadLetters(ask, search, { limit: 51 }));
  for (const [search, most] of [
    [{}, 51],
    [{ until: new Date('2031-01-01T01:00:00Z') }, 51],
    [{ receiver: 'r10.example' }, hops + 51 * 20],
    [{ partnerId: 3 }, hops + 51 * 5],
    [{ event: 'order.failed' }, hops + LETTERS / 100 + 51],
    [{ event: 'order.failed', receiver: 'r10.example' }, hops + 51 * 20],
  ] as const) {
    const { rowsRead, steps } = await page(search);
    // Each row of the page also looks up its delivery, subscription and partner.
    assert.ok(rowsRead <= most + 4 * 51, `${JSON.stringify(search)} reads ${rowsRead}\n${steps.join('\n')}`);
    assert.ok(
      steps.every((step) => !/Seq Scan/.test(step)),
      steps.join('\n'),
    );
  }
  const groups = await explain(db, (ask) => deadReceivers(ask, {}));
  assert.ok(groups.rowsRead <= hops + LETTERS + 3 * IN_TROUBLE, groups.steps.join('\n'));
  const few = await explain(db, (ask) => deadReceivers(ask, { event: 'order.failed' }));
  assert.ok(few.rowsRead <= hops + LETTERS / 100 + 3 * IN_TROUBLE, few.steps.join('\n'));
  const count = await explain(db, (ask) => listRequeueable(ask, { partnerId: 3 }, MOST_REQUEUED));
  assert.ok(count.rowsRead <= hops + LETTERS / IN_TROUBLE + 10, count.steps.join('\n'));
  const slow = await explain(db, (ask) => slowReceivers(ask, new Date(Date.now() - DAY)));
  assert.ok(slow.rowsRead <= 2 * 20_000 + 500, slow.steps.join('\n'));
  const stopped = await explain(db, (ask) => listAllStopped(ask));
  assert.ok(stopped.rowsRead <= SUBSCRIPTIONS, stopped.steps.join('\n'));
});
