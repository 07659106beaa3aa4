import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { signedWebhook } from '../../../sdk/src/testing.ts';
import { HOUR, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';
import { subscribePaused } from '../../support/servers/queued-events.ts';

const SECRET = 'airalo-client-secret';
const HOOK_SECRET = `whsec_${'5e'.repeat(32)}`;
const PATH_SECRET = 'a-long-enough-path-secret';
const ZENDIT_SECRET = 'a-long-enough-header-secret';
const ICCID = '8944500102198301234';
const nowhere = new URL('http://127.0.0.1:9/');

let t: TestApp;
let esim: { id: bigint };
let order: { id: bigint };
before(async () => {
  t = await testApp({
    role: 'panel',
    config: {
      airalo: { clientId: 'us', clientSecret: SECRET, url: nowhere },
      esimAccess: { accessCode: 'us', secret: 's', url: nowhere, notifySecret: PATH_SECRET },
      esimGo: { key: SECRET, url: nowhere },
      zendit: { apiKey: 'us', url: nowhere, matchingIdField: 'activationCode', notifySecret: ZENDIT_SECRET },
      partnerV3: [
        { slug: 'acme', url: nowhere, key: 'esk_x', secret: HOOK_SECRET },
        { slug: 'quiet', url: nowhere, key: 'esk_y', secret: undefined },
      ],
    },
  });
  t.clock.freeze();
  const plan = await testPlan(t);
  await t.base.db.run(sql`
    insert into suppliers (slug, title, kind) values ('airalo', 'Airalo', 'airalo'), ('esim-access', 'eSIM Access', 'esim_access'),
      ('esim-go', 'eSIM Go', 'esim_go'), ('zendit', 'Zendit', 'zendit'), ('acme', 'Acme', 'partner_v3')`);
  const partnerId = await t.partner();
  await subscribePaused(t, partnerId, 'live', 'esim.usage_high');
  esim = await paidOrder(t, { partnerId, plan, supplier: 'airalo' });
  order = await paidOrder(t, { partnerId, plan, supplier: 'airalo' });
});
after(() => t[Symbol.asyncDispose]());

const { stringify } = JSON;
const lowData = stringify({ level: '75%', package_name: 'p', remaining_percentage: 25, iccid: ICCID });
const sign = (body: string, secret = SECRET) => createHmac('sha512', secret).update(body).digest('hex');
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  t.ask(path, { host: 'panel', method: 'POST', body, headers });
const airalo = (body: string, signature = sign(body)) =>
  post('/webhooks/airalo', body, { 'airalo-signature': signature });

/** An eSIM that is to be read in an hour, and a deferred order that is looked at in an hour. */
async function idle(supplier: string): Promise<void> {
  const later = new Date(t.clock.now() + HOUR);
  await t.base.worlds.live.db.run(sql`
    update orders set status = 1, delivery = 'delivered', iccid = ${ICCID}, watch_due_at = ${later}, supplier = ${supplier},
      provision_due_at = null, delivered_at = now()
    where id = ${esim.id}`);
  await t.base.worlds.live.db.run(sql`
    update orders set delivery = 'deferred', supplier_order = '9912', provision_due_at = ${later}, supplier = ${supplier}
    where id = ${order.id}`);
}

/** In how many seconds the reading and the order are due. */
async function dueIn(): Promise<[number, number]> {
  const due = await t.base.worlds.live.db.one<{ reading: Date; order: Date }>(sql`
    select (select watch_due_at from orders where id = ${esim.id}) as reading,
      (select provision_due_at from orders where id = ${order.id}) as order`);
  return [(due.reading.getTime() - t.clock.now()) / SECOND, (due.order.getTime() - t.clock.now()) / SECOND];
}

const UNCHANGED = [3600, 3600];

test('Airalo: HEAD is answered with 200, as it asks before it accepts the address', async () => {
  assert.equal((await t.ask('/webhooks/airalo', { host: 'panel', method: 'HEAD' })).status, 200);
});

test('Airalo: a signed notice of low data makes the reading due, one of an order its look-up', async () => {
  await idle('airalo');
  assert.equal((await airalo(lowData)).status, 200);
  assert.deepEqual(await dueIn(), [0, 3600]);
  const delivered = stringify({ request_id: 'r', data: { id: 9912, code: 'x', sims: [] } });
  assert.equal((await airalo(delivered)).status, 200);
  assert.deepEqual(await dueIn(), [0, 0]);
});

test('a notice never makes a reading due before the last one has grown old, and the same one counts once a minute', async () => {
  await idle('airalo');
  const { db } = t.base.worlds.live;
  const fetched = new Date(t.clock.now() - 30 * SECOND);
  await db.run(sql`
    insert into usage_readings (iccid, state, used_mb, fetched_at) values (${ICCID}, 'active', 1, ${fetched})`);
  assert.equal((await airalo(lowData)).status, 200);
  assert.deepEqual(await dueIn(), UNCHANGED, 'the same notice as a moment ago');
  t.clock.advance(61 * SECOND);
  await idle('airalo');
  await db.run(
    sql`update usage_readings set fetched_at = ${new Date(t.clock.now() - 30 * SECOND)} where iccid = ${ICCID}`,
  );
  await airalo(lowData);
  assert.deepEqual(await dueIn(), [60, 3600]);
});

test('Airalo: without its signature over these very bytes nothing happens', async () => {
  t.clock.advance(120 * SECOND);
  await idle('airalo');
  const wrong = [
    '',
    'zz',
    sign(lowData).slice(2),
    sign(`${lowData} `),
    sign(lowData, 'another secret'),
    sign(lowData, ''),
  ];
  for (const signature of wrong) {
    const answer = await airalo(lowData, signature);
    assert.deepEqual([answer.status, answer.text], [400, 'bad signature\n']);
  }
  assert.equal((await post('/webhooks/airalo', lowData)).status, 400);
  assert.deepEqual(await dueIn(), UNCHANGED);
});

test('eSIM Access: its notices are hints, at a secret address', async () => {
  t.clock.advance(120 * SECOND);
  await idle('esim-access');
  const usage = stringify({ notifyType: 'DATA_USAGE', content: { orderNo: '1', iccid: ICCID, remain: 1 } });
  const stranger = await t.ask('/nothing/here', { host: 'panel', method: 'POST', body: usage });
  for (const path of ['', '/', '/wrong', `/${PATH_SECRET}x`, `/${PATH_SECRET}/more`]) {
    const answer = await post(`/webhooks/esim-access${path}`, usage);
    assert.deepEqual([answer.status, answer.text], [stranger.status, stranger.text]);
  }
  assert.deepEqual(await dueIn(), UNCHANGED);
  await t.base.worlds.live.db.run(sql`update usage_readings set fetched_at = '2020-01-01' where iccid = ${ICCID}`);
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  for (const wrong of ['wayfare:wrong', PATH_SECRET, `${PATH_SECRET}:`, 'wayfare:'])
    assert.equal((await post('/webhooks/esim-access', usage, basic(wrong))).status, 404, wrong);
  assert.equal((await post('/webhooks/esim-access', usage, { authorization: `Bearer ${PATH_SECRET}` })).status, 404);
  assert.equal((await post('/webhooks/esim-access', usage, basic(`wayfare:${PATH_SECRET}`))).status, 200);
  assert.equal((await post(`/webhooks/esim-access/${PATH_SECRET}`, usage)).status, 200);
  assert.deepEqual(await dueIn(), [0, 3600]);
  const ready = stringify({ notifyType: 'ORDER_STATUS', content: { orderNo: '9912', orderStatus: 'GOT_RESOURCE' } });
  assert.equal((await post(`/webhooks/esim-access/${PATH_SECRET}`, ready)).status, 200);
  assert.deepEqual(await dueIn(), [0, 0]);
});

test('Zendit: HEAD is answered with 200, and a notice counts only with the secret in its header', async () => {
  t.clock.advance(120 * SECOND);
  await idle('zendit');
  assert.equal((await t.ask('/webhooks/zendit', { host: 'panel', method: 'HEAD' })).status, 200);
  const done = stringify({ transactionId: '9912', status: 'DONE', confirmation: { iccid: ICCID } });
  for (const token of [{}, { 'x-webhook-token': 'wrong' }, { 'x-webhook-token': '' }])
    assert.equal((await post('/webhooks/zendit', done, token as Record<string, string>)).status, 400);
  assert.deepEqual(await dueIn(), UNCHANGED);
  await t.base.worlds.live.db.run(sql`update usage_readings set fetched_at = '2020-01-01' where iccid = ${ICCID}`);
  assert.equal((await post('/webhooks/zendit', done, { 'x-webhook-token': ZENDIT_SECRET })).status, 200);
  assert.deepEqual(await dueIn(), [0, 0]);
});

test('eSIM Go: a callback signed with our key, in base64 or hex, makes the reading due; its ICCID may be a number', async () => {
  const signed = (body: string, encoding: 'hex' | 'base64', key = SECRET) =>
    createHmac('sha256', key).update(body).digest(encoding);
  const send = (body: string, signature?: string) =>
    post('/webhooks/esim-go', body, signature === undefined ? {} : { 'x-signature-sha256': signature });
  const texts = [`{"iccid":"${ICCID}","alertType":"Utilisation"}`, `{"alertType":"FirstUse","iccid" : ${ICCID}}`];
  for (const [n, body] of texts.entries())
    for (const encoding of ['hex', 'base64'] as const) {
      t.clock.advance(120 * SECOND);
      await idle('esim-go');
      await t.base.worlds.live.db.run(sql`update usage_readings set fetched_at = '2020-01-01' where iccid = ${ICCID}`);
      for (const wrong of [undefined, '', 'zz', signed(`${body} `, encoding), signed(body, encoding, 'another')])
        assert.equal((await send(body, wrong)).status, 400);
      assert.deepEqual(await dueIn(), UNCHANGED);
      assert.equal((await send(body, signed(body, encoding))).status, 200);
      assert.deepEqual(await dueIn(), [0, 3600], `${n} ${encoding}`);
    }
  const money = '{"alertType":"LowBalance","balanceInfo":{"balance":1}}';
  assert.equal((await send(money, signed(money, 'hex'))).status, 200);
});

/** What is on record of the eSIM on the phone. */
const onPhone = () =>
  t.base.worlds.live.db.maybe<{ state: string; brand: string; country: string; seen_at: Date }>(sql`
    select state, brand, country, seen_at from esim_profiles where order_id = ${esim.id}`);

test('eSIM Go: a signed callback reports the eSIM on the phone at once; two that follow each other both count', async () => {
  const send = (event: object, key = SECRET) => {
    const body = stringify({ iccid: ICCID, ...event });
    const signature = createHmac('sha256', key).update(body).digest('hex');
    return post('/webhooks/esim-go', body, { 'x-signature-sha256': signature });
  };
  t.clock.advance(120 * SECOND);
  await idle('airalo');
  assert.equal((await send({ profileStatus: 'Installed' })).status, 200);
  assert.equal(await onPhone(), undefined, "another supplier's eSIM");
  await idle('esim-go');
  assert.equal((await send({ profileStatus: 'Downloaded' }, 'another')).status, 400);
  assert.equal(await onPhone(), undefined);
  const phone = { make: 'Apple', model: 'iPhone 17' };
  for (const [told, state] of [
    [{ profileStatus: 'Downloaded' }, 'downloaded'],
    [{ alertType: 'FirstAttachment' }, 'enabled'],
    [{ profileStatus: 'Released', device: phone }, 'deleted'],
  ] as const) {
    assert.equal((await send(told)).status, 200);
    assert.equal((await onPhone())?.state, state);
  }
  const seenAt = new Date(t.clock.now());
  const inNorway = { alertType: 'CountryChange', country: { code: 'NO', name: 'Norway' } };
  assert.equal((await send(inNorway)).status, 200);
  assert.deepEqual(await onPhone(), { state: 'enabled', brand: 'Apple', country: 'NO', seen_at: seenAt });
  t.clock.advance(10 * SECOND);
  assert.equal((await send(inNorway)).status, 200);
  assert.deepEqual((await onPhone())?.seen_at, seenAt, 'the same one again, within a minute');
});

test('eSIM Access: what anyone may have sent says nothing of the eSIM on the phone', async () => {
  t.clock.advance(120 * SECOND);
  await idle('esim-access');
  const before = await onPhone();
  const content = { orderNo: '1', iccid: ICCID, smdpStatus: 'DELETED', esimStatus: 'IN_USE' };
  assert.equal(
    (await post(`/webhooks/esim-access/${PATH_SECRET}`, stringify({ notifyType: 'SMDP_EVENT', content }))).status,
    200,
  );
  assert.deepEqual(await onPhone(), before);
  assert.deepEqual((await dueIn())[0], 0);
});

test('partner API: a signed event makes the look-up due, once per event_id, whatever is sent in between', async () => {
  t.clock.advance(120 * SECOND);
  const tell = async (event: object, at = t.clock.now(), slug = 'acme', secret = HOOK_SECRET) => {
    const { body, headers } = await signedWebhook(event as { event: 'order.delivered' }, secret, at);
    return post(`/webhooks/partner-v3/${slug}`, body, headers);
  };
  const delivered = { event: 'order.delivered', event_id: 'order.delivered:9912:1', order_id: 9912, iccid: '' };
  await idle('acme');
  for (const event of ['order.created', 'order.paid', 'order.deferred', 'order.test'])
    assert.equal((await tell({ ...delivered, event, event_id: `${event}:9912:1` })).status, 200);
  assert.deepEqual(await dueIn(), UNCHANGED, 'what our own answer has said already');
  assert.equal((await tell(delivered)).status, 200);
  assert.deepEqual(await dueIn(), [3600, 0]);

  await idle('acme');
  t.clock.advance(10 * 60 * SECOND);
  await idle('acme');
  assert.equal((await tell(delivered)).status, 200);
  assert.deepEqual(await dueIn(), UNCHANGED, 'sent again');
  assert.equal((await tell({ ...delivered, event: 'order.failed', event_id: 'order.failed:9912:1' })).status, 200);
  assert.deepEqual(await dueIn(), [3600, 0], 'another event of the same order');
});

test('partner API: without the signature of that account, or more than 300 seconds old, nothing happens', async () => {
  await idle('acme');
  const event = { event: 'order.delivered', event_id: 'order.delivered:9912:7', order_id: 9912 } as const;
  const now = t.clock.now();
  const wrong = [
    await signedWebhook(event, `whsec_${'5f'.repeat(32)}`, now),
    await signedWebhook(event, HOOK_SECRET, now - 301 * SECOND),
    await signedWebhook(event, HOOK_SECRET, now + 301 * SECOND),
    { ...(await signedWebhook(event, HOOK_SECRET, now)), body: '{}' },
    { body: stringify(event), headers: {} },
  ];
  for (const { body, headers } of wrong)
    assert.equal((await post('/webhooks/partner-v3/acme', body, headers)).status, 400);
  const { body, headers } = await signedWebhook(event, HOOK_SECRET, now);
  for (const slug of ['quiet', 'unknown'])
    assert.equal((await post(`/webhooks/partner-v3/${slug}`, body, headers)).status, 404, 'no secret, no address');
  assert.deepEqual(await dueIn(), UNCHANGED);
  assert.equal((await post('/webhooks/partner-v3/acme', body, headers)).status, 200);
});

test("what it cannot read, does not know or is another supplier's changes nothing", async () => {
  t.clock.advance(120 * SECOND);
  await idle('airalo');
  const notices = [
    '',
    'no json',
    '[]',
    '{"content":7}',
    stringify({ content: { iccid: "1' or true --", orderNo: '%' } }),
    stringify({ content: { iccid: '8999999999999999999', orderNo: '404' } }),
    stringify({ content: { iccid: ICCID, orderNo: '9912' } }),
  ];
  for (const body of notices) assert.equal((await post(`/webhooks/esim-access/${PATH_SECRET}`, body)).status, 200);
  const long = await post(
    `/webhooks/esim-access/${PATH_SECRET}`,
    stringify({ content: { iccid: '1'.repeat(70_000) } }),
  );
  assert.equal(long.status, 400);
  assert.deepEqual(await dueIn(), UNCHANGED);
});

test('an order that another process is looking up right now is left to it', async () => {
  t.clock.advance(120 * SECOND);
  await idle('airalo');
  const lease = new Date(t.clock.now() + 5 * SECOND);
  await t.base.worlds.live.db.run(sql`update orders set provision_due_at = ${lease} where id = ${order.id}`);
  await airalo(stringify({ data: { id: 9912 } }));
  assert.deepEqual(await dueIn(), [3600, 5]);
});

test('notifications that anyone can send do not keep a signed one from being processed', async () => {
  await using other = await testApp({
    role: 'panel',
    config: {
      airalo: { clientId: 'us', clientSecret: SECRET, url: nowhere },
      esimAccess: { accessCode: 'us', secret: 's', url: nowhere },
    },
  });
  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    other.ask(path, { host: 'panel', method: 'POST', body, headers }).then(({ status }) => status);
  const keyless = Array.from({ length: 300 }, (_, n) =>
    send('/webhooks/esim-access', stringify({ content: { iccid: `894450010219830${1000 + n}` } })),
  );
  const signedFrom = (first: number) =>
    Array.from({ length: 40 }, (_, n) => {
      const body = stringify({ iccid: `894450010219840${first + n}` });
      return send('/webhooks/airalo', body, { 'airalo-signature': sign(body) });
    });
  // The unsigned ones come while the line is busy: were they in it, it would be full for those behind them.
  const before = signedFrom(1000);
  const unsigned = Array.from({ length: 300 }, () => send('/webhooks/airalo', lowData));
  const signed = [...before, ...signedFrom(2000)];
  assert.deepEqual(new Set(await Promise.all(signed)), new Set([200]));
  assert.deepEqual(new Set(await Promise.all(unsigned)), new Set([400]));
  await Promise.all(keyless);
});

test('the addresses exist only where the supplier is configured; without a secret eSIM Access needs no segment, and Zendit has no address', async () => {
  await using other = await testApp({
    role: 'panel',
    config: {
      esimAccess: { accessCode: 'us', secret: 's', url: nowhere },
      zendit: { apiKey: 'us', url: nowhere, matchingIdField: 'activationCode' },
    },
  });
  const at = (path: string) => other.ask(path, { host: 'panel', method: 'POST', body: '{}' });
  assert.equal((await at('/webhooks/airalo')).status, 404);
  assert.equal((await at('/webhooks/esim-access')).status, 200);
  assert.equal((await at('/webhooks/esim-go')).status, 404);
  assert.equal((await at('/webhooks/zendit')).status, 404);
});
