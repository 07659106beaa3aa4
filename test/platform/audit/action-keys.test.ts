import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { findCommand, parseCommand, runOnce, takeKey } from '../../../src/entry/cli/cli.ts';
import { wordsOf } from '../../../src/entry/cli/help.ts';
import { type KeyedAction, once, pruneActionKeys, type Steps } from '../../../src/platform/audit/action-keys.ts';
import { type Author, change } from '../../../src/platform/audit/audit-log.ts';
import { DAY, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { Refused } from '../../../src/platform/contract/refused.ts';
import { raw, sql } from '../../../src/platform/db/query/sql.ts';
import { resealAll } from '../../../src/platform/vault/secret-rotation.ts';
import { openVault } from '../../../src/platform/vault/secrets.ts';
import { keptText } from '../../support/browser/twice.ts';
import { watchQueries } from '../../support/database/queries.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { signedInAs } from '../../support/program/panel.ts';
import { until } from '../../support/servers/receiver.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { base } = t;
const { db } = base;
const elsewhere = await t.another();
after(() => elsewhere[Symbol.asyncDispose]());

const asked = (more: Partial<KeyedAction> = {}): KeyedAction => ({
  scope: 'member:7',
  key: randomUUID(),
  action: 'test',
  args: {},
  isMoney: false,
  ...more,
});
let made = 0;
/** One change, with what a result can be made of. */
const note = (steps: Steps, target: string) =>
  change({ db, who: 'test', steps } satisfies Author, 'mail test', () => ({
    target,
    result: { n: ++made, at: new Date(1e12), id: 7n, bytes: Buffer.from('x'), none: undefined, list: [null] },
  }));
const entries = async (target: string) =>
  (await db.query(sql`select 1 from audit_log where target = ${target}`)).length;
const keyRows = async (key: string) => (await db.query(sql`select step from action_keys where key = ${key}`)).length;

test('a process killed after its change: the repeat answers what was done, and does the rest', async () => {
  const wish = asked();
  const began = Promise.withResolvers<unknown>();
  // It never ends: as far as the database knows, the process has died.
  void once(base, wish, async (steps) => {
    began.resolve(await note(steps, 'killed 1'));
    return new Promise(() => {});
  });
  const first = await began.promise;
  t.clock.advance(31 * SECOND);
  const answer = await once(elsewhere.base, wish, async (steps) => [
    await note(steps, 'killed 1'),
    await note(steps, 'killed 2'),
  ]);
  assert.deepEqual(answer[0], first);
  assert.deepEqual([await entries('killed 1'), await entries('killed 2')], [1, 1]);
  assert.deepEqual(await once(elsewhere.base, wish, () => assert.fail('it is answered')), answer);
});

test('two processes that both think they own a key make each step once', async () => {
  const wish = asked();
  const held = Promise.withResolvers<void>();
  const slow = once(base, wish, async (steps) => {
    await held.promise;
    return note(steps, 'owned twice');
  });
  // The claim is made before the clock is turned.
  while ((await keyRows(wish.key)) === 0);
  t.clock.advance(31 * SECOND);
  const quick = await once(elsewhere.base, wish, (steps) => note(steps, 'owned twice'));
  held.resolve();
  assert.deepEqual(await slow, quick);
  assert.equal(await entries('owned twice'), 1);
});

test('a process killed after it made a secret: the repeat learns that it exists, and makes no other', async () => {
  const wish = asked();
  const began = Promise.withResolvers<void>();
  const secret = (steps: Steps) =>
    change({ db, who: 'test', steps } satisfies Author, 'mail test', () => ({
      target: 'secret',
      result: 'a secret',
      shownOnce: 'it was made',
    }));
  void once(base, wish, async (steps) => {
    await secret(steps);
    began.resolve();
    return new Promise(() => {});
  });
  await began.promise;
  t.clock.advance(31 * SECOND);
  for (const again of [1, 2])
    await assert.rejects(
      once(elsewhere.base, wish, secret),
      { code: 'shown_once', message: 'it was made' },
      `${again}`,
    );
  assert.equal(await entries('secret'), 1);
  for (const { sealed } of await db.query<{ sealed: Buffer }>(
    sql`select sealed from action_keys where key = ${wish.key}`,
  ))
    assert.ok(!keptText(t, sealed).includes('a secret'));
});

test('repeats of what this process runs wait without a query, a few for each person, and all get its answer', async () => {
  const wish = asked();
  const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once(base, wish, async () => {
    began.resolve();
    await held.promise;
    return 'done';
  });
  await began.promise;
  const again = (more: Partial<KeyedAction> = {}) =>
    once(base, { ...wish, ...more }, () => assert.fail('it runs once'));
  using queries = watchQueries();
  const waiting = Array.from({ length: 8 }, () => again());
  for (let more = 0; more < 900; more += 1) await assert.rejects(again(), { code: 'too_many_attempts', status: 429 });
  await assert.rejects(again(), { code: 'too_many_attempts' }, 'for each of their keys');
  assert.deepEqual(
    queries.seen.filter((text) => text.includes('action_keys')),
    [],
  );
  assert.equal(
    await once(base, { ...wish, scope: 'member:8' }, async () => 'their own'),
    'their own',
    'another person',
  );
  assert.equal(await once(base, asked(), async () => 'another'), 'another', 'another key of this person');
  held.resolve();
  assert.deepEqual(
    await Promise.all([first, ...waiting]),
    Array.from({ length: 9 }, () => 'done'),
  );
});

test('while another process runs it, one request per process polls, however many wait', async () => {
  const wish = asked();
  const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once(elsewhere.base, wish, async () => {
    began.resolve();
    await held.promise;
    return 'done';
  });
  await began.promise;
  using queries = watchQueries();
  const looks = () => queries.seen.filter((text) => text.includes('insert into shared.action_keys')).length;
  const since = performance.now();
  const waiting = Array.from({ length: 9 }, () => once(base, wish, () => assert.fail('it runs once')));
  const many = Array.from({ length: 100 }, () =>
    once(base, wish, () => assert.fail('it runs once')).catch(({ code }) => code),
  );
  assert.deepEqual(new Set(await Promise.all(many)), new Set(['too_many_attempts']));
  await until(() => looks() >= 5);
  const most = 2 + (performance.now() - since) / 50;
  assert.ok(looks() <= most, `${looks()} of at most ${most}`);
  held.resolve();
  assert.deepEqual(
    await Promise.all([first, ...waiting]),
    Array.from({ length: 10 }, () => 'done'),
  );
});

test('while one of their requests runs, other values under its key are refused at once', async () => {
  const wish = asked({ args: { amount: '1' } });
  const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once(base, wish, async () => {
    began.resolve();
    await held.promise;
    return 'done';
  });
  await began.promise;
  for (const { base: at } of [t, elsewhere])
    await assert.rejects(
      once(at, { ...wish, args: { amount: '2' } }, () => assert.fail('it runs once')),
      { code: 'action_key_reused' },
    );
  held.resolve();
  assert.equal(await first, 'done');
});

test('a refusal of the first lets one of those that wait go ahead', async () => {
  const wish = asked();
  const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once(base, wish, async () => {
    began.resolve();
    await held.promise;
    throw new Refused('provider_failed', 'because');
  });
  await began.promise;
  let runs = 0;
  const waiting = Array.from({ length: 8 }, () => once(base, wish, async () => ++runs));
  held.resolve();
  await assert.rejects(first, { code: 'provider_failed' });
  assert.deepEqual(
    await Promise.all(waiting),
    Array.from({ length: 8 }, () => 1),
  );
});

test('what failed half-way goes on behind the steps it has made, at once', async () => {
  const wish = asked();
  let isUp = false;
  const work = async (steps: Steps) => {
    const { n } = await note(steps, 'half-way');
    if (!isUp) throw new Refused('provider_failed', 'because');
    return n;
  };
  await assert.rejects(once(base, wish, work), { code: 'provider_failed' });
  isUp = true;
  await once(base, wish, work);
  assert.equal(await entries('half-way'), 1);
});

test('a refusal changes nothing and gives the key back: the corrected form uses it', async () => {
  const wish = asked({ args: { amount: '-1' } });
  const refuse = () => Promise.reject(new Refused('invalid_input', 'because'));
  await assert.rejects(once(base, wish, refuse), { code: 'invalid_input' });
  assert.equal(await keyRows(wish.key), 0);
  assert.equal(await once(base, { ...wish, args: { amount: '1' } }, async () => 'done'), 'done');
});

test('the same key with other values is refused; another person may have the same key', async () => {
  const wish = asked({ args: { amount: '1' } });
  await once(base, wish, async () => 'done');
  for (const other of [{ args: { amount: '2' } }, { action: 'another' }])
    await assert.rejects(
      once(base, { ...wish, ...other }, async () => 'done'),
      { code: 'action_key_reused' },
    );
  assert.equal(await once(base, { ...wish, scope: 'member:8' }, async () => 'their own'), 'their own');
});

test('keys about money are kept for good, others for a day', async () => {
  const [money, rest] = [asked({ isMoney: true }), asked()];
  for (const wish of [money, rest]) await once(base, wish, (steps) => note(steps, 'kept'));
  t.clock.advance(DAY - MINUTE);
  while ((await pruneActionKeys(db, t.clock.now())) > 0);
  assert.equal(await keyRows(rest.key), 2);
  t.clock.advance(2 * MINUTE);
  while ((await pruneActionKeys(db, t.clock.now())) > 0);
  assert.deepEqual([await keyRows(money.key), await keyRows(rest.key)], [2, 0]);
});

test('answers are sealed, and open after the secret was changed', async () => {
  await db.run(sql`delete from action_keys`);
  const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
  const wish = asked({ isMoney: true });
  await once({ ...base, vault: openVault(old) }, wish, async () => 'shown once');
  const { sealed } = await db.one<{ sealed: Buffer }>(sql`select sealed from action_keys`);
  assert.ok(!sealed.includes('shown once') && !sealed.includes(Buffer.from('shown once').toString('base64')));
  assert.ok((await resealAll(db, openVault(fresh, [old]))) >= 1);
  const vault = openVault(fresh);
  assert.equal(await once({ ...base, vault }, wish, () => assert.fail('it is answered')), 'shown once');
  await db.run(sql`delete from action_keys`);
});

test('answers with secrets that an earlier version kept are erased, and a repeat still makes nothing twice', async () => {
  const file = new URL('../../../migrations/shared/0140_secrets_in_answers.sql', import.meta.url);
  const migrate = raw((await readFile(file, 'utf8')).replace(/;\s*$/, ''));
  const [secret, other] = [asked({ action: 'POST /api/keys' }), asked({ action: 'POST /api/brand' })];
  for (const wish of [secret, other]) await once(base, wish, (steps) => note(steps, 'kept before'));
  const running = asked({ action: 'POST /api/keys' });
  const [began, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = once(base, running, async () => {
    began.resolve();
    await held.promise;
    return 'done';
  });
  await began.promise;
  for (let times = 0; times < 2; times += 1) await db.run(sql`${migrate}`);
  const kept = await db.query<{ sealed: Buffer | null }>(sql`select sealed from action_keys where key = ${secret.key}`);
  assert.deepEqual(kept, [{ sealed: null }, { sealed: null }]);
  await assert.rejects(
    once(base, secret, () => assert.fail('it was done')),
    { code: 'shown_once' },
  );
  assert.ok(await once(base, other, () => assert.fail('it is answered')));
  held.resolve();
  assert.equal(await first, 'done', 'what runs meanwhile is not disturbed');
  assert.equal(await once(base, running, () => assert.fail('it is answered')), 'done');
});

test('--key: a command repeated with its key changes nothing and answers the same, for every operator', async () => {
  const partner = await t.partner();
  const line = `wallet credit --partner ${partner} --amount 12.50 --key invoice-2026-11`;
  const typed = (text: string, who = 'test') => {
    const { words, key = '' } = takeKey(text.split(' '));
    const command = findCommand(actions, words);
    assert.ok(command);
    return runOnce({ ...t.operator(), who }, command, parseCommand(command, words.slice(wordsOf(command).length)), key);
  };
  const [first, second] = await Promise.all([typed(line), typed(line, 'root')]);
  assert.deepEqual(first, second);
  assert.deepEqual(await typed(line.replace('--key ', '--key=')), first);
  assert.equal((await run(t.operator(), `wallet show --partner ${partner}`)).balance, '12.50');
  await assert.rejects(typed(line.replace('12.50', '13.00')), { code: 'action_key_reused' });
  t.clock.advance(400 * DAY);
  while ((await pruneActionKeys(db, t.clock.now())) > 0);
  assert.deepEqual(await typed(line), first);
  assert.throws(() => takeKey(['wallet', 'credit', '--key']), { message: '--key: KEY is missing' });
});

test('a new key behind the password question: the same form makes one key, which is shown once and kept nowhere', async () => {
  const partner = await t.partner();
  const ana = await signedInAs(t, partner, 'owner');
  const { last } = await db.one<{ last: Date }>(sql`select max(confirmed_at) as last from sessions`);
  await db.run(sql`update sessions set confirmed_at = confirmed_at - interval '1 hour'`);
  const headers = { 'idempotency-key': randomUUID() };
  const create = () => ana.post('/api/keys', { mode: 'live', allow_list: '' }, { headers });
  assert.equal((await create()).body.error.code, 'confirmation_required');
  await db.run(sql`update sessions set confirmed_at = ${last}`);
  const [first, second] = await Promise.all([create(), create()]);
  assert.match(first.body.secret, /^esk_/);
  for (const repeat of [second, await create()])
    assert.deepEqual([repeat.status, repeat.body.error], [409, { code: 'shown_once', message: KEY_SHOWN }]);
  assert.equal((await ana.get('/api/keys')).body.keys.length, 1);
  const kept = await db.query<{ sealed: Buffer }>(sql`
    select sealed from action_keys where key = ${headers['idempotency-key']}`);
  assert.equal(kept.length, 2);
  for (const { sealed } of kept) assert.ok(!keptText(t, sealed).includes(first.body.secret));
});

const KEY_SHOWN = 'The key was created and shown once; if you do not have it, revoke it and create another.';

test('Add credit clicked twice posts one movement; with another amount under its key it is refused', async () => {
  const finance = await signedInOperator(t, 'finance');
  const partner = String(await t.partner());
  const headers = { 'idempotency-key': randomUUID() };
  const credit = (amount: string) =>
    finance.post('/operator/api/run/wallet/credit', { input: { partner, amount } }, { headers });
  const answers = await Promise.all([credit('100.00'), credit('100.00'), credit('100.00')]);
  assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers[0]?.body.result.balance, '100.00');
  const other = await credit('200.00');
  assert.deepEqual([other.status, other.body.error.code], [409, 'action_key_reused']);
  // Meanwhile something else happened: the repeat still says what the first did.
  await runAs(finance, 'wallet credit', { partner, amount: '1.00' });
  assert.equal((await credit('100.00')).text, answers[0]?.text);
});
