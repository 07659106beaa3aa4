import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { UsageError } from '../../../../src/entry/cli/cli.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { type Stage, stage } from './stage.ts';

let s: Stage;
let id: bigint;
let old: string;
before(async () => {
  s = await stage();
});
after(() => s[Symbol.asyncDispose]());
beforeEach(async (t) => {
  if (id) await s.operate(`webhook delete ${id}`);
  ({ id, secret: old } = await s.subscribe('live', `/${encodeURIComponent(t.name)}`));
});

/** Delivers an event and says which of the secrets each header was signed with, in the order of the header. */
async function signedWith(secrets: Record<string, string>): Promise<{ own: string[]; standard: string[] }> {
  const count = s.hook.received.length + 1;
  await s.publish([{}]);
  const { body, headers } = (await s.hook.got(count)).at(-1) ?? assert.fail();
  await s.settled({ status: 'sent' });
  const own = (secret: string) =>
    `sha256=${createHmac('sha256', secret).update(`${headers['x-webhook-timestamp']}.${body}`).digest('hex')}`;
  const standard = (secret: string) => {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };
  const named = (signature: string, by: (secret: string) => string) =>
    Object.keys(secrets).find((name) => by(secrets[name] ?? '') === signature) ?? 'unknown';
  return {
    own: [named(String(headers['x-signature']), own)],
    standard: String(headers['webhook-signature'])
      .split(' ')
      .map((one) => named(one, standard)),
  };
}

const open = { own: ['old'], standard: ['fresh', 'old'] };
const finished = { own: ['fresh'], standard: ['fresh'] };

test('until a rotation is finished X-Signature keeps the old secret and webhook-signature carries both', async () => {
  const { secret: fresh } = await s.operate(`webhook rotate ${id}`);
  assert.deepEqual(await signedWith({ old, fresh }), open);
  await s.operate(`webhook rotate ${id} --finish`);
  assert.deepEqual(await signedWith({ old, fresh }), finished);
  await s.operate(`webhook rotate ${id} --finish`);
  assert.deepEqual(await signedWith({ old, fresh }), finished, 'finishing twice changes nothing');
});

test('a rotation that is not finished ends by itself after 24 hours', async () => {
  const { secret: fresh } = await s.operate(`webhook rotate ${id}`);
  s.t.clock.advance(DAY - MINUTE);
  assert.deepEqual(await signedWith({ old, fresh }), open);
  s.t.clock.advance(2 * MINUTE);
  assert.deepEqual(await signedWith({ old, fresh }), finished);
});

test('--now switches at once: the old secret signs nothing any more, nor does one of an open rotation', async () => {
  const { secret: fresh } = await s.operate(`webhook rotate ${id} --now`);
  assert.deepEqual(await signedWith({ old, fresh }), finished);
  await s.operate(`webhook rotate ${id}`);
  const { secret: again } = await s.operate(`webhook rotate ${id} --now`);
  assert.deepEqual(await signedWith({ old: fresh, fresh: again }), finished);
});

test('rotating again before the rotation is finished replaces the new secret and keeps the one receivers know', async () => {
  const { secret: lost } = await s.operate(`webhook rotate ${id}`);
  s.t.clock.advance(HOUR);
  const { secret: fresh } = await s.operate(`webhook rotate ${id}`);
  assert.deepEqual(await signedWith({ old, lost, fresh }), open);
  s.t.clock.advance(DAY + MINUTE);
  const { secret: next } = await s.operate(`webhook rotate ${id}`);
  assert.deepEqual(await signedWith({ old: fresh, fresh: next }), open);
});

test('--finish and --now contradict each other', async () => {
  await assert.rejects(s.operate(`webhook rotate ${id} --finish --now`), UsageError);
});
