import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { type Browser, signedIn } from '../../../support/program/panel.ts';
import { receiver } from '../../../support/servers/receiver.ts';

const hook = await receiver();
const t = await testApp({ config: { webhookTrustedHosts: [hook.host] } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

/** A member whose partner subscribed the receiver, at a path of its own so that requests can be told apart. */
async function member(mode: Mode = 'live') {
  const partnerId = await t.partner();
  const ana = await signedIn(t, partnerId);
  const path = `/${partnerId}`;
  const url = `http://${hook.host}${path}`;
  const { subscription } = (await ana.post(`/api/${mode}/webhooks`, { url, events: [] })).body;
  const world = t.base.worlds[mode];
  const id: string = subscription.id;
  return {
    ana,
    partnerId,
    id,
    world,
    at: `/api/${mode}`,
    received: () => hook.received.filter((request) => request.path === path),
    publish: (orderIds: readonly bigint[], event: 'order.paid' | 'order.created' = 'order.paid') =>
      world.db.tx((tx) =>
        world.webhooks.publish(
          tx,
          orderIds.map((orderId) => ({
            ...{ partnerId, orderId, event, reference: '', delivery: '', deliveryReason: '', iccid: '', qrCode: '' },
            occurredAt: t.clock.now(),
          })),
        ),
      ),
    log: async (query = '') => (await ana.get(`/api/${mode}/webhooks/${id}?${query}`)).body,
    detail: async (delivery: string) => (await ana.get(`/api/${mode}/deliveries/${delivery}`)).body,
    settled: (count: number, status: string) =>
      eventually(`${count} are ${status}`, async () => {
        const { n } = await world.db.one<{ n: bigint }>(
          sql`select count(*) as n from webhook_deliveries where subscription_id = ${id} and status = ${status}`,
        );
        return Number(n) === count;
      }),
  };
}

/** Finished deliveries straight in the log, each this old. */
async function logged(
  m: Awaited<ReturnType<typeof member>>,
  ages: readonly number[],
  { status = 'sent', event = 'order.paid', body = true } = {},
) {
  const sealed = body ? t.base.vault.seal('{"event":"order.paid"}') : null;
  const rows = await m.world.db.query<{ id: bigint }>(sql`
    insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts, max_attempts,
      http_code, created_at, sent_at, body)
    select ${m.partnerId}, ${m.id}, n, ${event} || ':' || n || ':1', ${event}, ${status}, 1, 5, 200, at, at, ${sealed}
    from unnest(${ages.map((age) => new Date(t.clock.now() - age))}::timestamptz[]) with ordinality as given (at, n)
    order by n returning id`);
  return rows.map(({ id }) => String(id));
}

const ids = ({ deliveries }: { deliveries: { id: string }[] }) => deliveries.map(({ id }) => id);

test('a delivery shows its attempts one by one, the body as signed, and when the next attempt is due', async () => {
  const m = await member();
  hook.answer = 500;
  await m.publish([101n]);
  await m.settled(1, 'failed');
  const { subscription, deliveries, has_more } = await m.log();
  assert.deepEqual(
    [subscription.id, subscription.fail_count, has_more],
    [m.id, 1, false],
    'the card is in the same answer',
  );
  const [row] = deliveries;
  assert.deepEqual(
    [row.event, row.order_id, row.status, row.is_held, row.attempts, row.max_attempts, row.http_status],
    ['order.paid', '101', 'failed', false, 1, 5, 500],
  );
  const wait = Date.parse(row.next_attempt_at) - t.clock.now();
  assert.ok(wait > 0 && wait <= MINUTE, String(wait));

  const { delivery, payload, attempts } = await m.detail(row.id);
  assert.deepEqual(delivery, row);
  const [request] = m.received();
  assert.equal(payload, request?.body);
  assert.equal(attempts.length, 1);
  const [attempt] = attempts;
  assert.deepEqual([attempt.attempt, attempt.http_status, attempt.error], [1, 500, '']);
  assert.equal(attempt.request_headers['X-Signature'], request?.headers['x-signature']);
  assert.match(attempt.response_headers, /^date: /m);
  assert.equal(attempt.response_body, 'answered 500');

  await m.ana.post(`${m.at}/webhooks/${m.id}/pause`);
  const { delivery: held } = await m.detail(row.id);
  assert.deepEqual([held.is_held, held.next_attempt_at], [true, null], 'nothing is planned while it is paused');
});

test('any delivery is sent again: a delivered one, a dead one, and one that waits for its retry', async () => {
  const m = await member();
  hook.answer = 200;
  await m.publish([1n]);
  await m.settled(1, 'sent');
  const [{ id }] = (await m.log()).deliveries;
  const resend = async (as_of: string) => (await m.ana.post(`${m.at}/deliveries/${id}/resend`, { as_of })).body;
  const first = await m.detail(id);
  assert.deepEqual(await resend(first.as_of), { resent: 1 });
  await eventually('it arrives again', async () => m.received().length === 2);
  await m.settled(1, 'sent');
  assert.equal(m.received()[0]?.body, m.received()[1]?.body);
  assert.deepEqual(await resend(first.as_of), { resent: 0 }, 'the same click, repeated');
  const again = await m.detail(id);
  assert.deepEqual([again.attempts.length, again.delivery.attempts, again.delivery.max_attempts], [2, 2, 6]);

  hook.answer = 500;
  assert.deepEqual(await resend(again.as_of), { resent: 1 });
  await m.settled(1, 'failed');
  const failed = await m.detail(id);
  assert.equal(failed.delivery.sent_at, again.delivery.sent_at, 'that it was delivered once stays true');
  hook.answer = 200;
  assert.deepEqual(await resend(failed.as_of), { resent: 1 }, 'tried now, without the wait');
  await m.settled(1, 'sent');
  assert.equal(m.received().length, 4);

  await m.world.db.run(sql`update webhook_deliveries set status = 'dead' where id = ${id}`);
  assert.deepEqual(await resend((await m.detail(id)).as_of), { resent: 1 });
  await eventually('the dead one arrives', async () => m.received().length === 5);
  await m.settled(1, 'sent');
  await m.world.db.run(sql`update webhook_deliveries set body = null where id = ${id}`);
  const pruned = await m.ana.post(`${m.at}/deliveries/${id}/resend`, { as_of: (await m.detail(id)).as_of });
  assert.deepEqual([pruned.status, pruned.body.error.code], [409, 'payload_pruned']);
  assert.equal((await m.detail(id)).payload, null);
  const { n } = await t.base.db.one<{ n: bigint }>(
    sql`select count(*) as n from audit_log where what = 'webhook resend' and target = ${`delivery ${id}`}`,
  );
  assert.ok(n >= 4n);
});

test('the log is filtered by status, event and time, and read on from any row', async () => {
  const m = await member();
  await m.ana.post(`${m.at}/webhooks/${m.id}/pause`);
  const old = await logged(m, [10 * DAY, 9 * DAY, 8 * DAY]);
  const dead = await logged(m, [3 * HOUR, 2 * HOUR], { status: 'dead', event: 'order.created' });
  const young = await logged(m, [30 * MINUTE, 20 * MINUTE]);
  const all = [...old, ...dead, ...young].reverse();
  const at = (age: number) => new Date(t.clock.now() - age).toISOString();
  const shown = async (query: string) => ids(await m.log(query));
  assert.deepEqual(await shown(''), all);
  assert.deepEqual(await shown('status=dead'), dead.toReversed());
  assert.deepEqual(await shown('event=order.paid'), [...young.toReversed(), ...old.toReversed()]);
  assert.deepEqual(await shown(`from=${at(HOUR)}`), young.toReversed());
  assert.deepEqual(await shown(`until=${at(HOUR)}`), [...dead.toReversed(), ...old.toReversed()]);
  assert.deepEqual(await shown(`from=${at(9.5 * DAY)}&until=${at(DAY)}`), [old[2], old[1]]);
  assert.deepEqual(await shown(`until=${at(20 * DAY)}`), []);
  assert.deepEqual(await shown(`before=${dead[0]}`), old.toReversed());

  const many = await logged(
    m,
    Array.from({ length: 60 }, (_, i) => (100 - i) * 1000),
  );
  const first = await m.log();
  assert.deepEqual([first.deliveries.length, first.has_more], [25, true]);
  assert.equal(first.deliveries[0].id, many.at(-1));
  const second = await m.log(`before=${first.deliveries[24].id}`);
  assert.equal(second.deliveries[0].id, many.at(-26));
  const last = await m.log(`before=${second.deliveries[24].id}&event=order.paid&from=${at(DAY)}`);
  assert.deepEqual([last.deliveries.length, last.has_more], [12, false]);
  const long = await m.log('limit=50');
  assert.deepEqual([long.deliveries.length, long.has_more], [50, true]);
  assert.equal((await m.log('limit=101')).deliveries.length, 25);
});

test('what a filter means is counted, confirmed and sent again once, however often the click is repeated', async () => {
  const m = await member();
  hook.answer = 200;
  await logged(m, [3 * DAY], { event: 'order.created' });
  await logged(m, [2 * DAY, 2 * DAY], { body: false });
  const lost = await logged(m, [3 * HOUR, 2 * HOUR, HOUR]);
  await logged(m, [10 * MINUTE]);
  const window = {
    status: 'sent',
    event: 'order.paid',
    until: new Date(t.clock.now() - 30 * MINUTE).toISOString(),
    from: new Date(t.clock.now() - 5 * DAY).toISOString(),
  };
  const path = `${m.at}/webhooks/${m.id}/resend`;
  const counted = (await m.ana.get(`${path}?${new URLSearchParams(window)}`)).body;
  const { as_of } = counted;
  assert.deepEqual(counted, { count: 3, without_body: 2, too_many: false, most: 10_000, as_of });
  assert.deepEqual((await m.ana.post(path, { ...window, as_of })).body, { resent: 3 });
  await eventually('they arrive', async () => m.received().length === 3);
  await m.settled(7, 'sent');
  assert.deepEqual((await m.ana.post(path, { ...window, as_of })).body, { resent: 0 });
  const sentIds = m.received().map(({ headers }) => headers['x-webhook-id']);
  assert.deepEqual(sentIds.toSorted(), lost.toSorted());
  const later = (await m.ana.get(`${path}?${new URLSearchParams(window)}`)).body;
  assert.equal(later.count, 3, 'they can be sent once more by another click');
  const entry = await t.base.db.one<{ after: object }>(
    sql`select after from audit_log where target = ${`subscription ${m.id}`} and what = 'webhook resend' order by id limit 1`,
  );
  assert.deepEqual(entry.after, { ...window, resent: 3 });
});

test('what waits for a retry is sent at once', async () => {
  const m = await member();
  hook.answer = 500;
  await m.publish([1n, 2n, 3n]);
  await m.settled(3, 'failed');
  hook.answer = 200;
  const path = `${m.at}/webhooks/${m.id}/resend`;
  const { count, as_of } = (await m.ana.get(`${path}?status=failed`)).body;
  assert.equal(count, 3);
  assert.deepEqual((await m.ana.post(path, { status: 'failed', as_of })).body, { resent: 3 });
  await m.settled(3, 'sent');
  assert.equal(m.received().length, 6);
});

test('too many for one click, or for the sandbox to hold, are refused as a whole', async () => {
  const m = await member();
  await m.ana.post(`${m.at}/webhooks/${m.id}/pause`);
  await logged(m, Array(10_001).fill(HOUR), { status: 'dead' });
  const path = (one: typeof m) => `${one.at}/webhooks/${one.id}/resend`;
  const { too_many, as_of } = (await m.ana.get(path(m))).body;
  assert.equal(too_many, true);
  const refused = await m.ana.post(path(m), { as_of });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'too_many_deliveries']);
  assert.equal((await m.log('status=dead')).has_more, true, 'nothing was requeued');

  const play = await member('sandbox');
  await play.ana.post(`${play.at}/webhooks/${play.id}/pause`);
  await logged(play, Array(501).fill(HOUR), { status: 'dead' });
  const full = await play.ana.post(path(play), { as_of: (await play.ana.get(path(play))).body.as_of });
  assert.deepEqual([full.status, full.body.error.code], [409, 'queue_full']);
  await play.settled(501, 'dead');
});

test('strangers, other partners, the other world and wrong input get nothing and change nothing', async () => {
  const [m, stranger] = [await member(), await member()];
  await m.ana.post(`${m.at}/webhooks/${m.id}/pause`);
  const [id] = await logged(m, [HOUR], { status: 'dead' });
  const { as_of } = await m.detail(id ?? '');
  const asked: ((
    ana: Browser,
    world: string,
    of: { sub: string; delivery: string },
  ) => Promise<{ text: string; status: number }>)[] = [
    (ana, world, { sub }) => ana.get(`/api/${world}/webhooks/${sub}`),
    (ana, world, { sub }) => ana.get(`/api/${world}/webhooks/${sub}/resend`),
    (ana, world, { sub }) => ana.post(`/api/${world}/webhooks/${sub}/resend`, { as_of }),
    (ana, world, { delivery }) => ana.get(`/api/${world}/deliveries/${delivery}`),
    (ana, world, { delivery }) => ana.post(`/api/${world}/deliveries/${delivery}/resend`, { as_of }),
  ];
  const mine = { sub: m.id, delivery: id ?? '' };
  for (const ask of asked) {
    const missing = await ask(stranger.ana, 'live', { sub: '999999', delivery: '999999' });
    assert.equal(missing.status, 404);
    for (const answer of [
      await ask(stranger.ana, 'live', mine),
      await ask(m.ana, 'sandbox', mine),
      await ask(m.ana, 'live', { sub: 'x', delivery: '-1' }),
    ])
      assert.equal(answer.text, missing.text);
    assert.equal((await ask(m.ana, 'elsewhere', mine)).status, 404);
  }
  for (const [query, code] of [
    ['status=lost', 'invalid_status'],
    ['event=order.lost', 'invalid_event'],
    ['from=yesterday', 'invalid_time'],
    ['until=2026-02-30T00:00:00Z', 'invalid_time'],
    ['until=0000-01-01T00:00:00Z', 'invalid_time'],
  ] as const) {
    for (const address of [`${m.at}/webhooks/${m.id}`, `${m.at}/webhooks/${m.id}/resend`]) {
      const { status, body } = await m.ana.get(`${address}?${query}`);
      assert.deepEqual([status, body.error.code], [400, code]);
    }
    const body = { ...Object.fromEntries(new URLSearchParams(query)), as_of };
    assert.equal((await m.ana.post(`${m.at}/webhooks/${m.id}/resend`, body)).body.error.code, code);
  }
  assert.equal((await m.ana.get(`${m.at}/webhooks/${m.id}/resend?status=pending`)).body.error.code, 'invalid_status');
  assert.equal((await m.ana.post(`${m.at}/webhooks/${m.id}/resend`, {})).body.error.code, 'invalid_input');
  assert.equal((await m.ana.post(`${m.at}/deliveries/${id}/resend`, { as_of: 'now' })).body.error.code, 'invalid_time');
  await m.settled(1, 'dead');
});
