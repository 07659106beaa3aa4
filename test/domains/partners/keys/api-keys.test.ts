import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isWellFormed, newKey } from '../../../../src/domains/partners/keys/key-rows.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';

const create = (t: TestApp, partner: number, mode: string, more = '') =>
  run(t.operator(), `key create --partner ${partner} --mode ${mode}${more}`);
const limitReached = { code: 'key_limit_reached' };

suite('the form of a key', () => {
  test('esk_ or esk_test_ and 40 hex characters, 32 of chance and 8 that check them', () => {
    assert.match(newKey('live'), /^esk_[0-9a-f]{40}$/);
    assert.match(newKey('sandbox'), /^esk_test_[0-9a-f]{40}$/);
    assert.notEqual(newKey('live'), newKey('live'));
  });

  test('with one character changed anywhere it is not a key', () => {
    for (const key of [newKey('live'), newKey('sandbox')]) {
      assert.equal(isWellFormed(key), true);
      for (let at = 0; at < key.length; at++) {
        const other = key[at] === 'a' ? 'b' : 'a';
        assert.equal(isWellFormed(key.slice(0, at) + other + key.slice(at + 1)), false);
      }
    }
  });

  test('the checksum covers the prefix: a live key does not become a sandbox key', () => {
    assert.equal(isWellFormed(newKey('live').replace('esk_', 'esk_test_')), false);
  });
});

test('only a hash is stored: neither the key nor the random part of it appears in any column of the database', async () => {
  await using t = await testApp();
  const partner = await t.partner();
  const keys = [(await create(t, partner, 'live')).key, (await create(t, partner, 'sandbox')).key];
  for (const key of keys) await t.get('/account/balance', { key });
  const tables = await t.base.db.query<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('shared', 'live', 'sandbox')`);
  assert.ok(tables.length > 10);
  for (const key of keys) {
    const random = key.slice(-40, -8);
    const forms = [random, Buffer.from(random).toString('hex'), Buffer.from(random).toString('base64').slice(0, 40)];
    for (const { name } of tables) {
      for (const form of [...forms, Buffer.from(random, 'hex').toString('base64').slice(0, 20)]) {
        const { found } = await t.base.db.one<{ found: boolean }>(sql`
          select exists (select from ${raw(name)} as t where t::text like ${`%${form}%`}) as found`);
        assert.equal(found, false, name);
      }
    }
  }
});

suite('active keys per account: 5 live, 2 sandbox', () => {
  test('one more is refused in its own mode only, and another account is not concerned', async () => {
    await using t = await testApp();
    const partner = await t.partner();
    for (let i = 0; i < 2; i++) await create(t, partner, 'sandbox');
    await assert.rejects(create(t, partner, 'sandbox'), limitReached);
    for (let i = 0; i < 5; i++) await create(t, partner, 'live');
    await assert.rejects(create(t, partner, 'live'), limitReached);
    await create(t, await t.partner(), 'sandbox');
  });

  test('revoking frees a place, and so does expiry; an expired key brought back must fit again', async () => {
    await using t = await testApp();
    const partner = await t.partner();
    const first = await create(t, partner, 'sandbox');
    const second = await create(t, partner, 'sandbox');
    await run(t.operator(), `key revoke ${first.key_id}`);
    await create(t, partner, 'sandbox');
    await run(t.operator(), ['key', 'set', String(second.key_id), '--expires-at', '2020-01-01 00:00:00']);
    await create(t, partner, 'sandbox');
    await assert.rejects(run(t.operator(), `key set ${second.key_id} --expires-at never`), limitReached);
    const shown = await run(t.operator(), `key show ${second.key_id}`);
    assert.equal(shown.expires_at.getUTCFullYear(), 2020, 'the refused change left nothing');
  });

  test('ten at once: never more than allowed', async () => {
    await using t = await testApp();
    const partner = await t.partner();
    const made = await Promise.allSettled(Array.from({ length: 10 }, () => create(t, partner, 'live')));
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 5);
    const refusals = made.filter((outcome) => outcome.status === 'rejected');
    assert.deepEqual([...new Set(refusals.map(({ reason }) => reason.code))], ['key_limit_reached']);
    assert.equal((await run(t.operator(), `key list --partner ${partner}`)).length, 5);
  });
});
