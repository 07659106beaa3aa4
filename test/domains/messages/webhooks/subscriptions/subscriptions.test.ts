import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../stage.ts';

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'allowed',
    (error: { code: string; message: string }) => error.code,
  );

test('5 subscriptions per mode, one URL once per mode, also when asked for at the same moment', async () => {
  await using s = await stage();
  await s.subscribe('live', '/1');
  await s.subscribe('sandbox', '/1');
  assert.equal(await refusal(s.subscribe('live', '/1')), 'url_already_subscribed');
  const outcomes = await Promise.all(
    ['/2', '/3', '/4', '/5', '/6', '/7'].map((path) => refusal(s.subscribe('live', path))),
  );
  assert.deepEqual(outcomes.sort(), [...Array(4).fill('allowed'), ...Array(2).fill('subscription_limit_reached')]);
  assert.equal((await s.operate(`webhook list --partner ${s.partnerId}`)).length, 6);
});

test('a URL is checked when it is saved, at creation and at change', async () => {
  await using s = await stage();
  const create = (url: string) =>
    refusal(s.operate(`webhook create --partner ${s.partnerId} --mode live --url ${url}`));
  assert.equal(await create('https://10.0.0.1/'), 'url_blocked');
  assert.equal(await create('http://93.184.216.34/'), 'url_blocked');
  assert.equal(await create('https://user:pass@93.184.216.34/'), 'url_blocked');
  assert.equal(await create('nonsense'), 'url_blocked');
  assert.equal(await create(`https://93.184.216.34/${'x'.repeat(500)}`), 'url_too_long');
  assert.equal(await create('https://93.184.216.34/hook'), 'allowed');
  const { id } = await s.subscribe();
  assert.equal(await refusal(s.operate(`webhook set ${id} --url https://[::1]/`)), 'url_blocked');
  assert.equal(
    await refusal(s.operate(`webhook set ${id} --url https://93.184.216.34/hook`)),
    'url_already_subscribed',
  );
});

test('URL and events can change, the mode never: mode_immutable', async () => {
  await using s = await stage();
  const { id } = await s.subscribe('sandbox');
  const changed = await s.operate(
    `webhook set ${id} --url http://${s.hook.host}/new --events order.paid,order.created`,
  );
  assert.equal(changed.url, `http://${s.hook.host}/new`);
  assert.equal(changed.events, 'order.created,order.paid');
  assert.equal(await refusal(s.operate(`webhook set ${id} --mode live`)), 'mode_immutable');
  assert.equal(await refusal(s.operate(`webhook set ${id} --mode sandbox`)), 'allowed');
  assert.equal(await refusal(s.operate(`webhook set ${id} --events order.lost`)), 'invalid_event');
});

test('the secret is shown once and stored encrypted; the list shows its mask', async () => {
  await using s = await stage();
  const { id, secret } = await s.subscribe();
  assert.match(secret, /^whsec_[0-9a-f]{64}$/);
  const [row] = await s.t.base.worlds.live.db.query<{ secret: Buffer }>(sql`select secret from webhook_subscriptions`);
  assert.equal(row?.secret.includes(secret.slice(6)), false);
  const listed = await s.t.get('/webhook/list', { key: s.key.live });
  assert.equal(listed.text.includes(secret), false);
  assert.equal(listed.body.subscriptions[0].secret_mask, `whsec_********${secret.slice(-4)}`);
  const { secret: fresh } = await s.operate(`webhook rotate ${id}`);
  assert.notEqual(fresh, secret);
});

test('deleting frees the URL, gives up what waits and keeps the log', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  await s.operate(`webhook pause ${id}`);
  await s.publish([{}, { event: 'order.delivered' }]);
  assert.equal((await s.operate(`webhook delete ${id}`)).deliveries_given_up, 2);
  assert.equal((await s.t.get('/webhook/list', { key: s.key.live })).body.count, 0);
  const log = await s.log();
  assert.deepEqual(
    log.map(({ status, error }) => `${status}: ${error}`),
    Array(2).fill('dead: subscription deleted'),
  );
  assert.equal(await refusal(s.operate(`webhook pause ${id}`)), 'subscription_not_found');
  const row = await s.t.base.worlds.live.db.one<{ secret: Buffer }>(sql`select secret from webhook_subscriptions`);
  assert.equal(s.t.base.vault.open(row.secret), '', 'the secret is gone');
  assert.equal(await refusal(s.operate(`webhook requeue ${log[0].id}`)), 'subscription_not_found');
  await s.subscribe();
});

test('an operator requeues one dead delivery, or all of a subscription since a time', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  await s.operate(`webhook pause ${id}`);
  await s.publish([{ occurredAt: Date.UTC(2026, 0, 1) }]);
  await s.publish([{ occurredAt: Date.UTC(2026, 0, 2) }, { event: 'order.failed', occurredAt: Date.UTC(2026, 0, 2) }]);
  const { db } = s.t.base.worlds.live;
  await db.run(sql`delete from webhook_queue`);
  await db.run(sql`update webhook_deliveries set status = 'dead', attempts = 5`);
  await s.operate(`webhook resume ${id}`);

  assert.equal(
    (await s.operate(['webhook', 'requeue', '--subscription', String(id), '--since', '2026-01-02 00:00:00'])).requeued,
    2,
  );
  await s.hook.got(2);
  await s.settled({ status: 'sent', attempts: '6', max_attempts: '10' });
  const [oldest] = (await s.log()).slice(-1);
  assert.equal(oldest.status, 'dead');
  assert.equal(await refusal(s.operate(`webhook requeue ${(await s.log())[0].id}`)), 'delivery_not_dead');
  assert.deepEqual(await s.operate(`webhook requeue ${oldest.id}`), { requeued: 1 });
  await s.hook.got(3);
  assert.equal(await refusal(s.operate('webhook requeue 999999')), 'delivery_not_found');
  const [entry] = await s.t.base.db.query<{ what: string; target: string }>(sql`
    select what, target from audit_log order by id desc limit 1`);
  assert.deepEqual(entry, { what: 'webhook requeue', target: `delivery ${oldest.id}` });
});

test('dead letters are sent again in batches, each with its entry; what has no entry did not happen', async () => {
  await using s = await stage({ role: 'api' });
  const { id } = await s.subscribe();
  const { live } = s.t.base.worlds;
  const { db: owner } = s.t.base;
  await s.publish(Array.from({ length: 1200 }, (_, i) => ({ orderId: BigInt(i + 1) })));
  const die = async () => {
    await live.db.run(sql`delete from webhook_queue`);
    await live.db.run(sql`update webhook_deliveries set status = 'dead', attempts = 5, died_at = now()`);
  };
  await die();
  const one = BigInt((await s.log())[0].id);
  const queued = async () => (await live.db.one<{ n: number }>(sql`select count(*)::int as n from webhook_queue`)).n;
  const bodies = async () =>
    (await live.db.one<{ n: number }>(sql`select count(body)::int as n from webhook_deliveries`)).n;

  await owner.run(sql`alter table shared.audit_log add constraint broken check (what not like 'webhook %') not valid`);
  for (const command of [
    `webhook requeue ${one}`,
    `webhook requeue --subscription ${id}`,
    'webhook requeue --mode live',
    `webhook prune --before ${new Date(s.t.clock.now() + MINUTE).toISOString()}`,
  ]) {
    await assert.rejects(s.operate(command), /audit_log/, command);
    assert.deepEqual([await queued(), await bodies()], [0, 1200], command);
  }
  await owner.run(sql`alter table shared.audit_log drop constraint broken`);

  const entries = async () =>
    (
      await owner.query<{ target: string; n: number }>(sql`
        select target, (after ->> 'requeued')::int as n from audit_log where what = 'webhook requeue' order by id`)
    ).map(({ target, n }) => [target, n]);
  assert.deepEqual(await s.operate(`webhook requeue --subscription ${id}`), { requeued: 1200 });
  const ofSubscription = [500, 500, 200].map((n) => [`subscription ${id}`, n]);
  assert.deepEqual(await entries(), ofSubscription);
  assert.equal(await queued(), 1200);
  assert.deepEqual(await s.operate(`webhook requeue --subscription ${id}`), { requeued: 0 });
  assert.deepEqual(await entries(), ofSubscription, 'nothing happened, so there is no entry');
  await die();
  assert.deepEqual(await s.operate('webhook requeue --mode live'), { requeued: 1200, left: false });
  assert.deepEqual(
    (await entries()).slice(3),
    [500, 500, 200].map((n) => ['dead letters in live', n]),
  );
});

test('pruning forgets bodies from before a time, in batches, and keeps what is still to be sent', async () => {
  await using s = await stage();
  const { id } = await s.subscribe();
  await s.publish(Array.from({ length: 1200 }, (_, i) => ({ orderId: BigInt(i + 1) })));
  await s.hook.got(1200);
  await s.settled({ status: 'sent' });
  await s.operate(`webhook pause ${id}`);
  await s.publish([{}]);
  s.t.clock.advance(1000);
  const before = new Date(s.t.clock.now() + 1000).toISOString();
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(await s.operate(['webhook', 'prune', '--before', before]), { pruned: 1200 });
  const entries = await s.t.base.db.query<{ after: unknown }>(sql`
    select after from audit_log where what = 'webhook prune' order by id`);
  assert.deepEqual(
    entries.map(({ after }) => after),
    [500, 500, 200].map((pruned) => ({ mode: 'live', pruned })),
    'each batch has its entry',
  );
  const single = async (row: { id: string }) =>
    (await s.t.get(`/webhook/deliveries?id=${row.id}`, { key: s.key.live })).body;
  const [waiting, sent] = await s.log();
  assert.equal((await single(waiting)).payload_pruned, false);
  const pruned = await single(sent);
  assert.deepEqual([pruned.payload, pruned.payload_pruned, pruned.delivery.status], ['', true, 'sent']);
  await s.t.base.worlds.live.db.run(sql`update webhook_deliveries set status = 'dead' where body is null`);
  assert.equal(await refusal(s.operate(`webhook requeue ${sent.id}`)), 'payload_pruned');
});
