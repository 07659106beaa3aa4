import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../support/app.ts';
import { outage } from '../support/outage.ts';
import { refused } from '../support/process.ts';

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
  const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge)$/gm)].map(([, name]) => name);
  for (const line of text.trim().split('\n')) {
    assert.match(line, /^(# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? \d+)$/);
    if (!line.startsWith('#')) assert.ok(names.includes(line.split(/[{ ]/)[0] ?? ''), line);
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
      const { text } = await get('/metrics');
      assert.match(text, /^wayfare_database_connections\{pool="live",state="used"\} \d+$/m);
      const works = role === 'all' || role === 'worker';
      assert.equal(/^wayfare_job_batches_total\{/m.test(text), works, 'the figures are its own');
      for (const path of ['/', '/v3/openapi.json', '/api/me', '/nothing', '/%ff'])
        assert.ok([400, 404].includes((await get(path)).status), path);
      assert.equal((await get('/healthz', 'POST')).status, 404);
      await using _away = await outage(t);
      assert.deepEqual(await get('/readyz'), { status: 503, text: 'not ready\n' });
      assert.equal((await get('/healthz')).status, 200);
    }
    assert.ok(await refused(port), 'a stopped process still answers');
  });

test('without HEALTH_PORT there is no such port', async () => {
  await using t = await testApp({ role: 'worker' });
  assert.deepEqual([t.healthPort, t.port], [undefined, 0]);
});
