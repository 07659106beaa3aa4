import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { watchQueries } from '../../support/database/queries.ts';
import { testApp } from '../../support/program/app.ts';
import { signedIn } from '../../support/program/panel.ts';
import { receiver } from '../../support/servers/receiver.ts';

const hook = await receiver();
after(() => hook[Symbol.asyncDispose]());
const t = await testApp({ config: { webhookTrustedHosts: [hook.host] } });
after(() => t[Symbol.asyncDispose]());
t.clock.freeze();
const FLOOD = 100;

test('100 requests with the key of a slow one cost the database nothing: few wait, the others are refused at once', async () => {
  const [flooder, other] = [await signedIn(t, await t.partner()), await signedIn(t, await t.partner())];
  const held: ServerResponse[] = [];
  hook.answer = (_, response) => held.push(response);
  const headers = { 'idempotency-key': randomUUID() };
  const probe = () => flooder.v3('sandbox', '/webhook/probe', { url: hook.url }, { headers });
  const first = probe();
  await hook.got(1);

  using queries = watchQueries();
  let answered = 0;
  const refused = Promise.withResolvers<void>();
  const flood = Array.from({ length: FLOOD }, async () => {
    const answer = await probe();
    answered += 1;
    if (answered === FLOOD - 8) refused.resolve();
    return answer;
  });
  // Nothing else ends: all but those that may wait are answered while the first one runs.
  await refused.promise;
  assert.equal((await other.get('/api/me')).status, 200);
  assert.equal((await other.post('/api/sandbox/clock/advance', { by: '1s' })).status, 200);
  const own = queries.seen.filter((text) => text.includes('action_keys'));
  assert.ok(own.length < 10, `only the other partner’s change has a key: ${own.length} queries`);

  for (const response of held) response.writeHead(200).end('late');
  const { status, text } = await first;
  assert.equal(status, 200);
  const answers = await Promise.all(flood);
  const waited = answers.filter((one) => one.status === 200);
  assert.deepEqual(
    waited.map((one) => one.text),
    Array.from({ length: 8 }, () => text),
  );
  const codes = answers.filter((one) => one.status === 429).map(({ body }) => body.error.code ?? body.error);
  assert.deepEqual(Map.groupBy(codes, String).get('too_many_attempts')?.length, 9, 'within the limit of probes');
  assert.deepEqual(Map.groupBy(codes, String).get('rate_limited')?.length, FLOOD - 17, 'beyond it');
  assert.equal(hook.received.length, 1);
});

test('a repeated probe counts towards the limit of probes, and the refusal says how long to wait', async () => {
  hook.answer = 200;
  const ana = await signedIn(t, await t.partner());
  const headers = { 'idempotency-key': randomUUID() };
  const probe = () => ana.v3('sandbox', '/webhook/probe', { url: hook.url }, { headers });
  const first = await probe();
  for (let i = 1; i < 18; i += 1) assert.equal((await probe()).text, first.text);
  const late = await probe();
  assert.deepEqual([late.status, late.body.error, late.body.tier], [429, 'rate_limited', 'outbound']);
  assert.equal(late.headers['retry-after'], String(late.body.retry_after));
});
