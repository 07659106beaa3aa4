import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../support/app.ts';
import { redisServer } from '../support/redis.ts';
import { rateHeaders } from '../support/refusal.ts';

test('with REDIS_URL two processes share a quota; without Redis each keeps serving, counts for itself and says so', async () => {
  await using redis = await redisServer();
  await using t = await testApp({ config: { redisUrl: redis.url } });
  await using other = await t.another();
  t.clock.freeze();
  const key = await t.key(await t.partner(), 'sandbox');
  const left = async (app: typeof t) => rateHeaders(await app.get('/account/balance', { key })).remaining;
  const alone = async (app: typeof t) =>
    /^wayfare_rate_limit_counted_alone_total (\d+)$/m.exec((await app.get('/metrics', { host: 'panel' })).text)?.[1];
  assert.deepEqual([await left(t), await left(other), await left(t)], [359, 358, 357]);
  assert.equal(await alone(t), '0');
  await redis.kill();
  assert.equal((await t.get('/account/balance', { key })).status, 200);
  assert.equal(await alone(t), '1');
});
