import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { memberAccess } from '../../../../src/domains/partners/people/people.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import {
  accepted,
  type Browser,
  browser,
  linkFor,
  ORIGIN,
  PASSWORD,
  someEmail,
} from '../../../support/program/panel.ts';
import { hashed } from '../../../support/program/quick-passwords.ts';
import { sendAllRaw } from '../../../support/servers/raw.ts';

// Half of the shared connections are open to sign-ins: enough for three at once.
const t = await testApp({ config: { pools: { live: 10, sandbox: 10, shared: 6 } } });
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner({ name: 'Island Hopper' });
const enter = (email: string, password = PASSWORD, ana = browser(t)) => ana.post('/api/sign-in', { email, password });

const waitingForLocks = async () =>
  (
    await t.base.db.one<{ n: number }>(sql`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).n;

suite('sign-in', () => {
  test('e-mail address and password open a session, however the address is capitalised', async () => {
    const { email } = await accepted(t, partner);
    const ana = browser(t);
    const { status, body, headers } = await enter(` ${email.toUpperCase()} `, PASSWORD, ana);
    assert.deepEqual([status, body, headers['cache-control']], [200, {}, 'private, no-store']);
    const me = await ana.get('/api/me');
    assert.deepEqual([me.status, me.body.member.email, me.body.partner.name], [200, email, 'Island Hopper']);
  });

  test('a wrong password, an unknown address and an invitation not accepted are one answer', async () => {
    const { email } = await accepted(t, partner);
    const invited = someEmail();
    await linkFor(t, partner, invited);
    const wrong = await enter(email, 'incorrect horse');
    assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'wrong_email_or_password']);
    assert.equal(wrong.headers['set-cookie'], undefined);
    for (const other of [await enter('nobody@example.com'), await enter(invited)])
      assert.deepEqual([other.status, other.text], [wrong.status, wrong.text]);
  });

  test('too many failures: 429 with the time to wait, also for the right password; then it goes on', async () => {
    const { email } = await accepted(t, partner);
    // The network where they accepted has its own count; without it these count as attempts from an unknown network.
    await t.base.db.run(sql`delete from sign_in_places`);
    for (let i = 0; i < 10; i += 1) assert.equal((await enter(email, 'incorrect horse')).status, 401);
    const { status, body, headers } = await enter(email);
    assert.deepEqual([status, body.error.code], [429, 'too_many_attempts']);
    assert.ok(body.error.retry_after > 14 * 60 && body.error.retry_after <= 15 * 60);
    assert.equal(headers['retry-after'], String(body.error.retry_after));
    t.clock.advance(15 * MINUTE);
    assert.equal((await enter(email)).status, 200);
  });

  test('a member who signs in in several places at once is let into all of them', async () => {
    const { email } = await accepted(t, partner);
    // Each waits for the member's row, which is held here: they go on at the same moment.
    const all = await t.base.db.tx(async (tx) => {
      await tx.run(sql`select from members where email = ${email} for no key update`);
      const entering = Promise.all([enter(email), enter(email), enter(email)]);
      await eventually('all wait', async () => (await waitingForLocks()) === 3);
      return { entering };
    });
    assert.deepEqual(
      (await all.entering).map(({ status }) => status),
      [200, 200, 200],
    );
  });

  test('a person with the right password learns that the partner is disabled; members of a closed one are unknown', async () => {
    const gone = await t.partner();
    const { email } = await accepted(t, gone);
    await run(t.operator(), `partner set ${gone} --disabled true`);
    assert.deepEqual(
      [(await enter(email)).body.error.code, (await enter(email, 'incorrect horse')).body.error.code],
      ['partner_disabled', 'wrong_email_or_password'],
    );
    await run(t.operator(), `partner delete ${gone}`);
    assert.equal((await enter(email)).body.error.code, 'wrong_email_or_password');
  });

  test('a password hashed with weaker parameters is rehashed when it is next used', async () => {
    const { email } = await accepted(t, partner);
    const hash = async () =>
      (await t.base.db.one<{ h: string }>(sql`select password_hash as h from people where email = ${email}`)).h;
    const salt = Buffer.alloc(16, 7);
    const weak = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 });
    const stored = `scrypt$10$8$1$${salt.toString('base64url')}$${weak.toString('base64url')}`;
    await t.base.db.run(sql`update people set password_hash = ${stored} where email = ${email}`);
    assert.equal((await enter(email)).status, 200);
    assert.match(await hash(), /^scrypt\$15\$/);
    assert.equal((await enter(email)).status, 200);
  });

  test('anything but a JSON object with both fields is refused', async () => {
    const ana = browser(t);
    for (const [body, code] of [
      ['{}', 'invalid_input'],
      ['{"email":"a@b"}', 'invalid_input'],
      ['{"email":["a@b"],"password":"x"}', 'invalid_input'],
      ['null', 'invalid_input'],
      ['{', 'malformed_request'],
      ['', 'malformed_request'],
      ['{"email":"a\\u0000@b","password":"xxxxxxxxxx"}', 'malformed_request'],
      ['{"email":"a\\ud800@b","password":"xxxxxxxxxx"}', 'malformed_request'],
      [`{"email":"${'x'.repeat(20_000)}","password":"x"}`, 'malformed_request'],
    ] as const) {
      const answer = await ana.post('/api/sign-in', {}, { body });
      assert.deepEqual([answer.status, answer.body.error.code], [400, code], body.slice(0, 40));
    }
    const long = 'x'.repeat(1_000_000);
    const head = `host: panel.test\r\norigin: ${ORIGIN}\r\ncontent-type: application/json\r\n`;
    const answers = await sendAllRaw(
      t.port,
      `POST /api/sign-in HTTP/1.1\r\n${head}content-length: ${long.length}\r\n\r\n${long}`,
      `POST /api/sign-in HTTP/1.1\r\n${head}content-length: 2\r\nconnection: close\r\n\r\n{}`,
    );
    assert.deepEqual(
      answers.map(({ body }) => body.error.code),
      ['malformed_request', 'invalid_input'],
      'what follows one that is too long is answered',
    );
    const form = await ana.post('/api/sign-in', {}, { headers: { 'content-type': 'text/plain' } });
    assert.equal(form.body.error.code, 'malformed_request');
  });
});

suite('one-time link', () => {
  test('it is shown without being used, sets the password and signs in', async () => {
    const email = someEmail();
    const token = await linkFor(t, partner, email);
    const ana = browser(t);
    for (let i = 0; i < 2; i += 1)
      assert.deepEqual((await ana.post('/api/welcome/show', { token })).body, { email, partner_name: 'Island Hopper' });
    assert.equal(
      (await ana.post('/api/welcome', { token, password: 'too short' })).body.error.code,
      'password_too_short',
    );
    assert.equal((await ana.post('/api/welcome', { token, password: PASSWORD })).status, 200);
    assert.equal((await ana.get('/api/me')).body.member.email, email);
    const { who, what } = await t.base.db.one<{ who: string; what: string }>(
      sql`select who, what from audit_log order by id desc limit 1`,
    );
    assert.deepEqual([who, what], [`member:${email}`, 'password set by link']);
  });

  test('it works once: used, unknown and malformed are one answer', async () => {
    const token = await linkFor(t, partner, someEmail());
    const use = (given: string) => browser(t).post('/api/welcome', { token: given, password: PASSWORD });
    assert.equal((await use(token)).status, 200);
    const again = await use(token);
    assert.deepEqual([again.status, again.body.error.code], [404, 'link_not_valid']);
    assert.equal((await browser(t).post('/api/welcome/show', { token })).text, again.text);
    for (const other of [`wfl_${'x'.repeat(43)}`, '', 'x']) assert.equal((await use(other)).text, again.text);
  });

  test('of two uses at once, one succeeds', async () => {
    const token = await linkFor(t, partner, someEmail());
    const use = () => t.base.db.tx((tx) => memberAccess.links.use(tx, token, t.clock.now()));
    const both = await Promise.allSettled([use(), use()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    for (const one of both) if (one.status === 'rejected') assert.equal(one.reason.code, 'link_not_valid');
  });

  test('however often it is sent at once, only one password is hashed for it', async () => {
    const token = await linkFor(t, partner, someEmail());
    const send = () => browser(t).post('/api/welcome', { token, password: PASSWORD });
    const before = hashed.count;
    const all = await Promise.all(Array.from({ length: 40 }, send));
    const answers = all.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`);
    assert.equal(answers.filter((answer) => answer === '200 ').length, 1);
    for (const answer of answers) assert.match(answer, /^(200 |429 too_many_attempts|404 link_not_valid)$/);
    assert.equal(hashed.count - before, 1);
  });

  test('used by somebody who forgot their password: the old one and its sessions end', async () => {
    const ana = await accepted(t, partner);
    const token = await linkFor(t, partner, ana.email);
    assert.equal((await ana.get('/api/me')).status, 200, 'a link that waits ends nothing');
    const anew = browser(t);
    await anew.post('/api/welcome', { token, password: 'another password' });
    assert.deepEqual([(await ana.get('/api/me')).status, (await anew.get('/api/me')).status], [401, 200]);
    assert.equal((await enter(ana.email)).status, 401);
    assert.equal((await enter(ana.email, 'another password')).status, 200);
  });

  test('the session the browser had before ends, as at a sign-in', async () => {
    for (const comeIn of [
      async (at: Browser) => at.post('/api/sign-in', { email: (await accepted(t, partner)).email, password: PASSWORD }),
      async (at: Browser) =>
        at.post('/api/welcome', { token: await linkFor(t, partner, someEmail()), password: PASSWORD }),
    ]) {
      const shared = await accepted(t, partner);
      const kept = Object.assign(browser(t), { cookie: shared.cookie });
      assert.equal((await comeIn(shared)).status, 200);
      assert.deepEqual([(await shared.get('/api/me')).status, (await kept.get('/api/me')).status], [200, 401]);
    }
  });

  test('it does not work while the partner is disabled', async () => {
    const gone = await t.partner();
    const token = await linkFor(t, gone, someEmail());
    await run(t.operator(), `partner set ${gone} --disabled true`);
    assert.equal((await browser(t).post('/api/welcome', { token, password: PASSWORD })).status, 404);
    await run(t.operator(), `partner set ${gone} --disabled false`);
    assert.equal((await browser(t).post('/api/welcome', { token, password: PASSWORD })).status, 200);
  });
});
