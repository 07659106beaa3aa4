import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type AttemptOutcome, claim } from '../../../../src/domains/messages/webhooks/queue/queue.ts';
import { record } from '../../../../src/domains/messages/webhooks/send/record.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { random } from '../../../support/random.ts';
import { stage } from './stage.ts';

// No worker delivers here: the test records the outcomes.
const s = await stage({ role: 'api' });
after(() => s[Symbol.asyncDispose]());
const { id } = await s.subscribe();

interface Count {
  readonly status: number;
  readonly fail_count: number;
}

/** An attempt: whether it succeeded, and when it began and ended, in milliseconds. */
interface Ended {
  readonly succeeded: boolean;
  readonly from: number;
  readonly to: number;
}

/** One after the other: `s` succeeded, `f` failed. */
const inTurn = (text: string): Ended[] =>
  [...text].map((one, i) => ({ succeeded: one === 's', from: i * 10, to: i * 10 + 10 }));

/** Attempts in the order they ended, recorded in batches of these sizes. */
async function recorded(ended: readonly Ended[], sizes: readonly number[]): Promise<Count> {
  const { db } = s.t.base.worlds.live;
  await db.run(sql`
    update webhook_subscriptions set status = 1, held_since = null, fail_count = 0, failed_until = null where id = ${id}`);
  await s.publish(ended.map(() => ({})));
  const now = s.t.clock.now() + MINUTE;
  const claimed = await claim(db, [{ subscriptionId: id, room: ended.length }], now);
  assert.equal(claimed.length, ended.length);
  const outcomes = ended.map(({ succeeded, from, to }, i): AttemptOutcome => {
    const one = claimed[i];
    assert.ok(one);
    const exchange = { httpStatus: 200, signed: undefined, responseHeaders: '', responseBody: '', error: '' };
    return {
      claimed: one,
      succeeded,
      dueAt: succeeded ? undefined : new Date(now + MINUTE),
      startedAt: new Date(now + from),
      endedAt: new Date(now + to),
      durationMs: to - from,
      ...exchange,
    };
  });
  for (const size of sizes) await record(db, outcomes.splice(0, size), now);
  await db.run(sql`delete from webhook_queue`);
  return db.one<Count>(sql`select status, fail_count from webhook_subscriptions where id = ${id}`);
}

/** The rule, one attempt after the other. */
function counted(ended: readonly Ended[]): Count {
  let status = 1;
  let run: Ended[] = [];
  for (const one of ended) {
    const last = run.at(-1);
    if (one.succeeded) run = [];
    else if (!last || one.from >= last.to || one.to <= last.from) run.push(one);
    if (run.length >= 10) status = 3;
  }
  return { status, fail_count: Math.min(run.length, 10) };
}

test('ten failures in a row between two successes disable the subscription, recorded together or apart', async () => {
  const run = 'f'.repeat(10);
  const disabled = { status: 3, fail_count: 0 };
  assert.deepEqual(await recorded(inTurn(`s${run}s`), [12]), disabled);
  assert.deepEqual(await recorded(inTurn(`s${run}sfs`), [14]), disabled);
  assert.deepEqual(await recorded(inTurn(`s${run}s`), [5, 6, 1]), disabled);
  const twice = inTurn(`s${'f'.repeat(9)}s${'f'.repeat(9)}s`);
  assert.deepEqual(await recorded(twice, [21]), { status: 1, fail_count: 0 });
});

test('attempts that overlap count as one failure, recorded together or apart', async () => {
  const together = Array.from({ length: 32 }, (_, i) => ({ succeeded: false, from: i, to: 10_000 }));
  assert.deepEqual(await recorded(together, [32]), { status: 1, fail_count: 1 });
  assert.deepEqual(await recorded(together, [1, 15, 16]), { status: 1, fail_count: 1 });
  // Each overlaps the one before it, but only every second one overlaps the last that counted.
  const staggered = Array.from({ length: 20 }, (_, i) => ({ succeeded: false, from: i * 10, to: i * 10 + 15 }));
  assert.deepEqual(await recorded(staggered, [20]), { status: 3, fail_count: 10 });
  assert.deepEqual(await recorded(staggered.slice(0, 18), [7, 11]), { status: 1, fail_count: 9 });
});

test('a success between two that overlap starts the count again', async () => {
  const [first, second] = [
    { succeeded: false, from: 0, to: 50 },
    { succeeded: false, from: 10, to: 90 },
  ];
  const between = { succeeded: true, from: 20, to: 60 };
  assert.deepEqual(await recorded([first, between, second], [2, 1]), { status: 1, fail_count: 1 });
});

test('however attempts are batched, the count is the one that comes of them one after the other', async () => {
  const seed = Number(process.env.SEED ?? 20);
  const next = random(seed);
  for (let turn = 0; turn < 40; turn++) {
    const sizes = Array.from({ length: 1 + next(4) }, () => 1 + next(30));
    let clock = 0;
    const ended = Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (): Ended => {
      clock += next(20);
      return { succeeded: next(12) === 0, from: clock - next(turn % 2 === 0 ? 1 : 200), to: clock };
    });
    assert.deepEqual(await recorded(ended, sizes), counted(ended), `seed ${seed}, turn ${turn}`);
  }
});
