import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { type Browser, signedIn, someEmail } from '../../../support/program/panel.ts';
import { receiver } from '../../../support/servers/receiver.ts';

const hook = await receiver();
const t = await testApp({ config: { webhookTrustedHosts: [hook.host] } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

const PUBLIC = 'https://93.184.215.14/hook';
const subscribe = async (ana: Browser, mode = 'sandbox', url = PUBLIC, events: string[] = []) =>
  (await ana.post(`/api/${mode}/webhooks`, { url, events })).body;

test('a subscription: its secret is shown once, and its events can be chosen', async () => {
  const email = someEmail();
  const ana = await signedIn(t, await t.partner(), email);
  const { subscription, secret } = await subscribe(ana, 'live', PUBLIC, ['order.failed', 'order.delivered']);
  assert.match(secret, /^whsec_[0-9a-f]{64}$/);
  const { id, created_at, updated_at, ...rest } = subscription;
  assert.deepEqual(rest, {
    url: PUBLIC,
    secret_mask: `whsec_********${secret.slice(-4)}`,
    events: ['order.delivered', 'order.failed'],
    status: 1,
    fail_count: 0,
    held_since: null,
    tries: 0,
    next_try_at: null,
    rotation_ends_at: null,
  });
  assert.equal(typeof id, 'string');
  assert.match(created_at + updated_at, /Z.*Z$/);
  const { body, text } = await ana.get('/api/live/webhooks');
  assert.deepEqual([body.subscriptions, body.max, body.events.length], [[subscription], 5, 6]);
  assert.ok(!text.includes(secret));
  assert.deepEqual((await ana.get('/api/sandbox/webhooks')).body.subscriptions, []);
  const entry = await t.base.db.one<{ who: string; what: string; text: string }>(
    sql`select who, what, a::text as text from audit_log a where target = ${`subscription ${id}`}`,
  );
  assert.deepEqual([entry.who, entry.what], [`member:${email}`, 'webhook create']);
  assert.ok(!entry.text.includes(secret));
});

test('none chosen is all; an unknown event, a private, plain or overlong address is refused', async () => {
  const ana = await signedIn(t, await t.partner());
  assert.equal((await subscribe(ana)).subscription.events.length, 6);
  for (const [url, code] of [
    ['https://10.0.0.1/x', 'url_blocked'],
    ['https://127.0.0.1/x', 'url_blocked'],
    ['https://169.254.169.254/latest', 'url_blocked'],
    ['https://[::1]/x', 'url_blocked'],
    ['http://93.184.215.14/x', 'url_blocked'],
    ['https://user:pass@93.184.215.14/x', 'url_blocked'],
    ['nonsense', 'url_blocked'],
    [`https://93.184.215.14/${'x'.repeat(480)}`, 'url_too_long'],
    [PUBLIC, 'url_already_subscribed'],
  ] as const) {
    const { status, body } = await ana.post('/api/sandbox/webhooks', { url, events: [] });
    assert.deepEqual([status, body.error.code], [code === 'url_already_subscribed' ? 409 : 400, code], url);
  }
  const { body } = await ana.post('/api/sandbox/webhooks', { url: `${PUBLIC}2`, events: ['order.lost'] });
  assert.equal(body.error.code, 'invalid_event');
  const moved = await ana.post('/api/sandbox/webhooks/2', { url: 'https://10.0.0.1/x' });
  assert.equal(moved.status, 400);
});

test('every event is described, the standard ones first, with a sample that has the fields of what is sent', async () => {
  const ana = await signedIn(t, await t.partner());
  for (const mode of ['live', 'sandbox'] as const) {
    const { events, all_events } = (await ana.get(`/api/${mode}/webhooks`)).body;
    const described = (await ana.get(`/api/${mode}/webhook-events`)).body.events as Record<string, string>[];
    assert.equal(described.length, 30);
    assert.deepEqual(
      described.map(({ name }) => name),
      all_events,
    );
    assert.deepEqual(
      described.map(({ is_standard }) => is_standard),
      all_events.map((name: string) => events.includes(name)),
    );
    assert.deepEqual(all_events.slice(0, 6), events);
    for (const { name, about, sample } of described) {
      const body = JSON.parse(sample ?? '');
      assert.deepEqual([body.event, body.note], [name, undefined]);
      assert.equal(body.event_id.startsWith(mode === 'live' ? `${name}:` : `sbx_${name}:`), true);
      assert.equal(body.livemode, mode === 'live' ? undefined : false);
      assert.match(about ?? '', /^\S.{10,99}\.$/);
    }
    for (const event of ['order.refunded', 'esim.depleted', 'account.balance_low']) {
      const { payload } = (await ana.v3(mode, '/webhook/probe', { url: hook.url, event })).body;
      const { note, ...sent } = JSON.parse(payload);
      const sample = JSON.parse(described.find(({ name }) => name === event)?.sample ?? '');
      assert.deepEqual(shapeOf(sample), shapeOf(sent));
    }
  }
  assert.equal((await ana.get('/api/elsewhere/webhook-events')).status, 404);
});

const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)])
    : typeof value;

test('five in each world and no more', async () => {
  const ana = await signedIn(t, await t.partner());
  for (let i = 0; i < 5; i += 1) await subscribe(ana, 'sandbox', `${PUBLIC}/${i}`);
  const { status, body } = await ana.post('/api/sandbox/webhooks', { url: PUBLIC, events: [] });
  assert.deepEqual([status, body.error.code], [409, 'subscription_limit_reached']);
  assert.ok((await subscribe(ana, 'live')).secret);
});

test('change, pause, resume, rotate, delete', async () => {
  const ana = await signedIn(t, await t.partner());
  const { subscription, secret } = await subscribe(ana);
  const act = async (what: string, body = {}) =>
    (await ana.post(`/api/sandbox/webhooks/${subscription.id}${what}`, body)).body;
  assert.deepEqual((await act('', { events: ['order.paid'] })).subscription.events, ['order.paid']);
  const moved = (await act('', { url: `${PUBLIC}/moved` })).subscription;
  assert.deepEqual([moved.url, moved.events], [`${PUBLIC}/moved`, ['order.paid']]);
  assert.equal((await act('/pause')).subscription.status, 2);
  assert.equal((await act('/resume')).subscription.status, 1);
  const rotated = await act('/rotate');
  assert.match(rotated.secret, /^whsec_[0-9a-f]{64}$/);
  assert.notEqual(rotated.secret, secret);
  assert.equal(rotated.subscription.secret_mask.slice(-4), rotated.secret.slice(-4));
  assert.ok(Date.parse(rotated.subscription.rotation_ends_at) > t.clock.now(), 'the rotation is open');
  assert.equal((await act('/finish-rotation')).subscription.rotation_ends_at, null);
  assert.deepEqual(await act('/delete'), {});
  assert.deepEqual((await ana.get('/api/sandbox/webhooks')).body.subscriptions, []);
  assert.equal((await act('/pause')).error.code, 'subscription_not_found');
  const what = await t.base.db.query<{ what: string }>(
    sql`select what from audit_log where target = ${`subscription ${subscription.id}`} order by id`,
  );
  assert.deepEqual(
    what.map((entry) => entry.what),
    ['create', 'set', 'set', 'pause', 'resume', 'rotate', 'rotate finish', 'delete'].map((word) => `webhook ${word}`),
  );
});

test("another partner's subscriptions and deliveries, and those of the other world, do not exist", async () => {
  const [ana, stranger] = [await signedIn(t, await t.partner()), await signedIn(t, await t.partner())];
  const { subscription } = await subscribe(stranger, 'sandbox', hook.url);
  await stranger.v3('sandbox', '/webhook/test', {});
  const { id: delivery } = (await stranger.v3('sandbox', '/webhook/deliveries')).body.deliveries[0];
  const own = (await subscribe(ana)).subscription.id;
  const bodies: Record<string, object> = {
    '': { url: PUBLIC },
    '/pause': {},
    '/resume': {},
    '/rotate': {},
    '/finish-rotation': {},
    '/delete': {},
  };
  for (const [what, body] of Object.entries(bodies)) {
    const post = (mode: string, id: string) => ana.post(`/api/${mode}/webhooks/${id}${what}`, body);
    const missing = await post('sandbox', '999998');
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'subscription_not_found']);
    for (const answer of [await post('sandbox', subscription.id), await post('live', own), await post('sandbox', 'x')])
      assert.equal(answer.text, missing.text, what);
    assert.equal((await post('elsewhere', own)).body.error.code, 'not_found');
  }
  const resend = (id: string) => ana.post(`/api/sandbox/deliveries/${id}/resend`, { as_of: '2026-11-15T00:00:00Z' });
  assert.deepEqual(
    [(await resend(delivery)).text, (await resend(delivery)).status],
    [(await resend('999998')).text, 404],
  );
  const [kept] = (await stranger.get('/api/sandbox/webhooks')).body.subscriptions;
  assert.deepEqual([kept.url, kept.status, kept.secret_mask], [hook.url, 1, subscription.secret_mask]);
});
