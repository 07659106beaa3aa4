import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { answerRequest } from '../../../../src/actions/partners/forgotten-passwords.ts';
import { HOUR, MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, browser, linkFor, PASSWORD, signedIn, someEmail } from '../../../support/program/panel.ts';
import { mailStage } from './stage.ts';

const { t, smtp, sendAll } = await mailStage();
let sources = 0;
/** From a network of its own, unless a test gives one. */
const ask = (email: unknown, address = `2001:db8:${(++sources).toString(16)}::1`) =>
  browser(t).post('/api/forgotten-password', { email }, { headers: { 'x-forwarded-for': address } });
async function answered(): Promise<void> {
  while ((await answerRequest(t.base)) > 0);
  await sendAll();
}
const tokenIn = (text = '') => text.match(/wfl_[\w-]+/)?.[0] ?? '';

test('a person who forgot their password chooses a new one by the link they are sent, once and within an hour', async () => {
  const ana = await accepted(t, await t.partner({ name: 'Island Hopper' }));
  assert.equal((await ask(` ${ana.email.toUpperCase()} `)).status, 200);
  await answered();
  const mail = smtp.to(ana.email).at(-1);
  assert.equal(mail?.headers.subject, 'Choose a new password for Island Hopper');
  const token = tokenIn(mail?.text);
  const fresh = browser(t);
  assert.equal((await fresh.post('/api/welcome', { token, password: 'another long password' })).status, 200);
  assert.equal((await fresh.get('/api/me')).body.member.email, ana.email);
  assert.equal((await browser(t).post('/api/welcome', { token, password: PASSWORD })).status, 404);

  await ask(ana.email);
  await answered();
  const late = tokenIn(smtp.to(ana.email).at(-1)?.text);
  assert.notEqual(late, token);
  t.clock.advance(HOUR);
  assert.equal((await browser(t).post('/api/welcome/show', { token: late })).status, 404);
});

suite('an outsider learns nothing', () => {
  test('the answer and the statements behind it are the same for every address', async () => {
    const { email } = await accepted(t, await t.partner());
    const answers: unknown[] = [];
    for (const typed of [email, someEmail()]) {
      using queries = watchQueries();
      const { status, text, headers } = await ask(typed);
      answers.push({ status, text, type: headers['content-type'], queries: queries.seen });
      const [row] = await t.base.db.query<{ email: string }>(
        sql`select email from password_requests order by id desc limit 1`,
      );
      assert.equal(row?.email, typed);
    }
    assert.deepEqual(answers[0], answers[1]);
    await sendAll();
    const before = smtp.received.length;
    await answered();
    assert.equal(smtp.received.length, before + 1);
  });

  test('only people who can sign in are mailed: not invited ones, nor members of disabled or closed partners', async () => {
    const [invited, disabled, closed] = [someEmail(), someEmail(), someEmail()];
    await linkFor(t, await t.partner(), invited);
    const [one, two] = [await t.partner(), await t.partner()];
    await signedIn(t, one, disabled);
    await signedIn(t, two, closed);
    await run(t.operator(), `partner set ${one} --disabled true`);
    await run(t.operator(), `partner delete ${two}`);
    await sendAll();
    const before = smtp.received.length;
    for (const email of [invited, disabled, closed, 'x@y@z', "'; drop table mails; --@x"]) await ask(email);
    await answered();
    assert.equal(smtp.received.length, before);
  });

  test('a link that was given to somebody by hand is not ended: the mail points to it', async () => {
    const partner = await t.partner();
    const { email } = await accepted(t, partner);
    const given = await linkFor(t, partner, email);
    await ask(email);
    await answered();
    const mail = smtp.to(email).at(-1);
    assert.match(mail?.text ?? '', /already been given a one-time link/);
    assert.equal(tokenIn(mail?.text), '');
    assert.equal((await browser(t).post('/api/welcome/show', { token: given })).status, 200);
  });
});

test('requests are limited by address and by network, known or not, and those for one do not count for another', async () => {
  for (const email of [(await accepted(t, await t.partner())).email, someEmail()]) {
    for (let i = 0; i < 3; i++) assert.equal((await ask(email)).status, 200);
    const { status, body, headers } = await ask(email.toUpperCase());
    assert.deepEqual([status, body.error.code], [429, 'too_many_attempts']);
    assert.ok(Number(headers['retry-after']) > 0);
  }
  for (let i = 0; i < 10; i++) assert.equal((await ask(someEmail(), '192.0.2.7')).status, 200);
  assert.equal((await ask(someEmail(), '192.0.2.7')).status, 429);
  assert.equal((await ask(someEmail(), '192.0.2.8')).status, 200);
  t.clock.advance(15 * MINUTE);
  assert.equal((await ask(someEmail(), '192.0.2.7')).status, 200);
  await answered();
});

test('what is no address is refused, and changes nothing', async () => {
  for (const email of ['', 'ana', `${'a'.repeat(300)}@example.com`])
    assert.deepEqual([(await ask(email)).status, (await ask(email)).body.error.code], [400, 'invalid_email']);
  assert.equal((await ask(7)).status, 400);
  const elsewhere = await browser(t).post(
    '/api/forgotten-password',
    { email: someEmail() },
    { headers: { origin: 'https://evil.example' } },
  );
  assert.equal(elsewhere.status, 403);
  assert.equal((await t.base.db.query(sql`select from password_requests`)).length, 0);
});

test('a request that no worker took for an hour is dropped', async () => {
  const { email } = await accepted(t, await t.partner());
  await sendAll();
  const before = smtp.to(email).length;
  await ask(email);
  t.clock.advance(HOUR);
  await answered();
  assert.equal(smtp.to(email).length, before);
});

test('somebody who belongs to several partners gets a link for each', async () => {
  const email = someEmail();
  const partners = [await t.partner({ name: 'One' }), await t.partner({ name: 'Two' })];
  for (const partner of partners) await accepted(t, partner, email);
  await sendAll();
  await ask(email);
  await answered();
  const subjects = smtp
    .to(email)
    .slice(-2)
    .map(({ headers }) => headers.subject);
  assert.deepEqual(subjects.sort(), ['Choose a new password for One', 'Choose a new password for Two']);
});

test('the sign-in page knows whether to offer it, and without SMTP_URL the address does not exist', async () => {
  assert.deepEqual((await browser(t).get('/api/sign-in')).body, { mails_links: true });
  await using off = await testApp({ role: 'panel' });
  assert.deepEqual((await browser(off).get('/api/sign-in')).body, { mails_links: false });
  const [here, nowhere] = [
    await browser(off).post('/api/forgotten-password', { email: someEmail() }),
    await browser(off).post('/api/forgotten-passwords', { email: someEmail() }),
  ];
  assert.deepEqual([here.status, here.text], [404, nowhere.text]);
});
