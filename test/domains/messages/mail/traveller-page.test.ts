import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { languages } from '../../../../src/domains/messages/texts/texts.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { signedIn, signedInAs } from '../../../support/program/panel.ts';
import { smtpServer } from '../../../support/servers/smtp.ts';
import { refundShop } from '../../../support/suppliers/withdrawals.ts';

const smtp = await smtpServer();
after(() => smtp[Symbol.asyncDispose]());
const t = await testApp({ config: { mail: smtp.settings } });
after(() => t[Symbol.asyncDispose]());
const shop = await refundShop(t);
let ana = await signedIn(t, shop.partnerId, 'ana@partner.example');
const mail = (mode: string, id: string, email: string, by = ana) =>
  by.post(`/api/${mode}/orders/${id}/share/mail`, { email });

test('the traveller gets the link in the partner’s name, and nothing else', async () => {
  const { id } = await shop.order(shop.live);
  await ana.post('/api/brand', { display_name: 'Alpine eSIM', color: '', support_url: 'mailto:help@alpine.example' });
  assert.equal((await mail('live', id, ' kim@traveller.example ')).status, 200);
  const letter = await eventually('the mail arrived', async () => smtp.to('kim@traveller.example')[0]);
  const { url } = (await ana.get(`/api/live/orders/${id}/share`)).body.share;
  assert.equal(letter.headers.subject, 'Your eSIM from Alpine eSIM');
  assert.match(letter.headers.from ?? '', /^"?Alpine eSIM"? <post@wayfare\.test>$/);
  assert.ok(letter.text.includes(url));
  assert.match(letter.text ?? '', /Help: help@alpine\.example/);
  assert.doesNotMatch(letter.text ?? '', /LPA:|panel\.test(?!\/e\/)/);
});

test('it is in the language the sender chose, of those the page has, and in English otherwise', async () => {
  const { id } = await shop.order(shop.live);
  const url = (await ana.get(`/api/live/orders/${id}/share`)).body.share.url;
  for (const [language, { mail }] of Object.entries(languages).slice(0, 5)) {
    const email = `${language}@traveller.example`;
    assert.equal((await ana.post(`/api/live/orders/${id}/share/mail`, { email, language })).status, 200, language);
    const letter = await eventually(`the mail in ${language}`, async () => smtp.to(email)[0]);
    assert.equal(letter.headers.subject, mail.subjectOf.replace('{name}', 'Alpine eSIM'));
    const words = letter.text.replaceAll(/\s+/g, ' ');
    for (const text of [mail.here, mail.keepPrivate, mail.help.replace('{address}', 'help@alpine.example'), url])
      assert.ok(words.includes(text), `${language}: ${text}`);
    assert.ok(words.trim().endsWith(`-- ${mail.sentBy.replace('{name}', 'Alpine eSIM')}`), words);
  }
  const unknown = await ana.post(`/api/live/orders/${id}/share/mail`, { email: 'a@traveller.example', language: 'xx' });
  assert.equal(unknown.status, 400);
});

test('every language has a mail of its own', () => {
  const english = Object.values(languages.en.mail);
  for (const [language, { mail }] of Object.entries(languages))
    for (const [name, text] of Object.entries(mail)) {
      assert.ok(language === 'en' || !english.includes(text), `${language} ${name}`);
      const places = (of: string) => of.match(/\{\w+\}/g) ?? [];
      assert.deepEqual(places(text), places(languages.en.mail[name as keyof typeof mail]), `${language} ${name}`);
    }
});

test('the address is in the queue of mails only: not in the audit log, not among kept answers', async () => {
  const { id } = await shop.order(shop.live);
  const address = 'nowhere-else@traveller.example';
  await mail('live', id, address);
  const { entries } = await t.base.db.one<{ entries: number }>(sql`
    select count(*)::int as entries from audit_log where to_jsonb(audit_log)::text like ${`%${address}%`}`);
  const { after: logged } = await t.base.db.one<{ after: object }>(sql`
    select after from audit_log where what = 'share mail' and target = ${`order ${id}`}`);
  assert.deepEqual([entries, logged], [0, { mode: 'live' }]);
  await eventually('its content is erased once it is sent', () =>
    t.base.db.maybe(sql`select 1 from mails where recipient = ${address} and content is null`),
  );
});

test('an order gets five mails a day and an account a hundred, also when they are asked for at once', async () => {
  const { id } = await shop.order(shop.live);
  const codes = async (answers: Promise<{ body: { error?: { code: string } } }>[]) =>
    (await Promise.all(answers)).map(({ body }) => body.error?.code ?? 'sent').sort();
  const eight = Array.from({ length: 8 }, (_, i) => mail('live', id, `${i}@traveller.example`));
  assert.deepEqual(await codes(eight), [...Array(3).fill('mail_limit_reached'), ...Array(5).fill('sent')]);
  await t.base.db.run(sql`
    insert into mails (partner_id, kind, about, recipient, created_at, sent_at)
    select ${shop.partnerId}, 'traveller_page', 'filler', 'x@traveller.example', ${new Date(t.clock.now())}, now()
    from generate_series(1, 100)`);
  const another = await shop.order(shop.live);
  assert.equal((await mail('live', another.id, 'a@traveller.example')).body.error.code, 'mail_limit_reached');
  t.clock.advance(DAY + 1);
  ana = await signedIn(t, shop.partnerId, 'bea@partner.example');
  assert.equal((await mail('live', another.id, 'a@traveller.example')).status, 200);
});

test('the sandbox mails only the address its member signs in with', async () => {
  const { id } = await shop.order(shop.sandbox);
  assert.equal((await mail('sandbox', id, 'stranger@traveller.example')).body.error.code, 'own_address_only');
  assert.equal((await mail('sandbox', id, 'BEA@partner.example')).status, 200);
});

test('what is no address, has no page, or is another partner’s is refused', async () => {
  const { id } = await shop.order(shop.live);
  for (const email of ['', 'kim', 'a@b.example, c@d.example', 'kim@traveller.example\nBcc: x@y.example'])
    assert.equal((await mail('live', id, email)).body.error.code, 'invalid_email', email);
  const stranger = await signedIn(t, await t.partner());
  const [foreign, missing] = [
    await mail('live', id, 'kim@traveller.example', stranger),
    await mail('live', '999999999', 'kim@traveller.example', stranger),
  ];
  assert.deepEqual([foreign.status, foreign.text], [missing.status, missing.text]);
  await ana.post(`/api/live/orders/${id}/share/revoke`);
  assert.equal((await mail('live', id, 'kim@traveller.example')).body.error.code, 'not_shareable');
  const reader = await signedInAs(t, shop.partnerId, 'read-only');
  assert.equal((await mail('live', id, 'kim@traveller.example', reader)).body.error.code, 'role_forbids');
});

test('without mail the panel says so, and offers nothing', async () => {
  await using quiet = await testApp();
  const own = await refundShop(quiet);
  const { id } = await own.order(own.live);
  const eve = await signedIn(quiet, own.partnerId);
  assert.equal((await eve.get(`/api/live/orders/${id}/share`)).body.share.mail_on, false);
  assert.equal((await mail('live', id, 'kim@traveller.example', eve)).body.error.code, 'mail_off');
});
