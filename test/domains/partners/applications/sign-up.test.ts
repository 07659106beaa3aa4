import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY, HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { record, testApp } from '../../../support/program/app.ts';
import { accepted, browser, linkFor, PASSWORD, someEmail } from '../../../support/program/panel.ts';
import { signUpStage } from './stage.ts';

const { t, smtp, signUp, answered, tokenTo, newcomer } = await signUpStage('open');
const { db } = t.base;
const partners = async () => (await db.query(sql`select from partners`)).length;

test('a stranger signs up, reads the link, sets a password and has a sandbox account with a key, which is all they have', async () => {
  const email = someEmail();
  const before = await partners();
  assert.deepEqual((await signUp(email)).body, { link: null });
  await answered();
  assert.equal(await partners(), before, 'nothing is opened before the link is used');
  assert.equal(smtp.to(email).at(-1)?.headers.subject, 'Confirm your sign-up at Wayfare');
  const token = tokenTo(email);
  const shown = await browser(t).post('/api/sign-up/show', { token });
  assert.deepEqual(shown.body, { step: 'password', name: 'Ana Silva', company: 'Island Hopper', email, question: '' });

  const ana = browser(t);
  const { status, body } = await ana.post('/api/sign-up/accept', { token, password: PASSWORD });
  assert.equal(status, 200);
  const me = (await ana.get('/api/me')).body;
  assert.deepEqual(
    [me.member.email, me.member.role, me.partner.name, me.partner.is_live],
    [email, 'owner', 'Island Hopper', false],
  );
  assert.match(body.secret, /^esk_test_/);
  const { keys } = (await ana.get('/api/keys')).body;
  assert.deepEqual(
    keys.map((key: { mode: string }) => key.mode),
    ['sandbox'],
  );
  const tried = await ana.post('/api/sandbox/try', { key: body.secret, path: '/account/balance', fields: {} });
  assert.deepEqual([tried.body.status, JSON.parse(tried.body.body).balance], [200, 1000]);
  assert.equal((await browser(t).post('/api/sign-in', { email, password: PASSWORD })).status, 200);

  const log = await db.query<{ who: string; what: string }>(sql`
    select who, what from audit_log where partner_id = ${me.partner.id}`);
  assert.deepEqual(
    log.map(({ who, what }) => [who, what]),
    [[`member:${email}`, 'sign up']],
  );
});

suite('live', () => {
  test('is closed to them: no key, no purchase, no top-up, no webhook, and a live key that were there would be refused', async () => {
    const ana = await newcomer();
    const key = await ana.post('/api/keys', { mode: 'live', allow_list: '' });
    assert.deepEqual([key.status, key.body.error.code], [403, 'live_not_open']);
    const topup = await ana.v3('live', '/account/topup', { amount: '50' });
    assert.deepEqual([topup.status, topup.body.error.code], [403, 'live_not_open']);
    const webhook = await ana.post('/api/live/webhooks', { url: 'https://93.184.215.14/hook', events: [] });
    assert.equal(webhook.body.error.code, 'live_not_open');
    const bought = await ana.post('/api/live/purchases', {});
    assert.equal(bought.body.error.code, 'live_not_open');
    await db.run(sql`update partners set live = true where id = ${ana.partnerId}`);
    const live = (await ana.post('/api/keys', { mode: 'live', allow_list: '' })).body.secret;
    await db.run(sql`update partners set live = false where id = ${ana.partnerId}`);
    await using api = await testApp({
      url: t.base.url,
      secret: t.base.config.secret ?? '',
      clock: t.clock,
      role: 'api',
    });
    const answer = await api.get('/account/balance', { key: live });
    assert.deepEqual([answer.status, answer.body.error], [403, 'partner_disabled']);
    assert.equal((await api.get('/account/balance', { key: ana.secret })).status, 200);
  });

  test('is open to partners an operator made, as it always was', async () => {
    const { live } = await db.one<{ live: boolean }>(sql`select live from partners where id = ${await t.partner()}`);
    assert.equal(live, true);
  });
});

suite('a link', () => {
  test('works once, for a day, and not while another password is being set with it', async () => {
    const [used, late] = [someEmail(), someEmail()];
    await signUp(used);
    await signUp(late);
    await answered();
    const token = tokenTo(used);
    const before = await partners();
    const tries = await Promise.all(
      [1, 2, 3].map(() => browser(t).post('/api/sign-up/accept', { token, password: PASSWORD })),
    );
    assert.equal(tries.filter(({ status }) => status === 200).length, 1);
    assert.equal(await partners(), before + 1);
    assert.equal((await browser(t).post('/api/sign-up/show', { token })).body.error.code, 'link_not_valid');
    t.clock.advance(DAY);
    const gone = await browser(t).post('/api/sign-up/accept', { token: tokenTo(late), password: PASSWORD });
    assert.deepEqual([gone.status, gone.body.error.code], [404, 'link_not_valid']);
    const invented = await browser(t).post('/api/sign-up/accept', {
      token: `wfl_${'a'.repeat(43)}`,
      password: PASSWORD,
    });
    assert.equal(invented.text, gone.text);
  });

  test('to an address ends when another one opened its account, and is neither an invitation nor one of those', async () => {
    const email = someEmail();
    await signUp(email);
    await answered();
    const first = tokenTo(email);
    await signUp(email);
    await answered();
    const second = tokenTo(email);
    assert.notEqual(first, second);
    assert.equal((await browser(t).post('/api/welcome', { token: second, password: PASSWORD })).status, 404);
    assert.equal((await browser(t).post('/api/sign-up/accept', { token: second, password: PASSWORD })).status, 200);
    assert.equal((await browser(t).post('/api/sign-up/accept', { token: first, password: PASSWORD })).status, 404);
    const invitation = await linkFor(t, await t.partner(), someEmail());
    assert.equal((await browser(t).post('/api/sign-up/accept', { token: invitation, password: PASSWORD })).status, 404);
  });

  test('is used with a password that is long enough, and only from our own pages', async () => {
    const email = someEmail();
    await signUp(email);
    await answered();
    const token = tokenTo(email);
    assert.equal(
      (await browser(t).post('/api/sign-up/accept', { token, password: 'short' })).body.error.code,
      'password_too_short',
    );
    const origin = { headers: { origin: 'https://evil.example' } };
    for (const [path, body] of [
      ['/api/sign-up', { name: 'A', company: 'B', email: someEmail() }],
      ['/api/sign-up/show', { token }],
      ['/api/sign-up/accept', { token, password: PASSWORD }],
    ] as const)
      assert.equal((await browser(t).post(path, body, origin)).status, 403, path);
    assert.equal((await browser(t).post('/api/sign-up/show', { token })).status, 200);
  });
});

suite('an outsider learns nothing', () => {
  test('the answer and the statements behind it are the same for an address with an account, which gets another mail', async () => {
    const { email: known } = await accepted(t, await t.partner());
    const unknown = someEmail();
    const answers: unknown[] = [];
    for (const email of [known, unknown]) {
      using queries = watchQueries();
      const { status, text, headers } = await signUp(email);
      answers.push({ status, text, type: headers['content-type'], queries: [...queries.seen] });
    }
    assert.deepEqual(answers[0], answers[1]);
    const before = await partners();
    await answered();
    const [one, other] = [smtp.to(known).at(-1), smtp.to(unknown).at(-1)];
    assert.equal(one?.headers.subject, 'Your account at Wayfare');
    assert.doesNotMatch(one?.text ?? '', /#wfl_/);
    assert.match(one?.text ?? '', /^http:\/\/panel\.test\/sign-in$/m);
    assert.match(other?.text ?? '', /#wfl_/);
    assert.equal(await partners(), before);
  });

  test('who is refused for asking too often is refused alike, known or not', async () => {
    const answers: string[] = [];
    for (const email of [(await accepted(t, await t.partner())).email, someEmail()]) {
      for (let i = 0; i < 2; i++) assert.equal((await signUp(email)).status, 200);
      const { status, text } = await signUp(email.toUpperCase());
      assert.equal(status, 429);
      answers.push(text);
    }
    assert.equal(answers[0], answers[1]);
    await answered();
  });
});

suite('abuse is bounded', () => {
  test('an address gets two mails in a quarter of an hour and three in a day, whatever network asks', async () => {
    const email = someEmail();
    const asked = async () => (await signUp(email)).status;
    assert.deepEqual([await asked(), await asked(), await asked()], [200, 200, 429]);
    t.clock.advance(15 * MINUTE);
    assert.deepEqual([await asked(), await asked()], [200, 429]);
    const { headers } = await signUp(email);
    assert.ok(Number(headers['retry-after']) > 23 * 3_600);
    await answered();
    assert.equal(smtp.to(email).length, 3);
    t.clock.advance(DAY);
    assert.equal(await asked(), 200);
  });

  test('a network can ask five times in a quarter of an hour and twenty times in a day, whatever addresses it types', async () => {
    const from = async (address: string) => (await signUp(someEmail(), address)).status;
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 5; i++) assert.equal(await from('192.0.2.7'), 200);
      assert.equal(await from('192.0.2.7'), 429);
      t.clock.advance(15 * MINUTE);
    }
    assert.equal(await from('192.0.2.7'), 429);
    assert.equal(await from('192.0.2.8'), 200);
    t.clock.advance(DAY);
    assert.equal(await from('192.0.2.7'), 200);
  });

  /** Sign-ups of a flood, from the networks given by their number. */
  const flood = (count: number, source: (n: number) => string, status = 'unconfirmed') => {
    const at = new Date(t.clock.now());
    const sources = Array.from({ length: count }, (_, n) => source(n));
    return db.run(sql`
      insert into applications (kind, status, name, company, email, source, created_at, since)
      select 'sign_up', ${status}, 'x', 'x', 'flood' || n || '@example.com', source, ${at}, ${at}
      from unnest(${sources}::text[]) with ordinality as flooding (source, n)`);
  };
  const dry = () => db.run(sql`delete from applications where email like 'flood%'`);
  const in48 = (n: number) => `2001:db8:f00d:${n.toString(16)}::/64`;

  test('a /56 can ask ten times in a quarter of an hour and a /48 twenty times, whatever /64 they use', async () => {
    const from = async (address: string) => (await signUp(someEmail(), address)).status;
    for (let n = 0; n < 10; n++) assert.equal(await from(`2001:db8:cafe:1${n.toString(16)}::1`), 200);
    assert.equal(await from('2001:db8:cafe:1f::1'), 429);
    for (let n = 0; n < 10; n++) assert.equal(await from(`2001:db8:cafe:${n + 2}00::1`), 200);
    assert.equal(await from('2001:db8:cafe:ff00::1'), 429);
    assert.equal(await from('2001:db8:cafd::1'), 200);
  });

  test('five hundred unconfirmed sign-ups from one /48 shut out that network alone, until a day later', async () => {
    await flood(500, in48);
    const from = async (address?: string) => (await signUp(someEmail(), address)).status;
    assert.deepEqual([await from(), await from('192.0.2.77'), await from('2001:db8:f00d:ffff::1')], [200, 200, 429]);
    t.clock.advance(DAY);
    assert.equal(
      await from('2001:db8:f00d:ffff::1'),
      200,
      'what has expired does not count, though no job has deleted it',
    );
    await dry();
  });

  test('after five hundred in a day, from wherever, a network that asked twice waits, and others have as many places again', async () => {
    await flood(500, (n) => `2001:db8:${(0x3000 + (n % 7)).toString(16)}:${n}::/64`);
    const from = async (address?: string) => (await signUp(someEmail(), address)).status;
    assert.deepEqual(
      [await from('198.51.100.1'), await from('198.51.100.2'), await from('198.51.100.3'), await from()],
      [200, 200, 429, 200],
    );
    await flood(500, (n) => `2001:db8:${(0x5000 + n).toString(16)}:1::/64`);
    assert.equal(await from(), 429, 'the whole service mails a thousand strangers a day at most');
    await dry();
    assert.equal(await from('198.51.100.4'), 200);
  });

  test('sign-ups that were confirmed and those that were not leave each other their places', async () => {
    const from = async () => (await signUp(someEmail(), '2001:db8:f00d:1::1')).status;
    await flood(19, () => '2001:db8:f00d:1::/64');
    await flood(19, () => '2001:db8:f00d:1::/64', 'opened');
    assert.deepEqual([await from(), await from()], [200, 429]);
    await db.run(sql`update applications set status = 'opened' where email like 'flood1@%'`);
    assert.equal(await from(), 429, 'twenty of each are the most');
    await dry();
    t.clock.advance(DAY);
  });

  test('a request that no worker took for an hour is dropped, and unconfirmed sign-ups are forgotten after a day', async () => {
    const email = someEmail();
    await signUp(email);
    t.clock.advance(HOUR);
    await answered();
    assert.equal(smtp.to(email).length, 0);
    t.clock.advance(DAY);
    const { tidyAccounts } = await import('../../../../src/domains/partners/applications/unused.ts');
    await tidyAccounts(t.base);
    const rows = await db.query(sql`select from applications where email = ${email} or source is not null`);
    assert.equal(rows.length, 0);
  });

  test('what cannot be a name, a company or an address is refused, and changes nothing', async () => {
    const count = async () => (await db.query(sql`select from applications`)).length;
    const before = await count();
    for (const more of [
      { name: ' ' },
      { company: 'x'.repeat(101) },
      { name: 'a\u0007b' },
      { company: 'a\nb' },
      { email: 'ana' },
      { email: 7 },
    ])
      assert.equal((await signUp(someEmail(), undefined, more)).status, 400, JSON.stringify(more));
    assert.equal(await count(), before);
  });
});

suite('the setting', () => {
  const local = { PANEL_URL: 'http://localhost:4000' };
  const away = { PANEL_URL: 'https://panel.example.com', DATABASE_URL: 'postgres://x/y' };
  const smtpOf = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com' };

  test('is off unless set, open in the demo on one’s own machine, and needs mail anywhere else', () => {
    assert.equal(readConfig(local).signUp, 'open');
    assert.equal(readConfig({ ...local, WAYFARE_DEMO: 'off' }).signUp, 'off');
    assert.equal(readConfig({ ...local, SIGN_UP: 'off' }).signUp, 'off');
    assert.equal(readConfig(away).signUp, 'off');
    assert.equal(readConfig({ PANEL_URL: 'https://panel.example.com' }).signUp, 'off');
    assert.equal(readConfig({ ...away, ...smtpOf, SIGN_UP: 'review' }).signUp, 'review');
    assert.throws(() => readConfig({ ...away, SIGN_UP: 'open' }), /SMTP_URL/);
    assert.throws(() => readConfig({ ...local, SIGN_UP: 'yes' }), /SIGN_UP must be/);
  });

  test('off: the addresses do not exist, and the sign-in page offers nothing', async () => {
    await using off = await testApp({ role: 'panel' });
    assert.deepEqual((await browser(off).get('/api/sign-in')).body, { mails_links: false });
    const [here, nowhere] = [
      await browser(off).post('/api/sign-up', { name: 'A', company: 'B', email: someEmail() }),
      await browser(off).post('/api/sign-ups', {}),
    ];
    assert.deepEqual([here.status, here.text], [404, nowhere.text]);
    assert.deepEqual((await browser(t).get('/api/sign-in')).body, { mails_links: true, sign_up: 'open' });
  });

  test('where no mail is set up, which is on one’s own machine only, the link is shown in place of the mail', async () => {
    await using own = await testApp({ role: 'panel', config: { signUp: 'open' } });
    const { link } = (await browser(own).post('/api/sign-up', { name: 'A', company: 'B', email: someEmail() })).body;
    assert.match(link, /^http:\/\/panel\.test\/sign-up\/link#wfl_/);
    const token = link.split('#')[1];
    record('secrets', `${token}\n`);
    const opened = await browser(own).post('/api/sign-up/accept', { token, password: PASSWORD });
    assert.match(opened.body.secret, /^esk_test_/);
  });
});
