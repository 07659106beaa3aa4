import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../src/clock.ts';
import { sql } from '../../src/db/sql.ts';
import { type AttemptOutcome, claim, record } from '../../src/webhooks/queue.ts';
import { random } from '../support/random.ts';
import { type Stage, stage } from './stage.ts';

interface Count {
  readonly status: number;
  readonly fail_count: number;
}

/** Attempts that ended in this order (`s` succeeded, `f` failed), recorded in batches. */
async function recorded(s: Stage, id: bigint, batches: readonly string[]): Promise<Count> {
  const { db } = s.t.base.worlds.live;
  await db.run(sql`update webhook_subscriptions set status = 1, held_since = null, fail_count = 0 where id = ${id}`);
  const ended = [...batches.join('')];
  await s.publish(ended.map(() => ({})));
  const now = s.t.clock.now() + MINUTE;
  const claimed = await claim(db, [{ subscriptionId: id, room: ended.length }], now);
  assert.equal(claimed.length, ended.length);
  const outcomes = claimed.map((one, i): AttemptOutcome => {
    const succeeded = ended[i] === 's';
    const dueAt = succeeded ? undefined : new Date(now + MINUTE);
    const exchange = {
      httpStatus: 200,
      durationMs: 5,
      signed: undefined,
      responseHeaders: '',
      responseBody: '',
      error: '',
    };
    return { claimed: one, succeeded, dueAt, startedAt: new Date(now), ...exchange };
  });
  for (const batch of batches) await record(db, outcomes.splice(0, batch.length), now);
  await db.run(sql`delete from webhook_queue`);
  return db.one<Count>(sql`select status, fail_count from webhook_subscriptions where id = ${id}`);
}

/** The rule, one attempt after the other. */
function counted(ended: string): Count {
  let status = 1;
  let fail_count = 0;
  for (const one of ended) {
    fail_count = one === 's' ? 0 : fail_count + 1;
    if (fail_count === 10) status = 3;
  }
  return { status, fail_count };
}

// Nobody delivers here: the outcomes are the test's own.
const still = { role: 'api' } as const;

test('ten failures in a row between two successes disable the subscription, recorded together or apart', async () => {
  await using s = await stage(still);
  const { id } = await s.subscribe();
  const run = 'f'.repeat(10);
  const disabled = { status: 3, fail_count: 0 };
  assert.deepEqual(await recorded(s, id, [`s${run}s`]), disabled);
  assert.deepEqual(await recorded(s, id, [`s${run}sfs`]), disabled);
  assert.deepEqual(await recorded(s, id, ['sffff', 'ffffff', 's']), disabled);
  assert.deepEqual(await recorded(s, id, [`s${'f'.repeat(9)}s${'f'.repeat(9)}s`]), { status: 1, fail_count: 0 });
});

test('however attempts are batched, the count is the one that comes of them one after the other', async () => {
  await using s = await stage(still);
  const { id } = await s.subscribe();
  const seed = Number(process.env.SEED ?? 20);
  const next = random(seed);
  for (let turn = 0; turn < 40; turn++) {
    const batches = Array.from({ length: 1 + next(4) }, () =>
      Array.from({ length: 1 + next(30) }, () => (next(8) === 0 ? 's' : 'f')).join(''),
    );
    assert.deepEqual(await recorded(s, id, batches), counted(batches.join('')), `seed ${seed}: ${batches}`);
  }
});
