import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { type Tier, tierNames, tiers } from '../../../src/platform/contract/key-terms.ts';
import { MemoryRateLimiter, type Verdict } from '../../../src/platform/limits/rate-limit.ts';
import { random } from '../../support/random.ts';

const START = Date.UTC(2026, 4, 1, 12);

/**
 * The rule told the other way round: every admitted call is kept in a log of minutes that never rolls, the estimate is a
 * fraction of BigInts, and the time to wait is found by trying one second after the other.
 */
class Oracle {
  readonly #log = new Map<string, Map<number, bigint>>();

  take(key: string, limit: number, now: number, calls: number): Verdict {
    const admitted = this.#hasRoom(key, limit, now, calls);
    if (admitted) {
      const minutes = this.#log.get(key) ?? new Map<number, bigint>();
      const minute = Math.trunc(now / MINUTE);
      minutes.set(minute, (minutes.get(minute) ?? 0n) + BigInt(calls));
      this.#log.set(key, minutes);
    }
    return this.#verdict(key, limit, now, admitted, calls);
  }

  peek(key: string, limit: number, now: number, _calls: number): Verdict {
    return this.#verdict(key, limit, now, this.#hasRoom(key, limit, now, 1), 1);
  }

  #verdict(key: string, limit: number, now: number, admitted: boolean, calls: number): Verdict {
    const left = BigInt(limit) * 60_000n - this.#sixtyThousandths(key, now);
    let retryAfterSeconds = 0;
    if (!admitted) while (!this.#hasRoom(key, limit, now + retryAfterSeconds * SECOND, calls)) retryAfterSeconds += 1;
    return {
      admitted,
      limit,
      remaining: left < 0n ? 0 : Number(left / 60_000n),
      resetSeconds: 60 - Math.trunc((now % MINUTE) / SECOND),
      retryAfterSeconds,
    };
  }

  #hasRoom(key: string, limit: number, now: number, calls: number): boolean {
    return this.#sixtyThousandths(key, now) + BigInt(calls) * 60_000n <= BigInt(limit) * 60_000n;
  }

  #sixtyThousandths(key: string, now: number): bigint {
    const minutes = this.#log.get(key);
    const minute = Math.trunc(now / MINUTE);
    const inside = BigInt((minute + 1) * MINUTE - now);
    return (minutes?.get(minute - 1) ?? 0n) * inside + (minutes?.get(minute) ?? 0n) * 60_000n;
  }
}

/** Calls come in bursts, pauses, on the very edge of a minute, and after hours of silence. */
function nextMoment(now: number, dice: (below: number) => number): number {
  const kind = dice(1000);
  if (kind < 900) return now + dice(25);
  if (kind < 950) return now + dice(5 * SECOND);
  if (kind < 980) return now - (now % MINUTE) + MINUTE - 1 + dice(3);
  if (kind < 998) return now + dice(3 * MINUTE);
  return now + dice(5 * HOUR);
}

test('hundreds of thousands of calls over many keys, limits and leaps of time: every verdict is the exact one', () => {
  const seed = Date.now() >>> 0;
  const dice = random(seed);
  const limiter = new MemoryRateLimiter();
  const oracle = new Oracle();
  const limits = [1, 2, 3, 7, 18, 30, 59, 61, 150, 360, 900, 5000] as const;
  const seen = { admitted: 0, refused: 0, peeked: 0 };
  let now = START;
  for (let call = 0; call < 250_000; call += 1) {
    now = nextMoment(now, dice);
    const keyId = dice(4) === 0 ? dice(200) : dice(3);
    const tier = tierNames[dice(tierNames.length)] as Tier;
    // A key's ceiling may be changed while it is in use.
    const limit = limits[(keyId + (dice(20) === 0 ? 1 : 0)) % limits.length] ?? 1;
    const ask = dice(10) === 0 ? 'peek' : 'take';
    // Some calls count as several.
    const calls = dice(10) === 0 ? 1 + dice(Math.min(limit, 100)) : 1;
    const given = limiter[ask](keyId, tier, limit, now, calls);
    const due = oracle[ask](`${keyId} ${tier}`, limit, now, calls);
    if (!same(given, due)) assert.deepEqual(given, due, `seed ${seed}, call ${call}, now ${now}`);
    seen[ask === 'peek' ? 'peeked' : given.admitted ? 'admitted' : 'refused'] += 1;
  }
  // The walk is worth something only if it met all three often.
  for (const count of Object.values(seen)) assert.ok(count > 10_000, JSON.stringify(seen));
});

test('Retry-After is honest: waiting that long admits a call, one second less does not', () => {
  const dice = random(7);
  for (let round = 0; round < 5_000; round += 1) {
    const limiter = new MemoryRateLimiter();
    const limit = 1 + dice(40);
    let now = START + dice(MINUTE);
    const take = () => limiter.take(1, 'read', limit, now);
    let refused = take();
    while (refused.admitted) {
      now += dice(4) === 0 ? dice(20 * SECOND) : dice(100);
      refused = take();
    }
    const { retryAfterSeconds } = refused;
    assert.ok(retryAfterSeconds >= 1);
    now += (retryAfterSeconds - 1) * SECOND;
    assert.equal(take().admitted, false, `round ${round}: admitted before ${retryAfterSeconds} s`);
    now += SECOND;
    assert.equal(take().admitted, true, `round ${round}: refused after ${retryAfterSeconds} s`);
  }
});

test('Remaining counts down to 0 with the call it answers, and a refused call costs nothing', () => {
  const limiter = new MemoryRateLimiter();
  const limit = tiers.outbound;
  assert.equal(limiter.peek(1, 'outbound', limit, START).remaining, limit);
  for (let left = limit - 1; left >= 0; left -= 1) {
    const taken = limiter.take(1, 'outbound', limit, START);
    assert.deepEqual(taken, { admitted: true, limit, remaining: left, resetSeconds: 60, retryAfterSeconds: 0 });
  }
  const refused = { admitted: false, limit, remaining: 0, resetSeconds: 60, retryAfterSeconds: 64 };
  assert.deepEqual(limiter.peek(1, 'outbound', limit, START), refused);
  for (let again = 0; again < 100; again += 1) assert.deepEqual(limiter.take(1, 'outbound', limit, START), refused);
  assert.equal(limiter.take(1, 'outbound', limit, START + 64 * SECOND).admitted, true);
});

test('a call that counts as more than the limit is never admitted, and counts as nothing', () => {
  const limiter = new MemoryRateLimiter();
  limiter.take(1, 'purchase', 10, START);
  const refused = { admitted: false, limit: 10, remaining: 9, resetSeconds: 60, retryAfterSeconds: 120 };
  assert.deepEqual(limiter.take(1, 'purchase', 10, START, 11), refused);
  assert.equal(limiter.take(1, 'purchase', 10, START + HOUR, 11).admitted, false);
  assert.equal(limiter.take(1, 'purchase', 10, START + HOUR, 10).admitted, true);
});

test('each key and each tier has a quota of its own', () => {
  const limiter = new MemoryRateLimiter();
  assert.equal(limiter.take(1, 'money', 1, START).admitted, true);
  assert.equal(limiter.take(1, 'money', 1, START).admitted, false);
  assert.equal(limiter.take(1, 'read', 1, START).admitted, true);
  assert.equal(limiter.take(2, 'money', 1, START).admitted, true);
});

test('the ceiling holds in every span of 60 seconds that starts with a minute', () => {
  const dice = random(11);
  const limiter = new MemoryRateLimiter();
  const perMinute = new Map<number, number>();
  for (let now = START; now < START + HOUR; now += dice(400)) {
    if (!limiter.take(1, 'purchase', tiers.purchase, now).admitted) continue;
    const minute = Math.floor(now / MINUTE);
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
  assert.equal(Math.max(...perMinute.values()), tiers.purchase);
});

test('keys that fell silent are forgotten: memory follows the keys in use, not the keys ever seen', () => {
  const limiter = new MemoryRateLimiter();
  const perMinute = 1_000;
  // A day ahead once: a clock that was put right must not stop the forgetting.
  limiter.take(0, 'read', 10, START + 24 * HOUR);
  let most = 0;
  for (let minute = 0; minute < 200; minute += 1) {
    for (let key = 0; key < perMinute; key += 1) {
      limiter.take(minute * perMinute + key, 'read', 10, START + minute * MINUTE + key);
      limiter.peek(-key - 1, 'read', 10, START + minute * MINUTE + key);
    }
    most = Math.max(most, limiter.size);
  }
  assert.ok(most <= 4 * perMinute + 1, `${most} windows for ${perMinute} new keys a minute`);
});

test('a clock that goes back a moment at the turn of a generation forgets no call that still counts', () => {
  const limiter = new MemoryRateLimiter();
  const at = (minute: number, seconds = 0) => START + minute * MINUTE + seconds * SECOND;
  const touch = (now: number) => limiter.take(2, 'read', 30, now);
  touch(at(0));
  limiter.take(1, 'read', 30, at(1, 59));
  for (const now of [at(2), at(1, 59), at(3)]) touch(now);
  assert.equal(limiter.peek(1, 'read', 30, at(2, 0)).remaining, 29);
});

test('a clock set back grants nothing twice and locks no one out', () => {
  for (const back of [1, 500, SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, HOUR, 24 * HOUR]) {
    const limiter = new MemoryRateLimiter();
    for (let call = 0; call < 10; call += 1) assert.equal(limiter.take(1, 'read', 10, START).admitted, true);
    const refused = limiter.take(1, 'read', 10, START - back);
    assert.equal(refused.admitted, false, `set back ${back} ms: a spent quota came back`);
    assert.ok(refused.resetSeconds >= 1 && refused.resetSeconds <= 60);
    const waited = START - back + refused.retryAfterSeconds * SECOND;
    assert.ok(refused.retryAfterSeconds <= 180, `set back ${back} ms: ${refused.retryAfterSeconds} s to wait`);
    assert.equal(limiter.take(1, 'read', 10, waited - SECOND).admitted, false);
    assert.equal(limiter.take(1, 'read', 10, waited).admitted, true);
  }
});

test('two clocks that disagree by seconds cannot shake calls out of the window', () => {
  const limiter = new MemoryRateLimiter();
  const spent = () => limiter.take(2, 'read', 1, START);
  assert.equal(spent().admitted, true);
  let admitted = 0;
  for (let call = 0; call < 1000; call += 1) {
    const now = START + call + (call % 2 === 0 ? 0 : -2 * SECOND);
    if (limiter.take(1, 'read', 100, now).admitted) admitted += 1;
  }
  assert.ok(admitted <= 101, `${admitted} calls admitted of 100 in a second`);
  assert.equal(spent().admitted, false, "another key's window was lost");
});

test('seen by a clock still in the minute before, the previous calls weigh in whole and never more', () => {
  const limiter = new MemoryRateLimiter();
  for (let call = 0; call < 10; call += 1) limiter.take(1, 'read', 20, START - 1);
  assert.equal(limiter.take(1, 'read', 20, START).remaining, 9);
  assert.equal(limiter.peek(1, 'read', 20, START - 30 * SECOND).remaining, 9);
});

function same(a: Verdict, b: Verdict): boolean {
  return (
    a.admitted === b.admitted &&
    a.limit === b.limit &&
    a.remaining === b.remaining &&
    a.resetSeconds === b.resetSeconds &&
    a.retryAfterSeconds === b.retryAfterSeconds
  );
}
