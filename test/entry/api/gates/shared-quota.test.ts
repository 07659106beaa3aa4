import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noProgram } from '../../../support/debian/debian.ts';
import { testApp } from '../../../support/program/app.ts';
import { rateHeaders } from '../../../support/refusal.ts';
import { redisServer } from '../../../support/servers/redis.ts';

test('with REDIS_URL two processes share a quota; without Redis each keeps serving, counts for itself and says so', {
  skip: await noProgram('redis-server'),
}, async () => {
  await using redis = await redisServer();
  await using t = await testApp({ config: { redisUrl: redis.url } });
  await using other = await t.another();
  t.clock.freeze();
  const partnerId = await t.partner();
  let key = await t.key(partnerId, 'sandbox');
  const left = async (app: typeof t) => rateHeaders(await app.get('/account/balance', { key })).remaining;
  const alone = async (app: typeof t) =>
    /^wayfare_rate_limit_counted_alone_total (\d+)$/m.exec((await app.get('/metrics', { host: 'panel' })).text)?.[1];
  // On a busy machine Redis may be late. Then each counts for itself for seconds, and says so.
  for (let before = ''; ; key = await t.key(partnerId, 'sandbox')) {
    const counted = [await left(t), await left(other), await left(t)];
    const after = `${await alone(t)} ${await alone(other)}`;
    if (after === (before || '0 0')) {
      assert.deepEqual(counted, [359, 358, 357]);
      break;
    }
    before = after;
    await sleep(500);
  }
  const before = Number(await alone(t));
  await redis.kill();
  assert.equal((await t.get('/account/balance', { key })).status, 200);
  assert.equal(await alone(t), String(before + 1));
});
