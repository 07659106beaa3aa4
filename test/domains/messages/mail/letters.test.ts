import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, browser, PASSWORD, someEmail } from '../../../support/program/panel.ts';
import { mailStage } from './stage.ts';

const { t, smtp, sendAll, list } = await mailStage();
const invite = (partner: number, email: string) =>
  run(t.operator(), ['member', 'invite', '--partner', String(partner), '--email', email]);

test('an invitation arrives as text and as HTML with correct headers, and its link works', async () => {
  const ana = await accepted(t, await t.partner({ name: 'Island Hopper' }));
  const email = someEmail();
  const { body } = await ana.post('/api/members', { email });
  assert.deepEqual([body.mailed, body.link], [true, null], 'what is mailed is not shown');
  await sendAll();
  const [mail, ...more] = smtp.to(email);
  assert.ok(mail);
  assert.equal(more.length, 0);
  const { headers, text, raw } = mail;
  assert.deepEqual([mail.from, mail.to], ['post@wayfare.test', [email]]);
  assert.equal(headers.from, 'Wayfare <post@wayfare.test>');
  assert.equal(headers.to, email);
  assert.equal(headers.subject, 'Your invitation to Island Hopper');
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.match(headers['message-id'] ?? '', /^<[0-9a-f-]{36}@wayfare\.test>$/);
  assert.ok(Math.abs(Date.parse(headers.date ?? '') - t.clock.now()) < 60_000);
  assert.match(headers['content-type'] ?? '', /^multipart\/alternative;/);
  assert.deepEqual(
    Object.keys(headers).sort(),
    ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    'and nothing that names the program or follows the reader',
  );
  const link = text.split('\n').find((line) => /^http\S+\/welcome#wfl_[\w-]+$/.test(line));
  assert.ok(link, 'the link has a line of its own');
  for (const line of text.split('\n')) assert.ok(line.length <= 72 || line === link, line);
  for (const line of raw.split('\r\n')) assert.ok(line.length <= 78, line);
  const other = browser(t);
  const opened = await other.post('/api/welcome', { token: text.match(/wfl_[\w-]+/)?.[0], password: PASSWORD });
  assert.equal(opened.status, 200);
});

test('a member who forgot their password gets a mail that says so', async () => {
  const partner = await t.partner();
  const { email } = await accepted(t, partner);
  const { link, mailed } = await invite(partner, email);
  assert.equal(mailed, true);
  await sendAll();
  const mail = smtp.to(email).at(-1);
  assert.match(mail?.headers.subject ?? '', /^Your new link to /);
  assert.ok(mail?.text.includes(link));
});

suite('names and addresses cannot change the mail around them', () => {
  test('a name with line breaks, control characters and other scripts stays in the subject and in its sentence', async () => {
    const name = 'Zoë\r\nBcc: evil@example.com\r\n\r\n旅行 \u202e😀';
    const email = someEmail();
    await invite(await t.partner({ name }), email);
    await sendAll();
    const [mail] = smtp.to(email);
    assert.equal(mail?.headers.subject, 'Your invitation to Zoë Bcc: evil@example. com 旅行 😀');
    assert.equal(mail?.headers.bcc, undefined);
    assert.deepEqual(mail?.to, [email]);
    assert.match(mail?.text ?? '', /^You have been invited to the panel of Zoë Bcc/);
  });

  test('a name without end is cut', async () => {
    const email = someEmail();
    await invite(await t.partner({ name: 'x'.repeat(5_000) }), email);
    await sendAll();
    assert.ok((smtp.to(email)[0]?.headers.subject ?? '').length < 110);
  });

  test('domains of other scripts are sent in ASCII', async () => {
    await invite(await t.partner(), 'ana@bücher.example');
    await sendAll();
    // The server decodes the envelope.
    const [mail] = smtp.to('ana@bücher.example');
    assert.equal(mail?.headers.to, 'ana@xn--bcher-kva.example');
  });

  test('an address that a header could read as something else is not mailed, and the answer says so', async () => {
    const partner = await t.partner();
    for (const email of [
      'a,b@example.com',
      'a<b@example.com',
      '"a"@example.com',
      'a;b@example.com',
      'a@b,c.example',
      'a@[127.0.0.1]',
      'a@127.0.0.1',
      '.a@example.com',
      'a@-b.example',
    ]) {
      assert.equal((await invite(partner, email)).mailed, false, email);
      assert.deepEqual(await list(email), [], email);
    }
  });
});

test("a link's token is readable neither in the table nor in the log, and nothing of a mail is kept once it is sent", async () => {
  const email = someEmail();
  const { link } = await invite(await t.partner({ name: 'Quokka' }), email);
  const token = link.split('#')[1];
  const row = () =>
    t.base.db.one<{ text: string; content: Buffer | null }>(sql`
      select mails::text as text, content from mails where recipient = ${email}`);
  const before = await row();
  assert.ok(before.content && t.base.vault.open(before.content).includes(token));
  for (const secret of [token, 'Quokka']) {
    assert.ok(!before.text.includes(secret) && !before.content.includes(secret));
    assert.ok(!before.text.includes(Buffer.from(secret).toString('hex')));
  }
  await sendAll();
  assert.equal((await row()).content, null);
  const changes = await t.base.db.query<{ text: string }>(sql`select audit_log::text as text from audit_log`);
  for (const line of [...t.logged, ...changes.map(({ text }) => text)]) assert.ok(!line.includes(token), line);
});

test('operators are mailed their link to the console, and a new one says that it is new', async () => {
  const email = someEmail();
  const { link, mailed } = await run(t.operator(), ['operator', 'invite', '--email', email, '--role', 'support']);
  assert.equal(mailed, true);
  await sendAll();
  const mail = smtp.to(email).at(-1);
  assert.equal(mail?.headers.subject, 'Your invitation to the operator console');
  assert.ok(mail.text.split('\n').includes(link));
  const opened = await browser(t).post('/operator/api/welcome', { token: link.split('#')[1], password: PASSWORD });
  assert.equal(opened.status, 200);
  await run(t.operator(), ['operator', 'invite', '--email', email]);
  await sendAll();
  assert.equal(smtp.to(email).at(-1)?.headers.subject, 'Your new link to the operator console');
});

test('a partner cannot use invitations to send mail without end: after 100 in a day only the link is made', async () => {
  const partner = await t.partner();
  await t.base.db.run(sql`
    insert into mails (partner_id, kind, recipient, created_at, attempts, sent_at)
    select ${partner}, 'invitation', 'x@example.com', ${new Date(t.clock.now())}, 1, ${new Date(t.clock.now())}
    from generate_series(1, 99)`);
  assert.equal((await invite(partner, someEmail())).mailed, true);
  const { link, mailed } = await invite(partner, someEmail());
  assert.deepEqual([mailed, link.includes('/welcome#wfl_')], [false, true]);
  assert.equal((await invite(await t.partner(), someEmail())).mailed, true, 'other partners still can');
  await sendAll();
});

test('a refused change sends no mail', async () => {
  const partner = await t.partner();
  const { email } = await accepted(t, partner);
  const ana = await accepted(t, partner);
  await sendAll();
  const before = (await list(email)).length;
  assert.equal((await ana.post('/api/members', { email })).status, 409);
  assert.equal((await list(email)).length, before);
});

test('mail test: sent through the queue, and in the audit log', async () => {
  assert.deepEqual(await run(t.operator(), 'mail test ops@example.com'), { to: 'ops@example.com', queued: true });
  const [waiting] = await list('ops@example.com');
  assert.deepEqual([waiting.kind, waiting.status, waiting.attempts], ['test', 'waiting', 0]);
  await sendAll();
  const [sent] = await list('ops@example.com');
  assert.deepEqual([sent.status, sent.attempts, sent.error], ['sent', 1, '']);
  assert.ok(
    !('content' in sent) &&
      !JSON.stringify(sent, (_k, v) => (typeof v === 'bigint' ? `${v}` : v)).includes('correctly'),
  );
  assert.equal(smtp.to('ops@example.com')[0]?.headers.subject, 'Test mail');
  const [change] = await run(t.operator(), ['changes', '--target', 'address ops@example.com']);
  assert.equal(change.what, 'mail test');
  await assert.rejects(run(t.operator(), ['mail', 'test', 'a,b@example.com']), { code: 'invalid_email' });
});
