import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { operatorAccess, operators } from '../../../src/domains/partners/people/people.ts';
import { listChanges } from '../../../src/platform/audit/audit-log.ts';
import { DAY, HOUR, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, record, testApp } from '../../support/program/app.ts';
import { acceptedOperator, operatorLink, runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, browser, linkFor, ORIGIN, PASSWORD, someEmail } from '../../support/program/panel.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

const said = ({ status, body }: Answer) => [status, body.error?.code];
const enter = (email: string, password = PASSWORD, code?: string) =>
  browser(t).post('/operator/api/sign-in', { email, password, ...(code !== undefined && { code }) });
const latestOf = async (who: string) =>
  (await listChanges(t.base.db, { target: undefined, who, limit: 1 }))[0]?.what ?? '';

suite('a one-time link', () => {
  test('lets an operator choose a password, signs them in, and works once', async () => {
    const email = someEmail();
    const token = await operatorLink(t, email, 'support');
    const kim = browser(t);
    assert.deepEqual((await kim.post('/operator/api/welcome/show', { token })).body, { email });
    assert.deepEqual(said(await enter(email)), [401, 'wrong_email_or_password'], 'not before it is accepted');
    assert.equal((await kim.post('/operator/api/welcome', { token, password: PASSWORD })).status, 200);
    assert.match(kim.cookie, /^wayfare_operator=wfo_/);
    assert.equal((await kim.get('/operator/api/me')).body.operator.role, 'support');
    for (const path of ['/operator/api/welcome', '/operator/api/welcome/show'])
      assert.deepEqual(said(await browser(t).post(path, { token, password: PASSWORD })), [404, 'link_not_valid']);
    assert.equal(await latestOf(`operator:${email}`), 'operator password set by link');
    assert.equal((await enter(email.toUpperCase())).status, 200);
  });

  test('expires after a week, and a second invitation replaces it', async () => {
    const email = someEmail();
    const first = await operatorLink(t, email);
    const second = await operatorLink(t, email);
    assert.equal((await browser(t).post('/operator/api/welcome/show', { token: first })).status, 404);
    t.clock.advance(7 * DAY - MINUTE);
    assert.equal((await browser(t).post('/operator/api/welcome/show', { token: second })).status, 200);
    t.clock.advance(MINUTE);
    assert.equal((await browser(t).post('/operator/api/welcome/show', { token: second })).status, 404);
  });

  test('of two uses at once, one works', async () => {
    const now = t.clock.now();
    const token = await t.base.db.tx(async (tx) => {
      const { operatorId } = await operators.create(tx, { email: someEmail(), role: 'support' }, now);
      return operatorAccess.links.create(tx, operatorId, now);
    });
    record('secrets', `${token}\n`);
    const use = () => t.base.db.tx((tx) => operatorAccess.links.use(tx, token, now));
    const both = await Promise.allSettled([use(), use()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });

  test('for somebody who forgot their password ends their sessions, but asks for their second factor', async () => {
    const kim = await acceptedOperator(t, 'support');
    const app = await withSecondFactor(t, kim, '/operator/api');
    const token = await operatorLink(t, kim.email);
    const later = browser(t);
    const wanted = { token, password: 'another battery staple' };
    assert.deepEqual(said(await later.post('/operator/api/welcome', wanted)), [401, 'code_required']);
    assert.equal((await kim.get('/operator/api/me')).status, 200, 'nothing has changed yet');
    assert.equal((await later.post('/operator/api/welcome', { ...wanted, code: app.code() })).status, 200);
    assert.equal((await kim.get('/operator/api/me')).status, 401);
    assert.deepEqual(said(await enter(kim.email)), [401, 'wrong_email_or_password']);
  });

  test('of a member does not open the console, and an operator’s not the panel', async () => {
    const partner = await t.partner();
    const ofMember = await linkFor(t, partner, someEmail());
    const ofOperator = await operatorLink(t, someEmail());
    const password = PASSWORD;
    assert.equal((await browser(t).post('/operator/api/welcome', { token: ofMember, password })).status, 404);
    assert.equal((await browser(t).post('/api/welcome', { token: ofOperator, password })).status, 404);
    assert.equal((await browser(t).post('/api/welcome/join', { token: ofOperator, password })).status, 404);
  });
});

suite('signing in', () => {
  test('an unknown address, a wrong password and a member of a partner are one answer', async () => {
    const kim = await acceptedOperator(t, 'support');
    const member = await accepted(t, await t.partner());
    const wrong = await enter(kim.email, 'incorrect horse');
    assert.deepEqual(said(wrong), [401, 'wrong_email_or_password']);
    for (const other of [await enter(someEmail()), await enter(member.email)])
      assert.deepEqual([other.status, other.text], [wrong.status, wrong.text]);
    const asMember = await browser(t).post('/api/sign-in', { email: kim.email, password: PASSWORD });
    assert.deepEqual(said(asMember), [401, 'wrong_email_or_password']);
  });

  test('an operator and a member with one address and one password stay two people', async () => {
    const member = await accepted(t, await t.partner());
    const kim = await acceptedOperator(t, 'support', member.email);
    await withSecondFactor(t, kim, '/operator/api');
    assert.deepEqual(said(await enter(member.email)), [401, 'code_required']);
    const inPanel = await browser(t).post('/api/sign-in', { email: member.email, password: PASSWORD });
    assert.equal(inPanel.status, 200, 'the panel does not ask for the operator’s factor');
    assert.equal((await member.get('/operator/api/me')).status, 401);
  });

  test('too many failures: 429, then it goes on; the panel counts apart', async () => {
    const member = await accepted(t, await t.partner());
    const kim = await acceptedOperator(t, 'support', member.email);
    await t.base.db.run(sql`delete from staff_places`);
    await t.base.db.run(sql`delete from sign_in_places`);
    for (let i = 0; i < 10; i += 1) assert.equal((await enter(kim.email, 'incorrect horse')).status, 401);
    const refused = await enter(kim.email);
    assert.deepEqual(said(refused), [429, 'too_many_attempts']);
    assert.equal(refused.headers['retry-after'], String(refused.body.error.retry_after));
    const inPanel = await browser(t).post('/api/sign-in', { email: member.email, password: PASSWORD });
    assert.equal(inPanel.status, 200, 'failures at the console do not lock anyone out of the panel');
    t.clock.advance(15 * MINUTE);
    assert.equal((await enter(kim.email)).status, 200);
  });

  test('failures elsewhere do not lock an operator out where they usually sign in', async () => {
    const kim = await acceptedOperator(t, 'support');
    for (let i = 0; i < 10; i += 1) assert.equal((await enter(kim.email, 'incorrect horse')).status, 401);
    assert.equal((await enter(kim.email)).status, 429, 'its own count, of this network');
    await t.base.db.run(sql`update staff_places set source = '203.0.113.7'`);
    assert.equal((await enter(kim.email)).status, 200, 'another network has its own');
    t.clock.advance(15 * MINUTE);
  });

  test('replaces what this browser was signed in as, and signing out ends the session', async () => {
    const kim = await acceptedOperator(t, 'support');
    const before = Object.assign(browser(t), { cookie: kim.cookie });
    await kim.post('/operator/api/sign-in', { email: kim.email, password: PASSWORD });
    assert.notEqual(kim.cookie, before.cookie);
    assert.equal((await before.get('/operator/api/me')).status, 401);
    const same = Object.assign(browser(t), { cookie: kim.cookie });
    assert.match(String((await kim.post('/operator/api/sign-out')).headers['set-cookie']), /Max-Age=0/);
    assert.equal((await same.get('/operator/api/me')).status, 401);
  });
});

suite('the second factor', () => {
  test('admin and finance can do nothing else until it is on, from the next request after a raise on', async () => {
    const kim = await acceptedOperator(t, 'read-only');
    assert.equal((await kim.get('/operator/api/operators')).status, 200);
    const { id } = (await kim.get('/operator/api/me')).body.operator;
    for (const role of ['finance', 'admin']) {
      await run(t.operator(), `operator set ${id} --role ${role}`);
      assert.deepEqual(said(await kim.get('/operator/api/operators')), [403, 'second_factor_required']);
      assert.deepEqual(said(await runAs(kim, 'operator remove', { id: String(id) })), [403, 'second_factor_required']);
      assert.equal((await kim.get('/operator/api/me')).body.operator.second_factor_missing, true);
    }
    await withSecondFactor(t, kim, '/operator/api');
    assert.equal((await kim.get('/operator/api/operators')).status, 200);
    assert.deepEqual(said(await kim.post('/operator/api/second-factor/turn-off')), [403, 'second_factor_required']);
    assert.equal((await kim.post('/operator/api/second-factor/recovery-codes')).body.recovery_codes.length, 10);
    assert.equal(await latestOf(`operator:${kim.email}`), 'operator recovery codes renew');
  });

  test('is asked for at the sign-in, each code once, and a recovery code takes its place', async () => {
    const kim = await acceptedOperator(t, 'finance');
    const app = await withSecondFactor(t, kim, '/operator/api');
    assert.deepEqual(said(await enter(kim.email)), [401, 'code_required']);
    assert.deepEqual(said(await enter(kim.email, PASSWORD, '000000')), [403, 'wrong_code']);
    const code = app.code();
    assert.equal((await enter(kim.email, PASSWORD, code)).status, 200);
    assert.deepEqual(said(await enter(kim.email, PASSWORD, code)), [403, 'wrong_code']);
    assert.equal((await enter(kim.email, PASSWORD, app.recoveryCodes[0])).status, 200);
  });

  test('support may turn it off again', async () => {
    const kim = await acceptedOperator(t, 'support');
    await withSecondFactor(t, kim, '/operator/api');
    assert.equal((await kim.post('/operator/api/second-factor/turn-off')).status, 200);
    assert.equal((await enter(kim.email)).status, 200);
  });

  test('an admin can reset it for somebody who lost phone and codes, which signs them out', async () => {
    const kim = await acceptedOperator(t, 'support');
    await withSecondFactor(t, kim, '/operator/api');
    const { id } = (await kim.get('/operator/api/me')).body.operator;
    const admin = await signedInOperator(t);
    const reset = await runAs(admin, 'operator reset-second-factor', { id: String(id) });
    assert.equal(reset.status, 200, reset.text);
    assert.equal(await latestOf(`operator:${admin.email}`), 'operator reset-second-factor');
    assert.equal((await kim.get('/operator/api/me')).status, 401);
    assert.equal((await enter(kim.email)).status, 200);
  });
});

suite('sessions and passwords', () => {
  test('sessions are listed with where they are from, and can be ended, one’s own only', async () => {
    const kim = await acceptedOperator(t, 'support');
    const other = browser(t);
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' };
    await other.post('/operator/api/sign-in', { email: kim.email, password: PASSWORD }, { headers });
    const { sessions } = (await kim.get('/operator/api/sessions')).body;
    assert.deepEqual(
      sessions.map(({ browser, is_this }: { browser: string; is_this: boolean }) => [browser, is_this]),
      [
        ['', true],
        ['Firefox on Linux', false],
      ],
    );
    const stranger = await signedInOperator(t, 'support');
    const end = `/operator/api/sessions/${sessions[1].id}/end`;
    assert.deepEqual(said(await stranger.post(end)), [404, 'session_not_found']);
    assert.equal((await kim.post(end)).status, 200);
    assert.equal((await other.get('/operator/api/me')).status, 401);
    await other.post('/operator/api/sign-in', { email: kim.email, password: PASSWORD });
    assert.equal((await kim.post('/operator/api/sessions/end-others')).status, 200);
    assert.deepEqual(
      [(await other.get('/operator/api/me')).status, (await kim.get('/operator/api/me')).status],
      [401, 200],
    );
  });

  test('a session ends after an hour without a request and after twelve at the latest', async () => {
    const kim = await signedInOperator(t, 'support');
    t.clock.advance(HOUR - MINUTE);
    assert.equal((await kim.get('/operator/api/me')).status, 200);
    t.clock.advance(HOUR);
    assert.equal((await kim.get('/operator/api/me')).status, 401);
    const lea = await signedInOperator(t, 'support');
    for (let i = 0; i < 24; i += 1) {
      assert.equal((await lea.get('/operator/api/me')).status, 200);
      t.clock.advance(30 * MINUTE);
    }
    assert.equal((await lea.get('/operator/api/me')).status, 401);
  });

  test('a new password needs the current one, and ends the other sessions and an unused link', async () => {
    const kim = await acceptedOperator(t, 'support');
    const other = browser(t);
    await other.post('/operator/api/sign-in', { email: kim.email, password: PASSWORD });
    const token = await operatorLink(t, kim.email);
    const wanted = { current: 'incorrect horse', password: 'another battery staple' };
    assert.deepEqual(said(await kim.post('/operator/api/password', wanted)), [403, 'wrong_password']);
    assert.equal((await kim.post('/operator/api/password', { ...wanted, current: PASSWORD })).status, 200);
    assert.deepEqual(
      [(await other.get('/operator/api/me')).status, (await kim.get('/operator/api/me')).status],
      [401, 200],
    );
    assert.equal((await browser(t).post('/operator/api/welcome/show', { token })).status, 404);
    assert.equal((await enter(kim.email, wanted.password)).status, 200);
    assert.equal(await latestOf(`operator:${kim.email}`), 'operator password change');
  });

  test('what is dangerous asks for the password again after five minutes, and a confirmation counts for this session', async () => {
    const kim = await acceptedOperator(t, 'support');
    t.clock.advance(5 * MINUTE);
    assert.deepEqual(said(await kim.post('/operator/api/second-factor/start')), [403, 'confirmation_required']);
    assert.deepEqual(said(await kim.post('/operator/api/confirm', { password: 'incorrect horse' })), [
      403,
      'wrong_password',
    ]);
    assert.equal((await kim.post('/operator/api/confirm', { password: PASSWORD })).status, 200);
    assert.equal((await kim.post('/operator/api/second-factor/start')).status, 200);
  });
});

suite('operators', () => {
  test('are invited, given another role and removed by an admin, each recorded with their name', async () => {
    const admin = await signedInOperator(t);
    const email = someEmail();
    const made = (await runAs(admin, 'operator invite', { email, role: 'support' })).body.result;
    assert.match(made.link, new RegExp(`^${ORIGIN}/operator/welcome#wfl_`));
    record('secrets', `${made.link.split('#')[1]}\n`);
    const id = String(made.operator_id);
    const changed = await runAs(admin, 'operator set', { id, role: 'finance' });
    assert.deepEqual([changed.status, changed.body.result.role], [200, 'finance']);
    const listed = (await admin.get('/operator/api/operators')).body.operators;
    const found = listed.find((one: { email: string }) => one.email === email);
    assert.deepEqual([found.role, found.accepted, found.needs_second_factor], ['finance', false, true]);
    assert.equal((await runAs(admin, 'operator remove', { id })).status, 200);
    const log = await listChanges(t.base.db, { target: `operator ${id}`, who: undefined, limit: 9 });
    assert.deepEqual(
      log.map(({ who, what }) => [who, what]),
      ['remove', 'set', 'invite'].map((word) => [`operator:${admin.email}`, `operator ${word}`]),
    );
    assert.doesNotMatch(JSON.stringify(log), /wfl_/);
    for (const word of ['set', 'remove', 'reset-second-factor'])
      assert.deepEqual(said(await runAs(admin, `operator ${word}`, { id, ...(word === 'set' && { role: 'admin' }) })), [
        404,
        'operator_not_found',
      ]);
  });

  test('one who is removed is signed out at once', async () => {
    const kim = await signedInOperator(t, 'support');
    const { id } = (await kim.get('/operator/api/me')).body.operator;
    await run(t.operator(), `operator remove ${id}`);
    assert.equal((await kim.get('/operator/api/me')).status, 401);
  });

  test('inviting somebody again with another role is refused', async () => {
    const kim = await signedInOperator(t, 'support');
    await assert.rejects(
      run(t.operator(), `operator invite --email ${kim.email} --role admin`),
      /already, with the role/,
    );
    await assert.rejects(run(t.operator(), 'operator invite --email nothing'), { code: 'invalid_email' });
  });

  test('the console keeps the last admin who can sign in; the command line may remove them', async () => {
    await t.base.db.run(sql`delete from staff`);
    const admin = await signedInOperator(t);
    const { id } = (await admin.get('/operator/api/me')).body.operator;
    await t.base.db.run(sql`update staff set password_hash = 'x' where id = ${id}`);
    await operatorLink(t, someEmail(), 'admin');
    for (const [word, more] of Object.entries({ remove: {}, set: { role: 'support' } })) {
      const refused = await runAs(admin, `operator ${word}`, { id: String(id), ...more });
      assert.deepEqual(said(refused), [409, 'last_admin'], 'an invitation is no admin who can sign in');
    }
    assert.equal((await runAs(admin, 'operator set', { id: String(id), role: 'admin' })).status, 200);
    await run(t.operator(), `operator remove ${id}`);
    assert.equal((await admin.get('/operator/api/me')).status, 401);
  });

  test('of two admins who remove each other at once, one stays', async () => {
    await t.base.db.run(sql`delete from staff`);
    const [kim, lea] = [await signedInOperator(t), await signedInOperator(t)];
    await t.base.db.run(sql`update staff set password_hash = 'x'`);
    const ids = await Promise.all([kim, lea].map(async (one) => (await one.get('/operator/api/me')).body.operator.id));
    const remove = (by: typeof kim, id: number) => runAs(by, 'operator remove', { id: String(id) });
    await Promise.all([remove(kim, ids[1]), remove(lea, ids[0])]);
    const { left } = await t.base.db.one<{ left: number }>(sql`select count(*)::int as left from staff`);
    assert.equal(left, 1);
  });
});
