import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { stage } from '../../../../domains/messages/webhooks/stage.ts';
import { until } from '../../../../support/servers/receiver.ts';

test('sends one signed request and returns the whole exchange; nothing is saved', async () => {
  await using s = await stage();
  s.hook.answer = (_request, response) => response.writeHead(201).end('x'.repeat(3000));
  const url = s.hook.url;
  const { status, body } = await s.t.post('/webhook/probe', { url, event: 'order.delivered' }, { key: s.key.live });
  assert.equal(status, 200);
  const [request] = await s.hook.got(1);
  assert.ok(request);
  assert.equal(request.headers['x-webhook-id'], '0');
  assert.equal(request.headers['x-webhook-probe'], '1');
  assert.equal(request.headers['x-webhook-event'], 'order.delivered');
  assert.equal(request.body, body.payload);
  assert.equal(request.headers['x-signature'], body.signature);
  const expected = createHmac('sha256', body.probe_secret).update(`${body.timestamp}.${body.payload}`).digest('hex');
  assert.equal(body.signature, `sha256=${expected}`);
  new Webhook(body.probe_secret).verify(request.body, request.headers as Record<string, string>);
  const { result, request_sent, saved, event, event_id, http_status, accepted, error } = body;
  assert.deepEqual(
    { result, request_sent, saved, event, event_id, http_status, accepted, error },
    {
      result: 'ok',
      request_sent: true,
      saved: false,
      event: 'order.delivered',
      event_id: 'order.delivered:0:0',
      http_status: 201,
      accepted: true,
      error: '',
    },
  );
  assert.equal(body.response_body, 'x'.repeat(1000));
  assert.equal(JSON.parse(body.payload).order_id, 0);
  const { n } = await s.t.base.worlds.live.db.one<{ n: bigint }>(sql`select count(*) as n from webhook_deliveries`);
  assert.equal(n, 0n);

  const again = await s.t.post('/webhook/probe', { url }, { key: s.key.sandbox });
  assert.notEqual(again.body.probe_secret, body.probe_secret);
  assert.deepEqual([again.body.livemode, again.body.event_id], [false, 'sbx_order.test:0:0']);
  assert.equal(JSON.parse(again.body.payload).livemode, false);
});

test('a refusing or absent receiver is a result, not an error', async () => {
  await using s = await stage();
  s.hook.answer = 500;
  const refused = await s.t.post('/webhook/probe', { url: s.hook.url }, { key: s.key.live });
  assert.deepEqual([refused.status, refused.body.http_status, refused.body.accepted], [200, 500, false]);
  await s.hook[Symbol.asyncDispose]();
  const absent = await s.t.post('/webhook/probe', { url: s.hook.url }, { key: s.key.live });
  assert.deepEqual(
    [absent.status, absent.body.result, absent.body.request_sent, absent.body.http_status, absent.body.accepted],
    [200, 'ok', false, null, false],
  );
  assert.match(absent.body.error, /ECONNREFUSED/);
});

test('400 probe_blocked with request_sent false and a machine-readable reason', async () => {
  await using s = await stage();
  for (const [url, reason] of [
    ['nonsense', 'invalid_url'],
    ['http://93.184.216.34/', 'not_https'],
    ['https://u:p@93.184.216.34/', 'has_credentials'],
    ['https://does-not-exist.invalid/', 'unresolvable_host'],
    ['https://10.1.2.3/', 'private_address'],
    ['https://169.254.169.254/', 'link_local_address'],
    ['https://localhost/', 'loopback_address'],
    ['https://[2001:db8::1]/', 'reserved_address'],
  ]) {
    const { status, body } = await s.t.post('/webhook/probe', { url: url ?? '' }, { key: s.key.live });
    const { error, request_sent } = body;
    assert.deepEqual([status, error, request_sent, body.reason], [400, 'probe_blocked', false, reason], url);
  }
});

test('400 url_required, url_too_long, invalid_event', async () => {
  await using s = await stage();
  const ask = async (form: string | Record<string, string>) => {
    const { status, body } = await s.t.post('/webhook/probe', form, { key: s.key.live });
    return `${status} ${body.error}`;
  };
  assert.equal(await ask({}), '400 url_required');
  assert.equal(await ask({ url: '' }), '400 url_required');
  assert.equal(await ask('url=https://a.example&url=https://b.example'), '400 url_required');
  assert.equal(await ask({ url: `https://a.example/${'x'.repeat(483)}` }), '400 url_too_long');
  assert.equal(await ask({ url: s.hook.url, event: 'order.lost' }), '400 invalid_event');
});

test('500 probe_unavailable: too many are under way to build another; nothing is sent', async () => {
  await using s = await stage();
  const keys = [s.key.live, ...(await Promise.all(Array.from({ length: 4 }, () => s.t.key(s.partnerId))))];
  const held: (() => void)[] = [];
  s.hook.answer = (_request, response) => held.push(() => response.end());
  const probes = keys.flatMap((key) =>
    Array.from({ length: 13 }, () => s.t.post('/webhook/probe', { url: s.hook.url }, { key })),
  );
  await until(() => held.length === 64);
  const refused = await Promise.race(probes);
  assert.deepEqual([refused.status, refused.body.error], [500, 'probe_unavailable']);
  for (const release of held) release();
  const answers = await Promise.all(probes);
  assert.equal(answers.filter(({ status }) => status === 200).length, 64);
  assert.equal(s.hook.received.length, 64);
});
