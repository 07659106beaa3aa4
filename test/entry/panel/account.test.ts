import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { browserName } from '../../../src/entry/site/json/account-security.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import {
  accepted,
  type Browser,
  browser,
  PASSWORD,
  signedIn,
  signedInAs,
  someEmail,
} from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const idOf = async (ana: Browser) => (await ana.get('/api/me')).body.member.id;

suite('roles', () => {
  test('a member is invited with a role, which an owner can change; both are in the log', async () => {
    const partner = await t.partner();
    const ana = await signedIn(t, partner);
    const { id, link } = (await ana.post('/api/members', { email: someEmail(), role: 'finance' })).body;
    const bo = browser(t);
    await bo.post('/api/welcome', { token: link.split('#')[1], password: PASSWORD });
    assert.deepEqual(codeOf(await bo.get('/api/keys')), [403, 'role_forbids']);
    const changed = await ana.post(`/api/members/${id}/role`, { role: 'developer' });
    assert.deepEqual([changed.status, changed.body.member.role], [200, 'developer']);
    assert.equal((await bo.get('/api/keys')).status, 200);
    assert.equal((await ana.post(`/api/members/${id}/role`, { role: 'king' })).status, 400);
    assert.equal((await ana.post('/api/members', { email: someEmail(), role: 'king' })).status, 400);
    const [entry] = await t.base.db.query<{ before: { role: string }; after: { role: string } }>(sql`
      select before, after from audit_log where target = ${`member ${id}`} order by id desc limit 1`);
    assert.deepEqual([entry?.before.role, entry?.after.role], ['finance', 'developer']);
  });

  test('the last owner who can sign in stays one; operators may do as they must', async () => {
    const partner = await t.partner();
    const [ana, bo] = [await signedIn(t, partner), await signedInAs(t, partner, 'developer')];
    const [own, other] = [await idOf(ana), await idOf(bo)];
    await ana.post('/api/members', { email: someEmail(), role: 'owner' });
    assert.deepEqual(codeOf(await ana.post(`/api/members/${own}/role`, { role: 'finance' })), [409, 'last_owner']);
    assert.deepEqual(codeOf(await ana.post(`/api/members/${own}/remove`)), [409, 'last_owner']);
    assert.equal((await ana.post(`/api/members/${own}/role`, { role: 'owner' })).status, 200);
    await ana.post(`/api/members/${other}/role`, { role: 'owner' });
    const both = await Promise.all([
      ana.post(`/api/members/${other}/role`, { role: 'read-only' }),
      bo.post(`/api/members/${own}/role`, { role: 'read-only' }),
    ]);
    assert.equal(
      both.filter(({ status }) => status === 200).length,
      1,
      'of two owners who demote each other, one stays',
    );
    for (const id of [own, other]) await run(t.operator(), `member set ${id} --role read-only`);
    const left = await run(t.operator(), `member list --partner ${partner}`);
    assert.ok(
      left
        .filter((one: { accepted: boolean }) => one.accepted)
        .every((one: { role: string }) => one.role === 'read-only'),
    );
  });

  test('member invite --role; without it a new member is an owner', async () => {
    const partner = await t.partner();
    await run(t.operator(), `member invite --partner ${partner} --email a@example.com --role read-only`);
    await run(t.operator(), `member invite --partner ${partner} --email b@example.com`);
    const listed = await run(t.operator(), `member list --partner ${partner}`);
    assert.deepEqual(
      listed.map(({ role }: { role: string }) => role),
      ['read-only', 'owner'],
    );
  });
});

suite('an invitation', () => {
  test('that was lost is sent again: the new link works, the old one does not', async () => {
    const ana = await signedIn(t, await t.partner());
    const first = (await ana.post('/api/members', { email: someEmail(), role: 'finance' })).body;
    const again = await ana.post(`/api/members/${first.id}/invite-again`);
    assert.deepEqual([again.status, again.body.id, again.body.email], [200, first.id, first.email]);
    const open = ({ link }: { link: string }) =>
      browser(t).post('/api/welcome', { token: link.split('#')[1], password: PASSWORD });
    assert.equal((await open(first)).status, 404);
    assert.equal((await open(again.body)).status, 200);
  });

  test('that was accepted is not: its link would let its holder in as that member', async () => {
    const partner = await t.partner();
    const [ana, bo] = [await signedIn(t, partner), await signedIn(t, partner)];
    assert.deepEqual(codeOf(await ana.post(`/api/members/${await idOf(bo)}/invite-again`)), [409, 'member_accepted']);
  });

  test('that is accepted while it is sent again: one of the two, and no link is left that lets anybody in', async () => {
    const ana = await signedIn(t, await t.partner());
    for (let i = 0; i < 3; i += 1) {
      const { id, link } = (await ana.post('/api/members', { email: someEmail() })).body;
      const use = (one: string) =>
        browser(t).post('/api/welcome', { token: one.split('#')[1], password: 'a password of mine' });
      const [accepting, again] = await Promise.all([use(link), ana.post(`/api/members/${id}/invite-again`)]);
      assert.equal([accepting, again].filter(({ status }) => status === 200).length, 1);
      if (again.status === 200) assert.equal((await use(again.body.link)).status, 200);
    }
  });

  test('that is revoked stops working, and the address can be invited again', async () => {
    const ana = await signedIn(t, await t.partner());
    const email = someEmail();
    const { id, link } = (await ana.post('/api/members', { email })).body;
    assert.equal((await ana.post(`/api/members/${id}/remove`)).status, 200);
    assert.equal((await browser(t).post('/api/welcome/show', { token: link.split('#')[1] })).status, 404);
    assert.equal((await ana.post('/api/members', { email })).status, 200);
  });

  test('is the same for an address that another partner knows; the refusal for one of ours begins with a word', async () => {
    const bo = await accepted(t, await t.partner());
    const ana = await accepted(t, await t.partner());
    assert.equal((await ana.post('/api/members', { email: bo.email })).status, 200);
    const again = await ana.post('/api/members', { email: ana.email });
    assert.equal(again.body.error.message, `There is already a member with the address ${ana.email}.`);
  });
});

suite('a fresh confirmation', () => {
  test('is needed five minutes after the password was given, for keys, members and the second factor', async () => {
    const ana = await accepted(t, await t.partner());
    const { id } = (await ana.post('/api/members', { email: someEmail() })).body;
    t.clock.advance(5 * MINUTE);
    const asked: (() => Promise<Answer>)[] = [
      () => ana.post('/api/keys', { mode: 'sandbox', allow_list: '' }),
      () => ana.post('/api/members', { email: someEmail() }),
      () => ana.post(`/api/members/${id}/invite-again`),
      () => ana.post(`/api/members/${id}/role`, { role: 'finance' }),
      () => ana.post('/api/second-factor/start'),
      () => ana.post('/api/second-factor/turn-on', { code: '1' }),
      () => ana.post('/api/second-factor/turn-off'),
      () => ana.post('/api/second-factor/recovery-codes'),
    ];
    const before = await count();
    for (const ask of asked) assert.deepEqual(codeOf(await ask()), [403, 'confirmation_required']);
    assert.equal(await count(), before, 'nothing was done');
    assert.equal((await ana.get('/api/keys')).status, 200);
    assert.deepEqual(codeOf(await ana.post('/api/confirm', { password: 'a wrong password' })), [403, 'wrong_password']);
    for (const ask of asked.slice(0, 1)) assert.deepEqual(codeOf(await ask()), [403, 'confirmation_required']);
    assert.equal((await ana.post('/api/confirm', { password: PASSWORD })).body.valid_seconds, 300);
    for (const ask of asked.slice(0, 5)) assert.equal((await ask()).status, 200);
    t.clock.advance(5 * MINUTE);
    assert.deepEqual(codeOf(await ana.post('/api/second-factor/start')), [403, 'confirmation_required']);
  });

  test('counts for its own session only, and wrong passwords are counted as at a sign-in', async () => {
    const ana = await accepted(t, await t.partner());
    const other = browser(t);
    await other.post('/api/sign-in', { email: ana.email, password: PASSWORD });
    t.clock.advance(5 * MINUTE);
    await ana.post('/api/confirm', { password: PASSWORD });
    assert.deepEqual(codeOf(await other.post('/api/second-factor/start')), [403, 'confirmation_required']);
    for (let i = 0; i < 10; i += 1) await other.post('/api/confirm', { password: 'a wrong password' });
    assert.deepEqual(codeOf(await other.post('/api/confirm', { password: PASSWORD })), [429, 'too_many_attempts']);
  });

  const count = async () => (await t.base.db.one<{ n: number }>(sql`select count(*)::int as n from audit_log`)).n;
});

suite('the list of sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

  test('says where and with what somebody signed in; one can be ended, or all others', async () => {
    const ana = await accepted(t, await t.partner());
    const enter = async (agent: string) => {
      const there = browser(t);
      const headers = { 'user-agent': agent };
      await there.post('/api/sign-in', { email: ana.email, password: PASSWORD }, { headers });
      return there;
    };
    const [one, two] = [await enter(FIREFOX), await enter('x'.repeat(5_000))];
    const list = async () => (await ana.get('/api/sessions')).body.sessions;
    const sessions = await list();
    assert.deepEqual(
      sessions.map((session: { is_this: boolean }) => session.is_this),
      [true, false, false],
    );
    const firefox = sessions.find((session: { browser: string }) => session.browser === 'Firefox on Windows');
    assert.deepEqual(
      [Object.keys(firefox), firefox.address],
      [['id', 'partner_name', 'opened_at', 'last_seen_at', 'address', 'browser', 'is_this'], '127.0.0.1'],
    );
    const { longest } = await t.base.db.one<{ longest: number }>(sql`
      select max(length(user_agent)) as longest from sessions`);
    assert.equal(longest, 300);
    assert.equal((await ana.post(`/api/sessions/${firefox.id}/end`)).status, 200);
    assert.deepEqual([(await one.get('/api/me')).status, (await two.get('/api/me')).status], [401, 200]);
    assert.equal((await ana.post('/api/sessions/end-others')).status, 200);
    assert.deepEqual([(await two.get('/api/me')).status, (await ana.get('/api/me')).status], [401, 200]);
    assert.equal((await list()).length, 1);
  });

  test('is of the person alone: a colleague’s session is answered as one that does not exist', async () => {
    const partner = await t.partner();
    const [ana, bo] = [await signedIn(t, partner), await signedIn(t, partner)];
    const [{ id }] = (await bo.get('/api/sessions')).body.sessions;
    const [foreign, missing] = [await ana.post(`/api/sessions/${id}/end`), await ana.post('/api/sessions/999999/end')];
    assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
    assert.equal((await bo.get('/api/me')).status, 200);
  });

  test('browsers in words, as far as they say', () => {
    for (const [agent, words] of [
      [FIREFOX, 'Firefox on Windows'],
      [
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
        'Safari on macOS',
      ],
      [
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
        'Chrome on Android',
      ],
      [
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
        'Edge on Windows',
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
        'Chrome on iPhone',
      ],
      ['', ''],
      ['<script>alert(1)</script>', ''],
    ] as const)
      assert.equal(browserName(agent), words);
  });
});
