import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../support/app.ts';

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
