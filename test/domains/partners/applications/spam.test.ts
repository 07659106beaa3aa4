import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { layOut, nameLine } from '../../../../src/domains/messages/mail/letters.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, someEmail } from '../../../support/program/panel.ts';
import { signUpStage } from './stage.ts';

const { t, smtp, signUp, answered, newcomer } = await signUpStage('open');
const { db } = t.base;
const codeOf = (answer: { body: { error?: { code: string } } }) => answer.body.error?.code;

suite('invitations of an account without live', () => {
  test('are three, counted with those that were revoked, and three repeats of them', async () => {
    const ana = await newcomer();
    const invited: number[] = [];
    for (let i = 0; i < 3; i++) invited.push((await ana.post('/api/members', { email: someEmail() })).body.id);
    const fourth = await ana.post('/api/members', { email: someEmail() });
    assert.deepEqual([fourth.status, codeOf(fourth)], [409, 'invitation_limit_reached']);
    assert.equal((await ana.post(`/api/members/${invited[0]}/remove`)).status, 200);
    assert.equal(codeOf(await ana.post('/api/members', { email: someEmail() })), 'invitation_limit_reached');
    const again = async (id?: number) => (await ana.post(`/api/members/${id}/invite-again`)).status;
    assert.deepEqual(
      [await again(invited[1]), await again(invited[1]), await again(invited[2]), await again(invited[2])],
      [200, 200, 200, 409],
    );
  });

  test('are three when many are asked for at once', async () => {
    const ana = await newcomer();
    const asked = await Promise.all(Array.from({ length: 8 }, () => ana.post('/api/members', { email: someEmail() })));
    assert.equal(asked.filter(({ status }) => status === 200).length, 3);
  });

  test('are as many as it has members once an operator has opened live, and operators may always invite', async () => {
    const ana = await newcomer();
    const email = someEmail();
    for (let i = 0; i < 3; i++) await ana.post('/api/members', { email: someEmail() });
    const invite = ['member', 'invite', '--partner', String(ana.partnerId), '--email', email];
    assert.equal((await run(t.operator(), invite)).mailed, true);
    assert.equal(codeOf(await ana.post('/api/members', { email: someEmail() })), 'invitation_limit_reached');
    await run(t.operator(), ['partner', 'open-live', String(ana.partnerId)]);
    assert.equal((await ana.post('/api/members', { email: someEmail() })).status, 200);
  });

  test('do not limit a partner that an operator created', async () => {
    const ana = await accepted(t, await t.partner());
    for (let i = 0; i < 5; i++) assert.equal((await ana.post('/api/members', { email: someEmail() })).status, 200);
  });
});

suite('an address of a site', () => {
  const spam = 'PayPal Security: verify at evil.example/verify';

  test('is refused in the name and in the company of a sign-up, which says at which field, and nothing is mailed', async () => {
    const email = someEmail();
    for (const [more, code] of [
      [{ name: spam }, 'invalid_name'],
      [{ name: 'evil．example' }, 'invalid_name'],
      [{ company: 'booking.com' }, 'invalid_company'],
      [{ company: 'evil . example' }, 'invalid_company'],
    ] as const) {
      const answer = await signUp(email, undefined, more);
      assert.deepEqual([answer.status, codeOf(answer)], [400, code], JSON.stringify(more));
      assert.match(answer.body.error.message, /website address/);
    }
    await answered();
    assert.equal(smtp.to(email).length, 0);
    assert.equal((await db.query(sql`select from applications where email = ${email}`)).length, 0);
  });

  test('is refused in a name with a line break or a character that turns the text around', async () => {
    for (const name of ['Ana\u2028Silva', 'Ana\u2029Silva', 'Ana\u202eavliS', 'Ana\u2066Silva'])
      assert.equal((await signUp(someEmail(), undefined, { name })).status, 400, JSON.stringify(name));
  });

  test('is refused in the display name until live is open', async () => {
    const ana = await newcomer();
    const brand = { display_name: 'booking.com', color: '', support_url: '' };
    const early = await ana.post('/api/brand', brand);
    assert.deepEqual([early.status, codeOf(early)], [400, 'invalid_name']);
    await run(t.operator(), ['partner', 'open-live', String(ana.partnerId)]);
    assert.equal((await ana.post('/api/brand', brand)).status, 200);
  });

  test('may be part of a name that an operator gives, and is no link in the mails about it', async () => {
    const ana = await newcomer();
    await run(t.operator(), ['partner', 'set', String(ana.partnerId), '--name', 'Booking.com']);
    assert.equal((await ana.get('/api/me')).body.partner.name, 'Booking.com');
    const email = someEmail();
    await ana.post('/api/members', { email });
    await answered();
    const mail = smtp.to(email).at(-1);
    assert.equal(mail?.headers.subject, 'Your invitation to Booking. com');
    assert.match(mail.text, /the panel of Booking\. com, where/);
  });

  test('that was stored before is no link in any mail, and typed names add no other link', async () => {
    const email = someEmail();
    await signUp(email);
    await db.run(
      sql`update applications set name = ${`${spam} https://evil.example www.evil.example`} where email = ${email}`,
    );
    await answered();
    const { text = '' } = smtp.to(email).at(-1) ?? {};
    assert.match(text, /^Hello PayPal Security: verify at evil\. example\/verify/m);
    const links = text.match(/\S+:\/\/\S+|\S+\.(?=[a-z])\S+/g) ?? [];
    assert.deepEqual([...new Set(links.map((link) => link.replace(/#.*/, '')))], ['http://panel.test/sign-up/link']);
  });
});

test('a name in a mail is one line of at most 80 characters without control or bidi characters', () => {
  for (const name of ['x'.repeat(5_000), 'a.bc'.repeat(2_000), 'a\r\nb\u2028c\u202ed\u0007e', '😀'.repeat(500)]) {
    const line = nameLine(name);
    assert.ok([...line].length <= 80);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.ok(layOut([`Hello ${line},`]).split('\n').length <= 4);
  }
});
