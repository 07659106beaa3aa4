import { performance } from 'node:perf_hooks';
import { listDeadLetters } from '../../src/domains/messages/webhooks/log/dead-letter-search.ts';
import { listDeliveries } from '../../src/domains/messages/webhooks/log/delivery-log.ts';
import { claim, dueLanes } from '../../src/domains/messages/webhooks/queue/queue.ts';
import { openDatabase, type Queryable } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { fillBacklog } from '../../test/domains/messages/webhooks/backlog.ts';
import { explain } from '../../test/support/database/measured-plan.ts';
import { benchDatabase } from './support/database.ts';

/** The claim beside a million due rows, the log of one partner with ten million and the dead in it, each with its plan. */
const DUE = Number(process.env.BENCH_DUE ?? 1_000_000);
const LOGGED = Number(process.env.BENCH_LOGGED ?? 10_000_000);
const SUBSCRIPTIONS = 1_000;
const RUNS = 30;

await using database = await benchDatabase();
await migrate(database.url);
const owner = openDatabase({
  url: database.url,
  name: 'bench',
  searchPath: 'live,shared',
  statementTimeoutMs: 600_000,
});
const db = openDatabase({
  url: database.url,
  name: 'bench',
  role: worldRole.live,
  searchPath: 'live,shared',
  inIndexOrder: true,
  statementTimeoutMs: 600_000,
});
const { id: partnerId } = await owner.one<{ id: number }>(sql`
  insert into shared.partners (name, email) values ('Bench', 'bench@example.com') returning id`);

class Undone extends Error {}

/** Each run is rolled back, so that every run finds the same rows. */
async function timed(title: string, work: (ask: Queryable) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const run = db.tx(async (tx) => {
      const started = performance.now();
      await work(tx);
      times.push(performance.now() - started);
      throw new Undone();
    });
    await run.catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(share * (RUNS - 1))] ?? 0).toFixed(2);
  console.log(`  ${title}: median ${at(0.5)} ms, 95th ${at(0.95)} ms, worst ${at(1)} ms`);
}

async function plan(work: (ask: Queryable) => Promise<unknown>): Promise<void> {
  const { steps } = await explain(db, work);
  for (const step of steps) console.log(`      ${step}`);
}

/** The lane that holds half of everything among them. */
const rooms = Array.from({ length: 64 }, (_, i) => ({ subscriptionId: BigInt(1 + 2 * i), room: 4 }));
const claimBatch = (ask: Queryable) => claim(ask, rooms, Date.now());

try {
  for (const due of [20_000, DUE]) {
    await owner.run(sql`truncate webhook_subscriptions, webhook_deliveries, webhook_queue restart identity`);
    await fillBacklog(owner, partnerId, { subscriptions: SUBSCRIPTIONS, due, sent: 0 });
    await owner.run(sql`vacuum analyze webhook_subscriptions, webhook_deliveries, webhook_queue`);
    console.log(`${due} due rows in ${SUBSCRIPTIONS} lanes, half of them in one`);
    await timed('look for lanes with due rows', (ask) => dueLanes(ask, Date.now()));
    await timed('claim 256 rows of 64 lanes', claimBatch);
    if (due === DUE) await plan(claimBatch);
  }

  await owner.run(sql`truncate webhook_subscriptions, webhook_deliveries, webhook_queue restart identity`);
  await fillBacklog(owner, partnerId, { subscriptions: 5, due: 0, sent: LOGGED });
  await owner.run(sql`vacuum analyze webhook_subscriptions, webhook_deliveries, webhook_queue`);
  console.log(`\n${LOGGED} deliveries of one partner, the latest 50`);
  const all = { status: undefined, event: undefined, subscriptionId: undefined, limit: 50 };
  for (const [title, filter] of [
    ['no filter', all],
    ['status=dead (one in 100,000)', { ...all, status: 'dead' }],
    ['event=order.paid', { ...all, event: 'order.paid' }],
    ['subscription_id', { ...all, subscriptionId: 3n }],
    ['all three', { ...all, status: 'dead', event: 'order.created', subscriptionId: 1n }],
  ] as const) {
    await timed(title, (ask) => listDeliveries(ask, partnerId, filter));
    await plan((ask) => listDeliveries(ask, partnerId, filter));
  }

  console.log('\nDead letters among them, the latest 50');
  for (const [title, owner] of [
    ['of everybody', undefined],
    ['of one partner', partnerId],
  ] as const) {
    await timed(title, (ask) => listDeadLetters(ask, { partnerId: owner, limit: 50 }));
    await plan((ask) => listDeadLetters(ask, { partnerId: owner, limit: 50 }));
  }
} finally {
  await db.close();
  await owner.close();
}
