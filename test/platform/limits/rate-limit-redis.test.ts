import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { type Tier, tierNames } from '../../../src/platform/contract/key-terms.ts';
import { MemoryRateLimiter, type QuotaId } from '../../../src/platform/limits/rate-limit.ts';
import { RedisRateLimiter } from '../../../src/platform/limits/rate-limit-redis.ts';
import { createLog } from '../../../src/platform/log.ts';
import { noProgram } from '../../support/debian/debian.ts';
import { PATIENCE_MS, runTime } from '../../support/eventually.ts';
import { random } from '../../support/random.ts';
import { until } from '../../support/servers/receiver.ts';
import { redisServer } from '../../support/servers/redis.ts';

const START = Date.UTC(2026, 4, 1, 12);

/** A long time-out, so that a busy machine is not taken for an outage. */
async function connected(url: string, timeoutMs = PATIENCE_MS, restMs = 100) {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const limiter = await RedisRateLimiter.open(url, log, { timeoutMs, restMs });
  return { limiter, lines, [Symbol.dispose]: () => limiter.close() };
}

const skip = await noProgram('redis-server');

const CALLS = 3_000;
let lastKey = 0;

/** False if a busy machine was taken for an outage in between, which is not what this is about. */
async function isCompared(url: string, dice: (sides: number) => number): Promise<boolean> {
  using shared = await connected(url);
  const [memory, first] = [new MemoryRateLimiter(), lastKey + 1];
  lastKey += 5;
  const calls = [];
  let now = START;
  for (let call = 0; call < CALLS; call += 1) {
    // Now and then the clock jitters back, as those of two processes do.
    now += dice(1000) < 4 ? dice(3 * MINUTE) : dice(100) === 0 ? -dice(20 * SECOND) : dice(40);
    const which = dice(5);
    const quota: QuotaId = dice(3) === 0 ? `member:${first + which}` : first + which;
    const args = [quota, tierNames[dice(2)] as Tier, [1, 2, 18, 30, 150][which] ?? 1, now] as const;
    // Some calls count as several.
    const counts = dice(10) === 0 ? 1 + dice(20) : 1;
    const ask = dice(10) === 0 ? 'peek' : 'take';
    calls.push({ args, ask, due: memory[ask](...args, counts), given: shared.limiter[ask](...args, counts) });
    if (call % 500 === 0) await calls.at(-1)?.given;
  }
  const given = await Promise.all(calls.map((call) => call.given));
  if (shared.limiter.countedAlone > 0) return false;
  for (const [n, { args, ask, due }] of calls.entries()) assert.deepEqual(given[n], due, `${ask} ${args.join(' ')}`);
  return true;
}

suite('rate limits shared through Redis', { skip }, () => {
  test('the shared store gives the same verdicts as the one in memory, call for call', async () => {
    await using server = await redisServer();
    const dice = random(3);
    for (let compared = 0; compared < 15; compared += 1) {
      // What is compared again is the same round.
      const rolled: number[] = [];
      for (let isDone = false; !isDone; ) {
        let at = 0;
        isDone = await isCompared(server.url, (sides) => {
          rolled[at] ??= dice(sides);
          return rolled[at++] as number;
        });
      }
    }
  });

  test('two processes share one quota', async () => {
    await using server = await redisServer();
    using first = await connected(server.url);
    using second = await connected(server.url);
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, call) => (call % 2 ? first : second).limiter.take(1, 'purchase', 150, START)),
    );
    assert.equal(taken.filter(({ admitted }) => admitted).length, 150);
  });

  test('a server that dies: calls go on at once, one line in the log, and the shared quota is back by itself', async () => {
    await using server = await redisServer();
    using shared = await connected(server.url);
    const take = () => shared.limiter.take(1, 'read', 10, START);
    assert.equal((await take()).remaining, 9);

    await server.kill();
    const alone = [];
    for (let call = 0; call < 12; call += 1) alone.push(await take());
    assert.deepEqual(
      alone.map(({ admitted }) => admitted),
      [...Array(10).fill(true), false, false],
    );
    assert.equal(shared.limiter.countedAlone, 12);
    assert.equal(shared.lines.length, 1, shared.lines.join(''));

    await server.start();
    await until(async () => shared.lines.length === 2);
    assert.equal((await take()).remaining, 9);
    assert.equal(shared.limiter.countedAlone, 12);
  });

  test('a server that freezes costs one short time-out, not one per call', async () => {
    await using server = await redisServer();
    using shared = await connected(server.url, 100);
    await shared.limiter.take(1, 'read', 360, START);
    server.freeze();
    using run = runTime();
    for (let call = 0; call < 100; call += 1)
      assert.equal((await shared.limiter.take(1, 'read', 360, START)).admitted, true);
    assert.ok(run.ms < 1_000, `${run.ms} ms for 100 calls`);
    assert.equal(shared.lines.length, 1);
    server.thaw();
    await until(async () => shared.lines.length === 2);
  });

  test('a server that is late again and again is left alone longer each time, not asked at every call', async () => {
    await using server = await redisServer();
    const REST_MS = 150;
    using shared = await connected(server.url, 100, REST_MS);
    const rests = [];
    for (let time = 1; time <= 3; time += 1) {
      server.freeze();
      await until(async () => {
        await shared.limiter.take(1, 'read', 100_000, START);
        return shared.lines.length === 2 * time - 1;
      });
      const lost = performance.now();
      server.thaw();
      await until(async () => shared.lines.length === 2 * time);
      rests.push(performance.now() - lost);
    }
    assert.ok(
      rests.every((ms, i) => ms >= REST_MS * 2 ** i - 20),
      rests.join(', '),
    );
    const told = shared.lines.map((line) => JSON.parse(line).restSeconds).filter((seconds) => seconds !== undefined);
    assert.deepEqual(told, [0.15, 0.3, 0.6]);
  });

  test('a server that is away at the start is used once it is there', async () => {
    await using server = await redisServer();
    await server.kill();
    using shared = await connected(server.url);
    assert.equal((await shared.limiter.take(1, 'read', 10, START)).remaining, 9);
    await server.start();
    await until(async () => shared.lines.length === 2);
    assert.equal((await shared.limiter.take(1, 'read', 10, START)).remaining, 9);
    assert.equal(shared.limiter.countedAlone, 1);
  });

  test('a server that lost its scripts is taught them again without a gap', async () => {
    await using server = await redisServer();
    using shared = await connected(server.url);
    await shared.limiter.take(1, 'read', 10, START);
    await server.command('script', 'flush');
    assert.equal((await shared.limiter.take(1, 'read', 10, START)).remaining, 8);
    assert.equal(shared.limiter.countedAlone, 0);
  });

  test('what the server keeps expires: nothing is left of a key that fell silent', async () => {
    await using server = await redisServer();
    using shared = await connected(server.url);
    await shared.limiter.take(1, 'read', 10, START);
    await shared.limiter.peek(2, 'read', 10, START);
    assert.deepEqual(await server.command('keys', '*'), ['wayfare:rate:1:read']);
    const milliseconds = Number(await server.command('pttl', 'wayfare:rate:1:read'));
    assert.ok(milliseconds > 2 * MINUTE - SECOND && milliseconds <= HOUR);
  });

  test('a wrong password is reported without the password', async () => {
    await using server = await redisServer();
    using shared = await connected(server.url.replace('redis://', 'redis://nobody:hunter2@'));
    assert.equal((await shared.limiter.take(1, 'read', 10, START)).admitted, true);
    assert.equal(shared.lines.length, 1);
    assert.doesNotMatch(shared.lines.join(''), /hunter2/);
  });
});
