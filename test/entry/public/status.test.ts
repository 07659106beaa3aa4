import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { serviceHoursJob } from '../../../src/domains/insight/status-page/status-page.ts';
import { supplierHealth } from '../../../src/domains/supply/supply.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { browser } from '../../support/program/panel.ts';

// A process that serves pages and runs no jobs: the test runs them.
const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());
t.clock.freeze(Date.parse('2026-11-17T10:30:00Z'));
const { db, worlds } = t.base;
// Those of tests begin with nothing left to count.
await db.run(sql`delete from service_hours`);
const page = async () => {
  // The page is kept for half a minute.
  t.clock.advance(MINUTE);
  return (await t.get('/status', { host: 'panel', headers: { accept: 'text/html' } })).text;
};
const hourOf = (ago: number) => new Date(Math.floor(t.clock.now() / HOUR) * HOUR - ago * HOUR);
const hours = () =>
  db.query<{ part: string; hour: Date; measured: bigint; failed: bigint }>(sql`
    select part, hour, measured, failed from service_hours where measured > 0 order by part, hour`);

suite('measurements', () => {
  let measured: { readonly hour: Date; readonly measured: number; readonly failed: number }[] = [];
  let oldest: number | undefined = 0;
  const within = (from: Date, to: Date) => measured.filter(({ hour }) => hour >= from && hour < to);
  const sources = {
    api: async (from: Date, to: Date) => within(from, to),
    suppliers: async () => [],
    oldestDueSeconds: async () => oldest,
  };
  const job = serviceHoursJob(db, t.clock, sources);
  const pass = () => job.run(new AbortController().signal);
  const untilDone = async () => {
    while ((await pass()) > 0);
  };

  test('without any, the page says that nothing was measured, and claims nothing', async () => {
    const text = await page();
    assert.equal(text.match(/>No measurements yet\.</g)?.length, 3);
    assert.match(text, /Nothing was measured in the last hour\./);
    assert.doesNotMatch(text, /No known problems|100\.00/);
  });

  test('every hour of 90 days is added up once, however many processes do it, and the last one again while it lasts', async () => {
    measured = [
      { hour: hourOf(30 * 24), measured: 1000, failed: 0 },
      { hour: hourOf(0), measured: 200, failed: 100 },
    ];
    await Promise.all([untilDone(), untilDone()]);
    await untilDone();
    measured[1] = { hour: hourOf(0), measured: 1000, failed: 1 };
    await untilDone();
    const api = (await hours()).filter(({ part }) => part === 'api');
    assert.deepEqual(
      api.map((one) => [Number(one.measured), Number(one.failed)]),
      [
        [1000, 0],
        [1000, 1],
      ],
    );
  });

  test('webhooks are sampled once a minute by all processes together; a failed sample is not counted', async () => {
    const looks = async () => {
      const found = (await hours()).filter(({ part }) => part === 'webhooks');
      return found.reduce(
        (sum, one) => [(sum[0] ?? 0) + Number(one.measured), (sum[1] ?? 0) + Number(one.failed)],
        [0, 0],
      );
    };
    t.clock.advance(2 * HOUR);
    const [before = 0] = await looks();
    await Promise.all([pass(), pass()]);
    t.clock.advance(MINUTE);
    oldest = 301;
    await pass();
    t.clock.advance(MINUTE);
    oldest = undefined;
    await pass();
    assert.deepEqual(await looks(), [before + 2, 1]);
  });

  test('the page shows shares of measured days and no counts, rounds no fault away, and names days below', async () => {
    const text = await page();
    assert.match(text, /2 of 90 days measured, 2 of them at 99\.9 % or better\./);
    assert.match(text, /<p>99\.95 %<\/p>/);
    assert.match(text, /: not measured<\/title>/);
    assert.match(text, /Below that: 2026-11-17 \(50\.00 %\)|Below that: 2026-11-17 \(\d+\.\d\d %\)/);
    assert.doesNotMatch(text, /\b1000\b|\b2000\b/);
  });

  test('older hours are forgotten', async () => {
    t.clock.advance(100 * DAY);
    await untilDone();
    const { old } = await db.one<{ old: number }>(sql`
      select count(*)::int as old from service_hours where hour < ${new Date(t.clock.now() - 91 * DAY)}`);
    assert.equal(old, 0);
  });
});

test('calls of the API are added up over all partners, and only answers from 500 on are faults of ours', async () => {
  const [one, two] = [await t.partner(), await t.partner()];
  const hour = hourOf(0);
  await worlds.live.db.run(sql`
    insert into request_figures (partner_id, hour, endpoint, status, requests)
    values (${one}, ${hour}, '/a', 200, 5), (${two}, ${hour}, '/a', 404, 3), (${two}, ${hour}, '/b', 503, 2)`);
  const found = await worlds.live.insight.answeredBetween(hour, hourOf(-1));
  assert.deepEqual(found, [{ hour, measured: 10, failed: 2 }]);
  await db.run(sql`
    insert into supplier_figures (minute, supplier, call, outcome, within_ms, calls, total_ms, last_at) values
      (${hour}, 'aurora', 'order', 'refused', 100, 4, 10, now()), (${hour}, 'aurora', 'order', 'unknown', 100, 1, 10, now())`);
  assert.deepEqual(await supplierHealth.byHour(db, hour, hourOf(-1)), [{ hour, measured: 5, failed: 1 }]);
});

suite('incidents', () => {
  const input = { title: 'Slow <answers>', text: 'We are\nlooking.', impact: 'major', parts: 'suppliers,api' };

  test('an incident is on the page at once, as text; it ends when it is resolved, and can be opened again', async () => {
    const kim = await signedInOperator(t, 'support');
    const made = (await runAs(kim, 'incident write', input)).body.result;
    assert.deepEqual([made.parts, made.version, made.status], [['api', 'suppliers'], '1', 'investigating']);
    const text = await page();
    assert.match(text, /There is a major problem\./);
    assert.match(text, /<h3>Slow &#60;answers&#62;<\/h3>/);
    const id = String(made.incident_id);
    await runAs(kim, 'incident update', { id, text: 'Found.', status: 'identified', version: '1' });
    const over = (await runAs(kim, 'incident resolve', { id, text: 'Over.', version: '2' })).body.result;
    assert.equal(over.updates.length, 3);
    assert.ok(over.resolved_at);
    assert.doesNotMatch(await page(), /There is a major problem\./);
    await runAs(kim, 'incident update', { id, text: 'It is back.', status: 'investigating', version: '3' });
    assert.match(await page(), /There is a major problem\./);
    await runAs(kim, 'incident resolve', { id, text: 'Over again.', version: '4' });
  });

  test('of two edits of the same version one is refused, and nothing of it is published', async () => {
    const kim = await signedInOperator(t, 'support');
    const { incident_id } = (await runAs(kim, 'incident write', { ...input, impact: 'minor' })).body.result;
    const wish = { id: String(incident_id), text: 'Mine.', status: 'monitoring', version: '1' };
    const answers = await Promise.all([runAs(kim, 'incident update', wish), runAs(kim, 'incident update', wish)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await runAs(kim, 'incident update', { ...wish, version: '' })).status, 400);
    assert.equal((await run(t.operator(), `incident show ${incident_id}`)).updates.length, 2);
  });

  test('each is in the audit log under the name of who wrote it', async () => {
    const kim = await signedInOperator(t, 'admin');
    await runAs(kim, 'incident write', input);
    const entry = await db.one<{ who: string; what: string }>(sql`
      select who, what from audit_log order by id desc limit 1`);
    assert.deepEqual(entry, { who: `operator:${kim.email}`, what: 'incident write' });
  });

  test('only those who support partners may write, only from our own pages, and never without signing in', async () => {
    const count = async () => (await db.query(sql`select from ${raw('incidents')}`)).length;
    const before = await count();
    for (const role of ['read-only', 'finance'] as const) {
      const who = await signedInOperator(t, role);
      assert.equal((await runAs(who, 'incident write', input)).status, 403, role);
      assert.equal((await who.get('/operator/api/incidents')).status, 200, role);
    }
    const kim = await signedInOperator(t, 'support');
    const foreign = await kim.post(
      '/operator/api/run/incident/write',
      { input },
      { headers: { origin: 'https://evil.test' } },
    );
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'cross_origin']);
    assert.equal((await runAs(browser(t), 'incident write', input)).status, 401);
    assert.equal(await count(), before);
  });

  test('what is too long, empty, or about no part of the service is refused', async () => {
    const kim = await signedInOperator(t, 'support');
    for (const wrong of [{ title: 'x'.repeat(121) }, { text: '  ' }, { parts: 'moon' }, { impact: 'huge' }])
      assert.equal((await runAs(kim, 'incident write', { ...input, ...wrong })).status, 400, JSON.stringify(wrong));
    assert.equal((await runAs(kim, 'incident resolve', { id: '999999', text: 'Over.', version: '1' })).status, 404);
  });
});

test('while the database is away the page is there and says so', async () => {
  await using alone = await testApp({ role: 'panel' });
  await alone.base.db.run(sql`alter table service_hours rename to moved`);
  const { status, text } = await alone.get('/status', { host: 'panel', headers: { accept: 'text/html' } });
  assert.equal(status, 200);
  assert.match(text, /Our measurements cannot be read at the moment/);
});
