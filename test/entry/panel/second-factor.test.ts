import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, browser, linkFor, PASSWORD } from '../../support/program/panel.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const enter = (email: string, code?: string, password = PASSWORD) =>
  browser(t).post('/api/sign-in', { email, password, ...(code !== undefined && { code }) });

test('setting it up: a key and a QR code to scan, and it is on after the first right code', async () => {
  const ana = await accepted(t, partner);
  assert.deepEqual((await ana.get('/api/second-factor')).body, { on_since: null, recovery_codes_left: 0 });
  assert.deepEqual(codeOf(await ana.post('/api/second-factor/turn-on', { code: '123456' })), [
    409,
    'second_factor_not_started',
  ]);
  const { body } = await ana.post('/api/second-factor/start');
  assert.match(body.key, /^[A-Z2-7]{32}$/);
  assert.match(body.qr, /^<svg/);
  assert.deepEqual(codeOf(await ana.post('/api/second-factor/turn-on', { code: '000000' })), [403, 'wrong_code']);
  assert.equal((await enter(ana.email)).status, 200, 'it is not asked for yet');
  const elsewhere = Object.assign(browser(t), { cookie: '' });
  await elsewhere.post('/api/sign-in', { email: ana.email, password: PASSWORD });
  const { recoveryCodes } = await withSecondFactor(t, ana);
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes) assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  assert.equal((await ana.get('/api/me')).body.member.second_factor, true);
  assert.equal((await elsewhere.get('/api/me')).status, 401, 'sessions opened without it end');
  const shown = (await ana.get('/api/second-factor')).body;
  assert.deepEqual([typeof shown.on_since, shown.recovery_codes_left], ['string', 10]);
  assert.deepEqual(codeOf(await ana.post('/api/second-factor/start')), [409, 'second_factor_on']);
});

test('the database has neither the key nor a recovery code in the clear', async () => {
  const ana = await accepted(t, partner);
  const { key } = (await ana.post('/api/second-factor/start')).body;
  const { recoveryCodes } = await withSecondFactor(t, ana);
  const rows = await t.base.db.query<{ row: string }>(sql`select f::text as row from second_factors f`);
  assert.ok(rows.length > 0);
  for (const secret of [key, ...recoveryCodes])
    for (const { row } of rows) {
      assert.ok(!row.includes(secret));
      assert.ok(!row.includes(Buffer.from(secret).toString('hex')));
    }
});

suite('signing in', () => {
  test('asks for a code after the right password only, and takes each code once', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    assert.deepEqual(codeOf(await enter(ana.email)), [401, 'code_required']);
    assert.deepEqual(codeOf(await enter(ana.email, undefined, 'a wrong password')), [401, 'wrong_email_or_password']);
    assert.deepEqual(codeOf(await enter(ana.email, '000000')), [403, 'wrong_code']);
    const code = app.code();
    assert.equal((await enter(ana.email, `${code.slice(0, 3)} ${code.slice(3)}`)).status, 200);
    assert.deepEqual(codeOf(await enter(ana.email, code)), [403, 'wrong_code']);
    assert.equal((await enter(ana.email, app.code())).status, 200);
  });

  test('of two uses of one code at once, one gets in', async () => {
    const ana = await accepted(t, partner);
    const code = (await withSecondFactor(t, ana)).code();
    const both = await Promise.all([enter(ana.email, code), enter(ana.email, code)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403]);
  });

  test('a recovery code takes the place of the app, once, however it is typed', async () => {
    const ana = await accepted(t, partner);
    const [first = '', second = ''] = (await withSecondFactor(t, ana)).recoveryCodes;
    assert.equal((await enter(ana.email, first)).status, 200);
    assert.deepEqual(codeOf(await enter(ana.email, first)), [403, 'wrong_code']);
    assert.equal((await enter(ana.email, second.toLowerCase().replaceAll('-', ' '))).status, 200);
    assert.equal((await ana.get('/api/second-factor')).body.recovery_codes_left, 8);
  });

  test('ten wrong codes in 15 minutes, and a right one has to wait, too', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    t.clock.advance(16 * MINUTE);
    for (let i = 0; i < 10; i += 1) assert.equal((await enter(ana.email, '000000')).status, 403);
    assert.deepEqual(codeOf(await enter(ana.email, app.code())), [429, 'too_many_attempts']);
    t.clock.advance(16 * MINUTE);
    assert.equal((await enter(ana.email, app.code())).status, 200);
  });
});

suite('it cannot be bypassed', () => {
  test('by a link that sets a new password: it asks for a code, and the factor stays', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    const token = await linkFor(t, partner, ana.email);
    const [password, other] = ['a new password', browser(t)];
    assert.deepEqual(codeOf(await other.post('/api/welcome', { token, password })), [401, 'code_required']);
    assert.deepEqual(codeOf(await other.post('/api/welcome', { token, password, code: '000000' })), [
      403,
      'wrong_code',
    ]);
    assert.equal((await other.post('/api/welcome', { token, password, code: app.code() })).status, 200);
    assert.deepEqual(codeOf(await enter(ana.email, undefined, password)), [401, 'code_required']);
    assert.equal((await enter(ana.email, app.code(), password)).status, 200);
  });

  test('by joining another partner with the password', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    const token = await linkFor(t, await t.partner(), ana.email);
    const join = (code?: string) =>
      browser(t).post('/api/welcome/join', { token, password: PASSWORD, ...(code !== undefined && { code }) });
    assert.deepEqual(codeOf(await join()), [401, 'code_required']);
    assert.equal((await join(app.code())).status, 200);
  });

  test('by a membership with the same email and password at another partner: neither at sign-in nor by changing the password', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    const namesake = await accepted(t, await t.partner(), ana.email);
    assert.equal((await namesake.get('/api/me')).body.accounts.length, 1);
    assert.deepEqual(codeOf(await enter(ana.email)), [401, 'code_required']);
    const changed = await namesake.post('/api/password', { current: PASSWORD, password: 'another password' });
    assert.equal(changed.status, 200);
    assert.equal((await namesake.get('/api/me')).body.accounts.length, 1, 'they got nothing of hers');
    assert.equal((await ana.get('/api/me')).body.accounts.length, 1);
    assert.equal((await enter(ana.email, app.code())).status, 200, 'and the password is unchanged');
  });

  test('with the code, a membership with the same email and password is merged, and the factor protects both', async () => {
    const ana = await accepted(t, partner);
    const app = await withSecondFactor(t, ana);
    await accepted(t, await t.partner(), ana.email);
    const both = browser(t);
    await both.post('/api/sign-in', { email: ana.email, password: PASSWORD, code: app.code() });
    const { member, accounts } = (await both.get('/api/me')).body;
    assert.deepEqual([accounts.length, member.second_factor], [2, true]);
  });
});

test('turning it off asks for password and code again, a while after the sign-in', async () => {
  const ana = await accepted(t, partner);
  const app = await withSecondFactor(t, ana);
  t.clock.advance(6 * MINUTE);
  const off = () => ana.post('/api/second-factor/turn-off');
  assert.deepEqual(codeOf(await off()), [403, 'confirmation_required']);
  const confirm = (body: object) => ana.post('/api/confirm', body);
  assert.deepEqual(codeOf(await confirm({ password: PASSWORD })), [401, 'code_required']);
  assert.deepEqual(codeOf(await confirm({ password: 'a wrong password', code: app.code() })), [403, 'wrong_password']);
  assert.deepEqual(codeOf(await confirm({ password: PASSWORD, code: '000000' })), [403, 'wrong_code']);
  assert.deepEqual(codeOf(await off()), [403, 'confirmation_required']);
  assert.equal((await confirm({ password: PASSWORD, code: app.code() })).status, 200);
  assert.equal((await off()).status, 200);
  assert.deepEqual(codeOf(await off()), [409, 'second_factor_off']);
  assert.equal((await enter(ana.email)).status, 200);
});

test('new recovery codes end the old ones', async () => {
  const ana = await accepted(t, partner);
  const { recoveryCodes } = await withSecondFactor(t, ana);
  const { body } = await ana.post('/api/second-factor/recovery-codes');
  assert.equal(body.recovery_codes.length, 10);
  assert.deepEqual(codeOf(await enter(ana.email, recoveryCodes[0])), [403, 'wrong_code']);
  assert.equal((await enter(ana.email, body.recovery_codes[0])).status, 200);
});

test('an operator resets it for somebody who lost everything; the log says so, and their sessions end', async () => {
  const ana = await accepted(t, partner);
  await withSecondFactor(t, ana);
  const { id } = (await ana.get('/api/me')).body.member;
  const reset = () => run(t.operator(), `member reset-second-factor ${id}`);
  assert.deepEqual(await reset(), { member_id: id, second_factor: false });
  await assert.rejects(reset(), { code: 'second_factor_off' });
  await assert.rejects(run(t.operator(), 'member reset-second-factor 99999'), { code: 'member_not_found' });
  assert.equal((await ana.get('/api/me')).status, 401);
  assert.equal((await enter(ana.email)).status, 200);
  const { what } = await t.base.db.one<{ what: string }>(sql`
    select what from audit_log where target = ${`member ${id}`} order by id desc limit 1`);
  assert.equal(what, 'member reset-second-factor');
});

test('a set-up started twice counts the second key only', async () => {
  const ana = await accepted(t, partner);
  await ana.post('/api/second-factor/start');
  const app = await withSecondFactor(t, ana);
  assert.equal((await enter(ana.email, app.code())).status, 200);
});
