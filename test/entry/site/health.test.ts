import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { raw } from '../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../support/database/queries.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { refused } from '../../support/program/process.ts';
import { noNewConnections, outage } from '../../support/servers/outage.ts';

test('/healthz and /readyz answer plainly; anything else on the panel host is no part of the API', async () => {
  await using t = await testApp();
  const get = (path: string, method = 'GET') => t.get(path, { host: 'panel', method });
  assert.deepEqual([(await get('/healthz')).text, (await get('/readyz')).text], ['ok\n', 'ready\n']);
  assert.equal((await get('/nothing')).status, 404);
  assert.equal((await get('/healthz', 'POST')).status, 404);
  assert.deepEqual([(await get('/healthz', 'HEAD')).status, (await get('/healthz', 'HEAD')).text], [200, '']);
  assert.equal((await get('/%ff')).status, 400);
  assert.equal((await get('//')).status, 404);
});

test('/metrics: requests by tier and status, pools, jobs; in the form Prometheus reads', async () => {
  await using t = await testApp();
  const key = await t.key(await t.partner(), 'sandbox');
  for (const path of ['/account/balance', '/account/balance', '/catalog/countries', '/nothing'])
    await t.get(path, { key });
  await t.work();
  const { text, headers } = await t.get('/metrics', { host: 'panel' });
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
  const figure = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );
  assert.equal(figure('wayfare_requests_total{tier="read",status="200"}'), 2);
  assert.equal(figure('wayfare_requests_total{tier="read",status="404"}'), 1);
  assert.equal(figure('wayfare_requests_total{tier="catalog",status="200"}'), 1);
  assert.ok(figure('wayfare_database_connections{pool="sandbox",state="idle"}') >= 1);
  assert.equal(figure('wayfare_database_connections{pool="live",state="waiting"}'), 0);
  assert.match(text, /^wayfare_job_batches_total\{job="[^"]+",outcome="nothing due"\} \d+$/m);
  assert.equal(figure('wayfare_request_seconds_count{endpoint="/account/balance",status="200"}'), 2);
  assert.equal(figure('wayfare_request_seconds_bucket{le="+Inf",endpoint="/account/balance",status="200"}'), 2);
  assert.equal(figure('wayfare_request_seconds_count{endpoint="unknown",status="404"}'), 1);
  assert.ok(figure('process_resident_memory_bytes') > 0);
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]));
  for (const line of text.split('\n').filter(Boolean)) {
    assert.match(
      line,
      /^(# (HELP|TYPE) .+|[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?\d+(\.\d+)?(e[-+]\d+)?|Nan))$/,
    );
    if (line.startsWith('#')) continue;
    const name = line.split(/[{ ]/)[0] ?? '';
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
    assert.ok(['counter', 'gauge', 'histogram'].includes(type ?? ''), line);
  }
});

for (const role of ['all', 'api', 'worker', 'panel'] as const)
  test(`HEALTH_PORT, role ${role}: health and metrics there and nothing else, until it stops`, async () => {
    let port = 0;
    {
      await using t = await testApp({ role, config: { healthPort: 0 } });
      port = t.healthPort ?? 0;
      const get = async (path: string, method = 'GET') => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
        return { status: answer.status, text: await answer.text() };
      };
      assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' });
      assert.deepEqual(await get('/readyz'), { status: 200, text: 'ready\n' });
      await t.work();
      const { text } = await get('/metrics');
      assert.match(text, /^wayfare_database_connections\{pool="live",state="used"\} \d+$/m);
      const works = role === 'all' || role === 'worker';
      assert.equal(/^wayfare_job_batches_total\{/m.test(text), works, 'the figures are its own');
      for (const path of ['/', '/v3/openapi.json', '/api/me', '/nothing', '/%ff'])
        assert.ok([400, 404].includes((await get(path)).status), path);
      assert.equal((await get('/healthz', 'POST')).status, 404);
      await using _away = await outage(t);
      await eventually('it says that it is not ready', async () => {
        t.clock.advance(1000);
        return (await get('/readyz')).status === 503;
      });
      assert.deepEqual(await get('/readyz'), { status: 503, text: 'not ready: the database cannot be reached\n' });
      assert.equal((await get('/healthz')).status, 200);
    }
    assert.ok(await refused(port), 'a stopped process still answers');
  });

test('without HEALTH_PORT there is no such port', async () => {
  await using t = await testApp({ role: 'worker' });
  assert.deepEqual([t.healthPort, t.port], [undefined, 0]);
});

test('/readyz asks the database once a second, however many ask', async () => {
  await using t = await testApp({ role: 'panel' });
  const ask = () => t.get('/readyz', { host: 'panel' });
  await ask();
  using queries = watchQueries();
  const probes = () => queries.seen.filter((text) => text.includes('shared.migrations')).length;
  t.clock.freeze();
  for (let second = 1; second <= 3; second++) {
    t.clock.advance(1000);
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    assert.ok(answers.every(({ text }) => text === 'ready\n'));
    assert.equal(probes(), second);
  }
});

test('/readyz says so when the database is read-only', async () => {
  await using t = await testApp({ role: 'panel' });
  const name = new URL(t.base.url).pathname.slice(1);
  const becomes = async (readOnly: 'on' | 'off') => {
    const admin = new pg.Client(t.base.url);
    await admin.connect();
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${name} set default_transaction_read_only = ${readOnly}`);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await admin.end();
  };
  const says = (text: string) =>
    eventually(text, async () => {
      t.clock.advance(1000);
      return (await t.get('/readyz', { host: 'panel' })).text === text;
    });
  await becomes('on');
  await says('not ready: the database is read-only\n');
  await becomes('off');
  await says('ready\n');
});

test('/readyz says so when the disk of the database is full, until there is room again', async () => {
  await using t = await testApp({ role: 'panel' });
  const ask = () => {
    t.clock.advance(1000);
    return t.get('/readyz', { host: 'panel' });
  };
  const { db } = t.base.worlds.live;
  // As PostgreSQL reports a full disk; the trigger keeps it full for what needs room.
  await t.base.db.run(
    raw(`create function no_room() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`),
  );
  await t.base.db.run(raw(`create event trigger no_room on ddl_command_start execute function no_room()`));
  assert.equal((await ask()).text, 'ready\n', 'it has not been noticed yet');
  await assert.rejects(db.run(raw('create temp table needs_room (one int)')), { code: '53100' });
  const full = await ask();
  assert.deepEqual([full.status, full.text], [503, 'not ready: the disk of the database is full\n']);
  await t.base.db.run(raw('drop event trigger no_room'));
  assert.equal((await ask()).text, 'ready\n');
});

test('when the database takes no more connections, a process that has its own stays ready', async () => {
  await using t = await testApp();
  const key = await t.key(await t.partner());
  const balance = async () => (await t.get('/account/balance', { key })).status;
  // All its connections are open then, also for jobs.
  await Promise.all(Array.from({ length: 20 }, balance));
  await using _full = await noNewConnections(t);
  t.clock.advance(1000);
  assert.equal(await balance(), 200);
  assert.equal((await t.get('/readyz', { host: 'panel' })).text, 'ready\n');
});

test('with HEALTH_PORT the panel answers neither /readyz nor /metrics', async () => {
  await using t = await testApp({ config: { healthPort: 0 } });
  const get = async (path: string) => {
    const { status, text } = await t.get(path, { host: 'panel' });
    return { status, text };
  };
  assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' });
  for (const path of ['/readyz', '/metrics']) assert.deepEqual(await get(path), await get('/nothing'), path);
});

test('without HEALTH_PORT the metrics are for this machine alone; others find nothing there', async () => {
  await using behindProxy = await testApp({ config: { trustedProxies: ['127.0.0.1'] } });
  await using direct = await testApp();
  const get = async (t: TestApp, path: string, forwardedFor?: string) => {
    const headers: Record<string, string> = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {};
    const { status, text, headers: answered } = await t.get(path, { host: 'panel', headers });
    return { status, text, type: answered['content-type'] };
  };
  for (const [t, forwardedFor] of [
    [behindProxy, '203.0.113.9'],
    [behindProxy, '127.0.0.1, 203.0.113.9'],
    // A proxy on this machine that the operator forgot to name.
    [direct, '203.0.113.9'],
  ] as const) {
    assert.deepEqual(await get(t, '/metrics', forwardedFor), await get(t, '/nothing', forwardedFor), forwardedFor);
    assert.equal((await get(t, '/metrics', forwardedFor)).status, 404);
  }
  for (const forwardedFor of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    assert.equal((await get(behindProxy, '/metrics', forwardedFor)).status, 200);
  assert.equal((await get(direct, '/metrics')).status, 200);
});
