import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { checkEvents, createSubscription } from '../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { recordProof } from '../../../src/domains/money/proof/proof.ts';
import { createSupplierFigures } from '../../../src/domains/supply/supply.ts';
import { listKinds, searchChanges } from '../../../src/platform/audit/audit-search.ts';
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../../src/platform/clock.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { createHeartbeat } from '../../../src/platform/jobs/processes.ts';
import { jobSuccesses } from '../../../src/platform/jobs/successes.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { browser, signedIn } from '../../support/program/panel.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';

const airalo = await fakeAiralo(systemClock);
const t = await testApp({
  role: 'panel',
  config: { airalo: { ...airalo.settings, url: airalo.url } },
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await airalo[Symbol.asyncDispose]();
});
const { db } = t.base;
const admin = await signedInOperator(t);
const reader = await signedInOperator(t, 'read-only');

/** It signs no one out. */
async function turn(ms: number): Promise<void> {
  t.clock.advance(ms);
  const now = t.clock.now();
  await db.run(sql`update staff_sessions set last_seen_at = ${new Date(now)}, expires_at = ${new Date(now + DAY)}`);
}

const ADDRESSES = [
  '/operator/api/suppliers',
  '/operator/api/suppliers/charges',
  '/operator/api/webhooks/dead',
  '/operator/api/webhooks/receivers',
  '/operator/api/webhooks/requeueable',
  '/operator/api/webhooks/stopped',
  '/operator/api/webhooks/slow',
  '/operator/api/audit',
  '/operator/api/audit.csv',
  '/operator/api/system',
  '/operator/api/system/database',
  '/operator/api/system/mail',
];

test('every role reads these pages; strangers and members of partners are refused alike', async () => {
  const member = await signedIn(t, await t.partner());
  for (const path of ADDRESSES) {
    assert.equal((await reader.get(path)).status, 200, path);
    const [stranger, other] = [await browser(t).get(path), await member.get(path)];
    assert.equal(stranger.status, 401, path);
    assert.equal(stranger.text, other.text, path);
  }
});

test('a filter that cannot be read is refused by its name', async () => {
  for (const [path, code] of [
    ['/operator/api/webhooks/dead?partner=x', 'invalid_partner'],
    ['/operator/api/webhooks/dead?event=order.lost', 'invalid_event'],
    ['/operator/api/webhooks/dead?from=yesterday', 'invalid_from'],
    ['/operator/api/webhooks/dead?before=12', 'invalid_before'],
    ['/operator/api/webhooks/slow?mode=both', 'invalid_mode'],
    ['/operator/api/audit?to=2026-02-30', 'invalid_to'],
    ['/operator/api/audit?before=-1', 'invalid_before'],
    ['/operator/api/system/mail?status=lost', 'invalid_status'],
  ] as const) {
    const answer = await admin.get(path);
    assert.equal(answer.status, 400, path);
    assert.equal(answer.body.error.code, code);
  }
});

suite('processes', () => {
  const facts = { role: 'worker', version: '9.9.9', jobs: { sweep: 5 * SECOND }, supplierKinds: ['airalo'] };
  const seen = async () =>
    (await admin.get('/operator/api/system')).body.processes as { role: string; is_silent: boolean }[];
  const workers = async () => (await seen()).filter(({ role }) => role === 'worker');

  test('the process that answers is listed with its role', async () => {
    assert.ok((await seen()).some(({ role }) => role === 'panel'));
  });

  test('one that stops is gone at once; one that is killed goes silent, and is forgotten after a day', async () => {
    const stopping = createHeartbeat(t.base, facts, () => []);
    const killed = createHeartbeat(t.base, facts, () => []);
    await Promise.all([stopping.beat(), killed.beat()]);
    assert.equal((await workers()).length, 2);
    await stopping.end();
    await stopping.beat();
    assert.deepEqual(
      (await workers()).map(({ is_silent }) => is_silent),
      [false],
    );
    await turn(40 * SECOND);
    assert.deepEqual(
      (await workers()).map(({ is_silent }) => is_silent),
      [true],
    );
    await killed.beat();
    assert.deepEqual(
      (await workers()).map(({ is_silent }) => is_silent),
      [false],
      'it was only slow',
    );
    await turn(DAY + MINUTE);
    const other = createHeartbeat(t.base, { ...facts, role: 'api' }, () => []);
    await other.beat();
    assert.deepEqual(await workers(), []);
    await other.end();
  });

  test('a beat that cannot be written is tried again with the next one', async () => {
    const warned: unknown[] = [];
    const away = { run: () => Promise.reject(new Error('the database is away')) } as never;
    const heartbeat = createHeartbeat(
      { db: away, clock: t.clock, log: { warn: (...said: unknown[]) => void warned.push(said) } as never },
      facts,
      () => [],
    );
    await heartbeat.beat();
    await heartbeat.beat();
    await heartbeat.end();
    assert.equal(warned.length, 2);
  });
});

suite('jobs', () => {
  test('each has its last success and its last failure with the reason, also while no process runs it', async () => {
    const worker = createHeartbeat(
      t.base,
      { role: 'worker', version: '1', jobs: { sweep: 5 * SECOND, dust: HOUR, idle: SECOND }, supplierKinds: [] },
      () => [],
    );
    await worker.beat();
    const records = jobSuccesses(db, t.clock);
    records.note('sweep');
    records.note('dust');
    records.note('an earlier one');
    await records.job.run(AbortSignal.abort());
    await turn(SECOND);
    records.noteFailure('sweep', new Error('the broom broke'));
    await records.job.run(AbortSignal.abort());
    const stateOf = async (name: string) =>
      (await admin.get('/operator/api/system')).body.jobs.find(({ job }: { job: string }) => job === name);
    const sweep = await stateOf('sweep');
    assert.deepEqual([sweep.state, sweep.error, sweep.every_ms], ['failing', 'the broom broke', 5 * SECOND]);
    assert.ok(sweep.failed_at > sweep.succeeded_at);
    assert.equal((await stateOf('dust')).state, 'ok');
    assert.equal((await stateOf('idle')).state, 'new');
    assert.equal((await stateOf('an earlier one')).state, 'not run');
    records.note('sweep');
    await records.job.run(AbortSignal.abort());
    assert.equal((await stateOf('sweep')).state, 'ok');
    await turn(10 * MINUTE);
    await worker.beat();
    assert.equal((await stateOf('sweep')).state, 'late');
    assert.equal((await stateOf('dust')).state, 'ok');
    await worker.end();
    assert.equal((await stateOf('sweep')).state, 'not run');
  });

  test('what could not be written is written the next time', async () => {
    const away = { run: () => Promise.reject(new Error('away')) } as never;
    let target = away;
    const records = jobSuccesses({ run: (statement: never) => (target as typeof db).run(statement) } as never, t.clock);
    records.note('patient');
    await assert.rejects(records.job.run(AbortSignal.abort()));
    target = db as never;
    await records.job.run(AbortSignal.abort());
    const { jobs } = (await admin.get('/operator/api/system')).body;
    assert.ok(jobs.find(({ job }: { job: string }) => job === 'patient').succeeded_at);
  });
});

suite('suppliers', () => {
  const shown = async (slug: string) =>
    (await admin.get('/operator/api/suppliers')).body.suppliers.find(
      ({ supplier }: { supplier: string }) => supplier === slug,
    );

  test('figures of calls are those of all processes, by hour and day', async () => {
    const [one, two] = [0, 1].map(() => createSupplierFigures(db, t.clock, t.base.log));
    one?.count(0.2, 'figures-of', 'order', 'delivered');
    one?.count(8.5, 'figures-of', 'order', 'unknown');
    await one?.flush();
    await turn(2 * HOUR);
    for (const _ of [1, 2, 3]) two?.count(0.05, 'figures-of', 'find', 'absent');
    two?.count(3, 'figures-of', 'order', 'refused');
    await Promise.all([two?.flush(), one?.flush()]);
    await db.run(sql`
      insert into suppliers (slug, title, kind) values ('figures-of', 'Figures', 'simulated') on conflict do nothing`);
    const it = await shown('figures-of');
    assert.deepEqual(it.hour, { calls: 4, failed: 0, refused: 1, average_ms: 788, median_ms: 100, p95_ms: 4000 });
    assert.deepEqual(it.day, { calls: 6, failed: 1, refused: 1, average_ms: 1975, median_ms: 100, p95_ms: 15000 });
    assert.deepEqual(
      it.calls.map(({ call, calls }: { call: string; calls: number }) => [call, calls]),
      [
        ['find', 3],
        ['order', 3],
      ],
    );
    assert.equal(it.reach, 'answers');
    two?.count(10, 'figures-of', 'order', 'unavailable');
    await turn(SECOND);
    await two?.flush();
    two?.count(10, 'figures-of', 'order', 'unavailable');
    await two?.flush();
    assert.deepEqual(
      [(await shown('figures-of')).reach, (await shown('figures-of')).last_failed_call],
      ['fails', 'order'],
    );
    await turn(DAY + HOUR);
    const later = await shown('figures-of');
    assert.deepEqual([later.reach, later.day.calls, later.day.p95_ms], ['unknown', 0, null]);
  });

  test('the heartbeat of each process reports its breaker and settings', async () => {
    const facts = { role: 'api', version: '1', jobs: {}, supplierKinds: ['simulated'] };
    const open = createHeartbeat(t.base, facts, () => ['figures-of']);
    const closed = createHeartbeat(t.base, facts, () => []);
    await Promise.all([open.beat(), closed.beat()]);
    const it = await shown('figures-of');
    assert.equal(it.breaker_open_in, 1);
    assert.equal(it.configured_in, 2);
    await turn(HOUR);
    assert.equal((await shown('figures-of')).breaker_open_in, 0, 'a silent process says nothing about now');
    await Promise.all([open.end(), closed.end()]);
  });

  test('supplier test reads the balance, orders nothing, and is in the audit log', async () => {
    airalo.state.balance = '250.5';
    const tested = await runAs(admin, 'supplier test', { supplier: 'airalo' });
    assert.equal(tested.status, 200, tested.text);
    assert.deepEqual(
      [tested.body.result.ok, tested.body.result.call, tested.body.result.balance],
      [true, 'balance', '250.500000'],
    );
    assert.ok(!tested.text.includes(airalo.settings.clientSecret));
    await t.base.supplierFigures.flush();
    assert.equal((await shown('airalo')).reach, 'answers');
    const [entry] = (await admin.get('/operator/api/audit?target=supplier%20airalo')).body.entries;
    assert.deepEqual([entry.what, entry.who], ['supplier test', `operator:${admin.email}`]);
  });

  test('supplier test reports a failure as a result, and refuses operators without the permission and unknown suppliers', async () => {
    const failed = await runAs(admin, 'supplier test', { supplier: 'nowhere' });
    assert.equal(failed.body.error.code, 'supplier_not_found');
    const unset = await runAs(admin, 'supplier test', { supplier: 'esim-access' });
    assert.equal(unset.body.error.code, 'supplier_not_found');
    assert.equal((await runAs(reader, 'supplier test', { supplier: 'airalo' })).body.error.code, 'role_forbids');
    const simulated = await runAs(admin, 'supplier test', { supplier: 'figures-of' });
    assert.deepEqual([simulated.body.result.ok, simulated.body.result.call], [true, 'look-up'], simulated.text);
  });
});

suite('webhooks', async () => {
  const world = t.base.worlds.live;
  const now = () => new Date(t.clock.now());
  async function subscription(partnerId: number, url: string): Promise<bigint> {
    const made = await world.db.tx((tx) =>
      createSubscription(tx, t.base.vault, { partnerId, url, events: checkEvents([]) }, t.clock.now()),
    );
    return made.subscriptionId;
  }
  const letter = (partnerId: number, id: bigint, event: string, diedAt: Date, body: Buffer | null = Buffer.from('x')) =>
    world.db.one<{ id: bigint }>(sql`
      insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, attempts, max_attempts,
        http_code, error, created_at, died_at, body)
      values (${partnerId}, ${id}, 1, ${`${event}:1:1`}, ${event}, 'dead', 5, 5, 500, 'no', ${diedAt}, ${diedAt}, ${body})
      returning id`);
  const ids = (letters: { id: string }[]) => letters.map(({ id }) => id);
  const dead = async (query: string) => (await admin.get(`/operator/api/webhooks/dead?${query}`)).body;
  const [alpha, beta] = [await t.partner({ name: 'Alpha' }), await t.partner({ name: 'Beta' })];
  const a = await subscription(alpha, 'https://a.example/hook?token=1');
  const b = await subscription(beta, 'https://b.example:8443/hook');
  const start = t.clock.now();
  const letters: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const { id } = await letter(
      i % 2 ? alpha : beta,
      i % 2 ? a : b,
      i % 3 ? 'order.paid' : 'order.delivered',
      new Date(start - i * HOUR),
    );
    letters.push(String(id));
  }
  const of = (wanted: (i: number) => boolean) => letters.filter((_, i) => wanted(i));

  test('dead letters by partner, receiver, event and time, the latest first, page by page', async () => {
    for (const [query, wanted] of [
      ['', () => true],
      [`partner=${alpha}`, (i) => i % 2 === 1],
      ['receiver=B.example:8443', (i) => i % 2 === 0],
      ['event=order.delivered', (i) => i % 3 === 0],
      [`event=order.delivered&partner=${alpha}`, (i) => i % 3 === 0 && i % 2 === 1],
      ['receiver=nobody.example', () => false],
    ] as [string, (i: number) => boolean][]) {
      const first = await dead(query);
      const next = first.has_more ? await dead(`${query}&before=${first.letters.at(-1).place}`) : { letters: [] };
      assert.deepEqual([...ids(first.letters), ...ids(next.letters)], of(wanted), query);
    }
    const page = await dead('limit=7');
    assert.deepEqual([ids(page.letters), page.has_more], [letters.slice(0, 7), true]);
    const minute = (at: number) => new Date(at).toISOString().slice(0, 16);
    const [from, to] = [start - 20 * HOUR, start - 10 * HOUR];
    const span = `from=${minute(from)}&to=${minute(to)}`;
    const inSpan = (i: number) =>
      start - i * HOUR >= Date.parse(`${minute(from)}Z`) && start - i * HOUR < Date.parse(`${minute(to)}Z`);
    assert.deepEqual(ids((await dead(span)).letters), of(inSpan));
    assert.deepEqual(
      ids((await dead(`${span}&partner=${beta}`)).letters),
      of((i) => inSpan(i) && i % 2 === 0),
    );
    assert.deepEqual((await dead('mode=sandbox')).letters, []);
  });

  test('they are counted by receiver', async () => {
    const { receivers } = (await admin.get('/operator/api/webhooks/receivers?event=order.paid')).body;
    assert.deepEqual(
      receivers.map(({ receiver, dead: number, has_more, subscriptions }: Record<string, unknown>) => [
        receiver,
        number,
        has_more,
        (subscriptions as { partner: string }[]).map(({ partner }) => partner),
      ]),
      [
        ['a.example', 20, false, ['Alpha']],
        ['b.example:8443', 20, false, ['Beta']],
      ],
    );
    assert.equal(receivers[0].latest_http_status, 500);
  });

  test('what a filter means is counted and then sent again, but not what cannot be sent', async () => {
    await letter(alpha, a, 'order.paid', now(), null);
    const closed = await t.partner({ name: 'Closed' });
    const c = await subscription(closed, 'https://c.example/hook');
    await letter(closed, c, 'order.paid', now());
    await db.run(sql`update partners set deleted_at = now() where id = ${closed}`);
    const count = async (query: string) => (await admin.get(`/operator/api/webhooks/requeueable?${query}`)).body;
    assert.deepEqual(await count(`partner=${alpha}&event=order.delivered`), { count: 10, left: false, most: 5000 });
    assert.equal((await count('')).count, 60);
    assert.equal((await count('receiver=c.example')).count, 0);
    const input = { mode: 'live', partner: String(alpha), event: 'order.delivered' };
    assert.equal((await runAs(reader, 'webhook requeue', input)).body.error.code, 'role_forbids');
    const done = await runAs(admin, 'webhook requeue', input);
    assert.deepEqual(done.body.result, { requeued: 10, left: false });
    assert.deepEqual((await runAs(admin, 'webhook requeue', input)).body.result, { requeued: 0, left: false });
    assert.equal((await count('')).count, 50);
    const { queued } = await world.db.one<{ queued: number }>(sql`
      select count(*)::int as queued from webhook_queue where subscription_id = ${a}`);
    assert.equal(queued, 10);
    const [entry] = (await admin.get('/operator/api/audit?what=webhook%20requeue')).body.entries;
    assert.equal(entry.target, 'dead letters in live');
    assert.ok(entry.changes.includes('requeued: - → 10'), entry.changes.join());
    for (const wrong of [{ mode: 'live', subscription: String(a) }, { partner: '1' }, {}])
      assert.equal((await runAs(admin, 'webhook requeue', wrong as never)).status, 400);
  });

  test('paused and disabled subscriptions with what they hold, resumed with or without it', async () => {
    await runAs(admin, 'webhook pause', { id: String(a) });
    const stopped = async () => (await admin.get('/operator/api/webhooks/stopped')).body.subscriptions;
    const [one] = await stopped();
    assert.deepEqual(
      [one.id, one.partner, one.status, one.held, one.has_more_held],
      [String(a), 'Alpha', 2, 10, false],
    );
    await world.db.run(sql`update webhook_subscriptions set status = 3 where id = ${a}`);
    assert.equal(Date.parse((await stopped())[0].next_try_at) - Date.parse(one.since), MINUTE, 'tried again by itself');
    await turn(10 * MINUTE);
    assert.equal((await runAs(admin, 'webhook resume', { id: String(a), discard: true })).status, 200);
    assert.deepEqual(await stopped(), []);
    const { left } = await world.db.one<{ left: number }>(sql`
      select count(*)::int as left from webhook_queue where subscription_id = ${a}`);
    assert.equal(left, 0);
  });

  test('receivers that take long are listed with their times, from the attempts of the last day', async () => {
    const attempt = (id: string, durationMs: number, at: Date) =>
      world.db.run(sql`
        insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, http_code, error, response_headers,
          response_body) values (${BigInt(id)}, 1, ${at}, ${durationMs}, 500, '', '', '')`);
    for (const [i, id] of of((i) => i % 2 === 0).entries()) await attempt(id, i < 5 ? 4_000 : 30, now());
    for (const id of of((i) => i % 2 === 1)) await attempt(id, 9_000, new Date(t.clock.now() - 2 * DAY));
    const { receivers } = (await admin.get('/operator/api/webhooks/slow')).body;
    assert.equal(receivers.length, 1);
    const { subscription_id, attempts, median_ms, p95_ms } = receivers[0];
    assert.deepEqual([subscription_id, attempts, median_ms, p95_ms], [String(b), 30, 30, 4_000]);
  });
});

suite('the audit log', () => {
  const list = async (query: string) => (await admin.get(`/operator/api/audit?${query}`)).body;
  const write = (entry: { who: string; what: string; target: string; at: Date; before?: unknown; after?: unknown }) =>
    db.one<{ id: bigint }>(sql`
      insert into audit_log (who, what, target, at, before, after)
      values (${entry.who}, ${entry.what}, ${entry.target}, ${entry.at}, ${JSON.stringify(entry.before ?? null)}::jsonb,
        ${JSON.stringify(entry.after ?? null)}::jsonb) returning id`);

  test('by person, thing, kind and time, page by page; an address finds the person wherever they worked', async () => {
    const start = Date.parse('2031-01-01T00:00:00Z');
    const written: { id: string; i: number }[] = [];
    for (let i = 0; i < 70; i += 1) {
      const { id } = await write({
        who: i % 2 ? 'operator:ann@audit.example' : 'member:ann@audit.example',
        what: i % 5 ? 'test change' : 'test other',
        target: `thing ${i % 3}`,
        at: new Date(start + i * MINUTE),
      });
      written.unshift({ id: String(id), i });
    }
    const of = (wanted: (i: number) => boolean) => written.filter(({ i }) => wanted(i)).map(({ id }) => id);
    const who = (name: string) => `who=${encodeURIComponent(name)}`;
    for (const [query, wanted] of [
      [who('ann@audit.example'), () => true],
      [who('operator:ann@audit.example'), (i) => i % 2 === 1],
      ['what=test%20other', (i) => i % 5 === 0],
      [`what=test%20other&${who('member:ann@audit.example')}`, (i) => i % 10 === 0],
      [`target=thing%201&${who('ann@audit.example')}`, (i) => i % 3 === 1],
      ['target=thing%201&what=test%20change', (i) => i % 3 === 1 && i % 5 !== 0],
      ['from=2031-01-01T00:10&to=2031-01-01T00:20', (i) => i >= 10 && i < 20],
      [`what=test%20change&from=2031-01-01T01:00`, (i) => i >= 60 && i % 5 !== 0],
      [who('nobody@audit.example'), () => false],
    ] as [string, (i: number) => boolean][]) {
      const first = await list(query);
      const next = first.has_more ? await list(`${query}&before=${first.entries.at(-1).id}`) : { entries: [] };
      const shown = [...first.entries, ...next.entries].map(({ id }: { id: string }) => id);
      assert.deepEqual(shown, of(wanted), query);
    }
    const long = await list(`${who('ann@audit.example')}&limit=60`);
    assert.deepEqual([long.entries.length, long.has_more], [60, true]);
    assert.ok((await list('')).kinds.includes('test other'));
  });

  test('differences show before and after; what could be a secret is hidden wherever it is', async () => {
    const password = 'hunter2hunter2';
    await write({
      who: 'operator:eve@audit.example',
      what: 'test secret',
      target: 'thing 9',
      at: new Date(t.clock.now()),
      before: { suspended: false, secret_mask: 'whsec_…1234' },
      after: { suspended: true, secret_mask: 'whsec_…1234', secret: password, inner: [{ password_hash: password }] },
    });
    const page = await admin.get('/operator/api/audit?what=test%20secret');
    assert.ok(page.body.entries[0].changes.includes('suspended: false → true'));
    const file = await admin.get('/operator/api/audit.csv?what=test%20secret');
    assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(file.text, /suspended: false → true/);
    assert.doesNotMatch(page.text + file.text, new RegExp(password));
  });

  test('no filter reads more than its own rows, however long the log is', async () => {
    await db.run(sql`
      insert into audit_log (who, what, target, at)
      select 'script', case when n % 1000 = 0 then 'rare' else 'common' end, 'thing ' || n % 100,
        timestamptz '2032-01-01' + n * interval '1 second' from generate_series(1, 60000) as n`);
    await db.run(sql`analyze audit_log`);
    const { explain } = await import('../../support/database/measured-plan.ts');
    const at = new Date('2032-01-01T06:00:00Z');
    for (const search of [
      { what: 'rare' },
      { what: 'common' },
      { who: ['script'] },
      { who: ['script'], what: 'rare' },
      { who: ['operator:ann@audit.example'], what: 'common' },
      { target: 'thing 7' },
      { what: 'rare', until: at },
      {},
    ]) {
      const { rowsRead, steps } = await explain(db, (ask) => searchChanges(ask, search, { limit: 51 }));
      assert.ok(rowsRead <= 700, `${JSON.stringify(search)} reads ${rowsRead}\n${steps.join('\n')}`);
    }
    // By time alone it also reads the hour in which ids and times may disagree.
    const byTime = await explain(db, (ask) => searchChanges(ask, { until: at }, { limit: 51 }));
    assert.ok(byTime.rowsRead <= 3_600 + 700, byTime.steps.join('\n'));
    const kinds = await explain(db, (ask) => listKinds(ask));
    assert.ok(kinds.rowsRead <= 200, kinds.steps.join('\n'));
  });
});

test('system reports version, schema, size and mail', async () => {
  const system = (await admin.get('/operator/api/system')).body;
  assert.match(system.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual([system.schema.pending, system.schema.unknown], [[], []]);
  assert.ok(system.schema.applied > 50 && system.schema.latest.length === 5);
  const database = (await admin.get('/operator/api/system/database')).body;
  assert.ok(database.bytes > 1_000_000 && database.tables.length > 5 && database.figures.length > 5);
  // The test's database is a copy, of which the server has no statistics: no number is better than a wrong one.
  for (const { table, rows } of database.tables)
    if (rows === 0)
      assert.deepEqual(await db.query(sql`select 1 from ${raw(table)} limit 1`), [], `${table} is said to be empty`);
  const mail = (await admin.get('/operator/api/system/mail')).body;
  assert.deepEqual([mail.is_on, mail.mails], [false, []]);
  assert.equal((await runAs(admin, 'mail test', { address: 'a@example.com' })).body.error.code, 'mail_off');
});

test('system says when the ledger was proved as its own page does, and never before it was', async () => {
  const seen = async () => {
    const { body: system } = await admin.get('/operator/api/system/database');
    const { body: ledger } = await admin.get('/operator/api/money/proofs');
    return {
      gauges: system.figures.map(({ gauge }: { gauge: string }) => gauge),
      proved: system.proved,
      last: ledger.last,
    };
  };
  const before = await seen();
  assert.deepEqual([before.proved, before.last], [null, null]);
  // Made for an alert: before the first proof it is the age of the installation.
  assert.ok(!before.gauges.some((gauge: string) => /^(ledger|stock)_/.test(gauge)), before.gauges.join());
  const finishedAt = new Date(t.clock.now());
  await recordProof(db, { by: 'cli', startedAt: finishedAt, finishedAt, result: { ok: false } });
  const after = await seen();
  assert.deepEqual(after.proved, { at: finishedAt.toISOString(), ok: false });
  assert.equal(after.last.finished_at, after.proved.at);
});
