import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { newKey } from '../../../../src/domains/partners/keys/key-rows.ts';
import { MINUTE, SECOND } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { eventually, runTime } from '../../../support/eventually.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';

/** What processes write now and then for many requests at once: when keys were last used, the request log, its figures. */
const NOTES = [
  /^\s*with seen as.*update api_keys set\s+last_used_at/s,
  /insert into request_(log|figures)\b/,
  /^(begin|commit)$|^select set_config/,
];
const isNote = (text: string) => NOTES.some((note) => note.test(text));
const code = async (t: TestApp, key: string) => (await t.get('/account/balance', { key })).body.error ?? 'ok';

suite('queries', () => {
  test('a warm key passes every gate without a query; its use is recorded off the path, in one statement', async () => {
    await using t = await testApp({ role: 'api' });
    const key = await t.key(await t.partner(), 'live', { allowList: ['127.0.0.1', '::1'] });
    // The news that the key was made may come late; then it is looked up once more.
    await eventually('no call asks', async () => {
      using queries = watchQueries();
      for (let i = 0; i < 200; i++) assert.equal((await t.get('/catalog/countries', { key })).status, 200);
      for (const path of ['/nothing', '/account/nothing', '/webhook/test']) await t.get(path, { key });
      return queries.seen.every(isNote);
    });
  });

  test('an invented key, or one with a typing error, is refused without a query', async () => {
    await using t = await testApp({ role: 'api' });
    using queries = watchQueries();
    for (const key of [`esk_${'0'.repeat(40)}`, `esk_${'g'.repeat(40)}`, 'nonsense', `${newKey('live')}0`]) {
      assert.equal(await code(t, key), 'invalid_api_key');
    }
    assert.deepEqual(queries.seen, []);
    assert.equal(await code(t, newKey('live')), 'invalid_api_key');
    assert.equal(queries.seen.length, 1, 'a key that could be real is looked up');
  });

  test('a hundred first calls with one key ask once', async () => {
    await using t = await testApp({ role: 'api' });
    const partner = await t.partner();
    // What was asked before the news that a key was made is asked again after it.
    await eventually('one question', async () => {
      const key = await t.key(partner);
      using queries = watchQueries();
      await Promise.all(Array.from({ length: 100 }, () => t.get('/catalog/countries', { key })));
      return queries.seen.filter((text) => !isNote(text)).length === 1;
    });
  });

  test('last use: known to ten seconds, so a key in use is written once in that time', async () => {
    await using t = await testApp({ role: 'api' });
    t.clock.freeze();
    const key = await t.key(await t.partner());
    const used = async () =>
      (
        await t.base.db.query<{ at: Date | null }>(
          sql`select last_used_at as at from api_keys where last_used_at is not null`,
        )
      )[0]?.at;
    const usedAt = (at: number) => eventually('the use is written', async () => (await used())?.getTime() === at);
    const first = t.clock.now();
    await code(t, key);
    await usedAt(first);
    using queries = watchQueries();
    t.clock.advance(9 * SECOND);
    for (let i = 0; i < 50; i++) await code(t, key);
    t.clock.advance(1 * SECOND);
    await code(t, key);
    await usedAt(first + 10 * SECOND);
    assert.equal(queries.seen.filter((text) => /update api_keys set/.test(text)).length, 1);
  });

  test('last use: two processes recording the same keys at the same time lose none and refuse none', async () => {
    await using t = await testApp();
    await using other = await t.another();
    const partner = await t.partner();
    const keys = await Promise.all(Array.from({ length: 5 }, () => t.key(partner)));
    await Promise.all([t, other].flatMap((app) => [...keys, ...keys.toReversed()].map((key) => code(app, key))));
    const unused = sql`select id from api_keys where last_used_at is null`;
    await eventually('every use is recorded', async () => (await t.base.db.query(unused)).length === 0);
    assert.deepEqual(
      [...t.logged, ...other.logged].filter((line) => line.includes('could not be recorded')),
      [],
    );
  });
});

/** Makes the change in one process and waits until the other answers accordingly: a second at most. */
async function seenWithinASecond(other: TestApp, key: string, expected: string, change: () => Promise<unknown>) {
  await code(other, key);
  await change();
  using run = runTime();
  while ((await code(other, key)) !== expected) assert.ok(run.ms < 1_000, `${expected} not seen within a second`);
}

const cut = (t: TestApp) =>
  t.base.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'wayfare listen'`);

suite('a change in one process is seen by another within a second', () => {
  const changes: Record<string, { line: (keyId: number, partner: number) => string; before: string; after: string }> = {
    'a revoked key': { line: (id) => `key revoke ${id}`, before: 'ok', after: 'invalid_api_key' },
    'an allow-list': { line: (id) => `key set ${id} --allow 192.0.2.1`, before: 'ok', after: 'ip_not_allowed' },
    'an allow-list taken away': { line: (id) => `key set ${id} --allow any`, before: 'ip_not_allowed', after: 'ok' },
    'an expiry': {
      line: (id) => `key set ${id} --expires-at 2020-01-01T00:00:00Z`,
      before: 'ok',
      after: 'invalid_api_key',
    },
    'a partner disabled': {
      line: (_, p) => `partner set ${p} --disabled true`,
      before: 'ok',
      after: 'partner_disabled',
    },
    'a partner enabled': {
      line: (_, p) => `partner set ${p} --disabled false`,
      before: 'partner_disabled',
      after: 'ok',
    },
    'a partner deleted': { line: (_, p) => `partner delete ${p}`, before: 'ok', after: 'partner_not_found' },
  };
  const setUp: Record<string, string> = {
    ip_not_allowed: 'key set KEY --allow 192.0.2.1',
    partner_disabled: 'partner set PARTNER --disabled true',
  };

  for (const how of ['with notifications', 'just after the notification connection was cut'] as const) {
    test(how, async (context) => {
      await using t = await testApp();
      await using other = await t.another();
      for (const [what, { line, before, after }] of Object.entries(changes)) {
        await context.test(what, async () => {
          const partner = await t.partner();
          const { key, key_id } = await run(t.operator(), `key create --partner ${partner} --mode live`);
          const words = setUp[before]?.replace('KEY', key_id).replace('PARTNER', String(partner));
          if (words) await run(t.operator(), words);
          await eventually(`it is ${before} before`, async () => (await code(other, key)) === before);
          if (how !== 'with notifications') await cut(t);
          await seenWithinASecond(other, key, after, () => run(t.operator(), line(key_id, partner)));
        });
      }
    });
  }

  test('while the notification connection cannot come back: nothing is trusted from memory', async () => {
    // Without jobs, which would need the only connections that are left.
    await using t = await testApp({ role: 'api' });
    await using other = await t.another();
    const partner = await t.partner();
    const [kept, revoked] = [
      await t.key(partner),
      await run(t.operator(), `key create --partner ${partner} --mode live`),
    ];
    assert.deepEqual([await code(other, kept), await code(other, revoked.key)], ['ok', 'ok']);
    const admin = new pg.Client({ connectionString: t.base.url.replace(/\/test_\w+/, '/postgres') });
    await admin.connect();
    const name = /\/(test_\w+)/.exec(t.base.url)?.[1];
    try {
      await admin.query(`alter database ${name} allow_connections false`);
      await cut(t);
      await seenWithinASecond(other, revoked.key, 'invalid_api_key', () =>
        run(t.operator(), `key revoke ${revoked.key_id}`),
      );
      assert.equal(await asksForKept(), true, 'asked again, although it is known');
    } finally {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
    }
    await eventually('memory is trusted again', async () => !(await asksForKept()));
    assert.equal(await code(other, revoked.key), 'invalid_api_key', 'what was missed meanwhile is not in it');

    async function asksForKept(): Promise<boolean> {
      using queries = watchQueries();
      assert.equal(await code(other, kept), 'ok');
      return queries.seen.some((text) => text.includes('from api_keys k join'));
    }
  });

  test('a scheduled expiry needs no change at all: it is held against the time of the request', async () => {
    await using t = await testApp();
    const key = await t.key(await t.partner(), 'live', { expiresAt: new Date(t.clock.now() + MINUTE) });
    assert.equal(await code(t, key), 'ok');
    t.clock.advance(MINUTE);
    assert.equal(await code(t, key), 'invalid_api_key');
  });
});
