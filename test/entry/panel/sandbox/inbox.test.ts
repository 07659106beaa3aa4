import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeInboxes, INBOX_URL, received } from '../../../../src/domains/messages/webhooks/log/inbox.ts';
import {
  newSecret,
  type SigningKey,
  sign,
  signingKey,
  webhookHeaders,
} from '../../../../src/domains/messages/webhooks/send/signature.ts';
import { HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Browser, signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { alias } = await testPlan(t);
await catalogKnows(t, alias);

async function opened() {
  const partnerId = await t.partner();
  const ana = await signedIn(t, partnerId);
  const { inbox } = (await ana.post('/api/sandbox/inbox')).body;
  return { partnerId, ana, id: inbox.id as string };
}
const inboxOf = async (ana: Browser) => (await ana.get('/api/sandbox/inbox')).body.inbox;

test('a sandbox order’s events arrive, signed as the contract says, and the page reads the newest body', async () => {
  const { partnerId, ana } = await opened();
  await buy(t, await t.key(partnerId, 'sandbox'), alias);
  const inbox = await eventually('the events arrived', async () => {
    const found = await inboxOf(ana);
    return found.messages.length >= 3 && found.messages.every((one: { signature: string }) => one.signature) && found;
  });
  assert.ok(inbox.messages.every(({ signature }: { signature: string }) => signature === 'valid'));
  assert.equal(JSON.parse(inbox.latest_body).livemode, false);
  const [{ id }] = inbox.messages;
  const { attempts } = (await ana.get(`/api/sandbox/deliveries/${id}`)).body;
  assert.match(attempts[0].request_headers['X-Signature'], /^sha256=/);
});

test('what arrives at one account is not another’s, and live orders never arrive', async () => {
  const { partnerId } = await opened();
  const other = await opened();
  await credit(t, partnerId, '50.00');
  await buy(t, await t.key(partnerId, 'sandbox'), alias);
  await buy(t, await t.key(partnerId), alias);
  await eventually('both were bought', async () => (await inboxOf(other.ana)) !== null);
  assert.deepEqual((await inboxOf(other.ana)).messages, []);
  const { live } = await t.base.worlds.live.db.one<{ live: number }>(sql`
    select count(*)::int as live from webhook_deliveries where partner_id = ${partnerId}`);
  assert.equal(live, 0);
});

test('its address cannot be entered: not by a member, not by a key, not by an operator, and not to probe it', async () => {
  const { partnerId, ana, id } = await opened();
  const key = (await ana.post('/api/keys', { mode: 'sandbox', allow_list: '', permissions: ['read', 'webhooks'] })).body
    .secret;
  const spellings = [INBOX_URL, 'INBOX:events', ' inbox:events', 'inbox:events#', 'inbox://events', 'inbox:live'];
  for (const url of spellings) {
    for (const mode of ['live', 'sandbox'] as const) {
      assert.equal((await ana.post(`/api/${mode}/webhooks`, { url, events: [] })).body.error.code, 'url_blocked', url);
      t.clock.advance(MINUTE);
    }
    assert.equal((await ana.post(`/api/sandbox/webhooks/${id}`, { url })).body.error.code, 'url_blocked', url);
    assert.equal((await t.post('/webhook/create', { url }, { key })).status, 400, url);
    assert.equal((await ana.v3('sandbox', '/webhook/probe', { url })).status, 400, url);
    const words = ['webhook', 'create', '--partner', String(partnerId), '--mode', 'live', '--url', url];
    await assert.rejects(run(t.operator(), words), /refused|blocked/);
    t.clock.advance(MINUTE);
  }
});

test('a live subscription with that address, however it got there, is refused by the sender', async () => {
  const partnerId = await t.partner();
  const { db, vault } = t.base;
  await credit(t, partnerId, '50.00');
  await db.run(sql`
    insert into live.webhook_subscriptions (partner_id, url, events, secret, secret_last4, created_at, updated_at)
    values (${partnerId}, ${INBOX_URL}, ${['order.paid']}, ${vault.seal(newSecret())}, 'abcd', now(), now())`);
  await buy(t, await t.key(partnerId), alias);
  const error = await eventually('it was tried', async () => {
    const row = await t.base.worlds.live.db.maybe<{ error: string }>(sql`
      select error from webhook_deliveries where partner_id = ${partnerId} and attempts > 0`);
    return row?.error;
  });
  assert.match(error, /not_https/);
});

test('a wrong signature, another body or an old time is answered 401', () => {
  const [secret, other] = [signingKey(newSecret()), signingKey(newSecret())];
  const now = Date.UTC(2026, 10, 17);
  const headers = (by: SigningKey, at = now) =>
    webhookHeaders(1n, 'order.paid', 'evt_1', sign([by], 'evt_1', '{}', at));
  const status = (...args: Parameters<typeof received>) => received(...args).httpStatus;
  assert.equal(status([secret], headers(secret), '{}', now), 200);
  assert.equal(status([other, secret], headers(secret), '{}', now), 200);
  assert.equal(status([secret], headers(other), '{}', now), 401);
  assert.equal(status([secret], headers(secret), '{ }', now), 401);
  assert.equal(status([secret], headers(secret, now - 6 * MINUTE), '{}', now), 401);
  assert.equal(status([secret], {}, '{}', now), 401);
});

test('it counts as one of five webhooks, closes after an hour, and opening it again keeps it open', async () => {
  const { ana, id } = await opened();
  t.clock.advance(50 * MINUTE);
  assert.equal((await ana.post('/api/sandbox/inbox')).body.inbox.id, id);
  const close = () => closeInboxes(t.base.worlds.sandbox.db, t.base.vault, t.clock.now());
  t.clock.advance(HOUR - MINUTE);
  await close();
  assert.equal((await inboxOf(ana)).id, id);
  assert.equal((await ana.get('/api/sandbox/webhooks')).body.subscriptions.length, 1);
  t.clock.advance(MINUTE);
  await close();
  assert.equal(await inboxOf(ana), null);
  const { secret } = await t.base.worlds.sandbox.db.one<{ secret: Buffer }>(sql`
    select secret from webhook_subscriptions where id = ${id}`);
  assert.equal(t.base.vault.open(secret), '');
});
