import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { htmlMail, type MailedEsim, qrImage } from '../../../../src/domains/messages/mail/html-mail.ts';
import { insertMail } from '../../../../src/domains/messages/mail/queue.ts';
import { letterOf, noticeKinds, noticeOf } from '../../../../src/domains/messages/mail/texts.ts';
import { type Language, languages } from '../../../../src/domains/messages/texts/texts.ts';
import { DEFAULT_COLOR } from '../../../../src/platform/settings/site.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { signedIn, someEmail } from '../../../support/program/panel.ts';
import { smtpServer } from '../../../support/servers/smtp.ts';
import { refundShop } from '../../../support/suppliers/withdrawals.ts';

const smtp = await smtpServer();
after(() => smtp[Symbol.asyncDispose]());
const t = await testApp({ config: { mail: smtp.settings } });
after(() => t[Symbol.asyncDispose]());
const shop = await refundShop(t);
const ana = await signedIn(t, shop.partnerId, 'ana@partner.example');
const brand = { display_name: 'Alpine eSIM', color: '#0a6b4b', support_url: '' };
const share = (id: string | bigint, email: string, language = 'en') =>
  ana.post(`/api/live/orders/${id}/share/mail`, { email, language });

async function mailed(language: Language = 'en') {
  const { id } = await shop.order(shop.live);
  const email = someEmail();
  assert.equal((await share(id, email, language)).status, 200);
  const mail = await eventually('the mail arrived', async () => smtp.to(email)[0]);
  return { id, mail };
}

/** The dark modules of a picture, as a reader sees them. */
function modulesIn(png: Buffer, size: number): boolean[][] {
  const side = png.readUInt32BE(16);
  const at = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const bytes = 1 + Math.ceil(side / 8);
  const dark = (x: number, y: number) => ((lines[y * bytes + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
  const middle = (module: number) => Math.floor(((module + 0.5) * side) / size);
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => dark(middle(x), middle(y))));
}

suite('the mail that brings a traveller their eSIM', () => {
  test('shows where it is for, what it has and its QR code, in the name and the colour of the partner', async () => {
    await ana.post('/api/brand', brand);
    const { id, mail } = await mailed();
    const { url } = (await ana.get(`/api/live/orders/${id}/share`)).body.share;
    const { productTitle, planMb } = (await t.base.worlds.live.travellerLinks.forMail(BigInt(id))) ?? assert.fail();
    for (const text of ['Alpine eSIM', productTitle, 'Data', 'Validity', `href="${url}"`, `background:${brand.color}`])
      assert.ok(mail.html.includes(text), text);
    assert.ok(planMb > 0 && !mail.html.includes('Wayfare') && !mail.html.includes(DEFAULT_COLOR));
    const [qr, ...more] = mail.files;
    assert.deepEqual([qr?.cid, qr?.type, more.length], ['qr', 'image/png', 0]);
    const { esim } = (await t.base.worlds.live.travellerLinks.forMail(BigInt(id))) ?? assert.fail();
    const { data, size } = encode(esim.activationCode, { border: 4, ecc: 'M' });
    assert.deepEqual(modulesIn(qr?.bytes ?? Buffer.alloc(0), size), data);
  });

  test('has the same text beside it, and its code in neither', async () => {
    const { id, mail } = await mailed();
    const { esim } = (await t.base.worlds.live.travellerLinks.forMail(BigInt(id))) ?? assert.fail();
    assert.match(mail.text, /^Here is your eSIM\./);
    for (const text of [mail.text, mail.html]) assert.ok(!text.includes(esim.activationCode));
  });

  test('is written in the language and the direction of the traveller', async () => {
    const { id, mail } = await mailed('ar');
    assert.match(mail.html, /<html lang="ar" dir="rtl">/);
    const { productTitle } = (await t.base.worlds.live.travellerLinks.forMail(BigInt(id))) ?? assert.fail();
    assert.ok(mail.html.includes(`<span dir="auto">${productTitle}</span>`), 'its digits stay before their unit');
    for (const text of [languages.ar.qr.title, languages.ar.install.title, languages.ar.validity])
      assert.ok(mail.html.includes(text), text);
  });

  test('carries the logo of the partner', async () => {
    const saved = await ana.post('/api/brand', { ...brand, logo: qrImage('Alpine').toString('base64') });
    assert.equal(saved.status, 200);
    const { mail } = await mailed();
    assert.deepEqual(
      mail.files.map(({ cid }) => cid),
      ['logo', 'qr'],
    );
    assert.match(mail.html, /<img class="logo" src="cid:logo" alt="Alpine eSIM"/);
  });

  test('is not sent once the page is gone', async () => {
    const { id } = await shop.order(shop.live);
    const to = someEmail();
    await ana.post(`/api/live/orders/${id}/share/revoke`);
    const facts = {
      ...{ url: 'http://panel.test/e/x', displayName: '', supportUrl: '', partnerId: shop.partnerId },
      language: 'en',
      esim: { mode: 'live', orderId: String(id) },
    } as const;
    await t.base.db.tx((tx) =>
      t.base.mail.queue(tx, { kind: 'traveller_page', to, facts, partnerId: shop.partnerId }, t.clock.now()),
    );
    const ended = await eventually('the mail was given up', async () => {
      const all = await run(t.operator(), 'mail list --limit 1000');
      return all.find((mail: { to: string; status: string }) => mail.to === to && mail.status === 'failed');
    });
    assert.deepEqual([ended.error, smtp.to(to).length], ['link ended', 0]);
  });
});

const sender = { siteName: 'Cirrus', panelUrl: new URL('https://panel.cirrus.example') };
const cirrus = { name: 'Cirrus', color: '#c2410c', logo: null };
const names = [
  ...[
    'partnerName',
    'token',
    'until',
    'who',
    'place',
    'from',
    'at',
    'words',
    'limit',
    'name',
    'link',
    'question',
    'note',
    'answer',
    'url',
    'displayName',
  ],
  ...[
    'subscriptionId',
    'world',
    'nextTryAt',
    'balance',
    'level',
    'paymentKey',
    'amount',
    'currency',
    'taken',
    'closesAt',
    'step',
    'number',
    'kind',
    'month',
  ],
  ...['to', 'due', 'credits', 'about'],
];
const facts = {
  ...Object.fromEntries(names.map((name) => [name, `<i>${name}</i>`])),
  ...{ days: '3', language: 'en', supportUrl: 'https://help.example/<i>', partnerId: 1 },
};
const letterKinds = [
  ...[
    'invitation',
    'password_link',
    'password_forgotten',
    'password_link_open',
    'operator_invitation',
    'operator_link',
    'break_glass',
  ],
  ...[
    'proposal',
    'command_above_limit',
    'sign_up',
    'sign_up_known',
    'sign_up_approved',
    'sign_up_question',
    'sign_up_rejected',
    'help_answer',
    'test',
  ],
] as const;

suite('every other mail', () => {
  const contents = [
    ...letterKinds.map((kind) => letterOf(kind as 'test', facts as never, sender)),
    ...noticeKinds.map((kind) => noticeOf(kind, facts as never, { partnerName: '<i>partner</i>', sender })),
  ];

  test('is one plain template in the name and the colour of the operator, and what people typed is no markup in it', () => {
    for (const content of contents) {
      const { html, pictures } = htmlMail(content, content.layout ?? assert.fail(), cirrus, undefined);
      assert.ok(html.includes('Cirrus') && !/wayfare/i.test(html + content.text + content.subject), content.subject);
      assert.ok(!html.includes('<i>'), content.subject);
      assert.deepEqual(pictures, []);
    }
  });

  test('says the same as its text, and every address in the one is a link in the other', () => {
    for (const content of contents) {
      const { html } = htmlMail(content, content.layout ?? assert.fail(), cirrus, undefined);
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
      const addresses = (content.layout?.paragraphs ?? []).flatMap((one) =>
        typeof one === 'object' && 'link' in one ? [one.link] : [],
      );
      assert.equal(links.length, addresses.length, content.subject);
      for (const address of addresses) assert.ok(content.text.includes(address), address);
    }
  });

  test('loads nothing, and gives a button in any colour a text that can be read', () => {
    for (const color of ['#ffffff', '#ffff00', '#000000'])
      for (const content of contents) {
        const { html } = htmlMail(content, content.layout ?? assert.fail(), { ...cirrus, color }, undefined);
        assert.ok(!/(src|background)="?http|url\(|<script|@import/.test(html));
        assert.ok(!html.includes(`background:${color}`) || !html.includes(`color:${color};text-decoration`));
      }
  });
});

test('a logo that mail programs cannot draw, or that is large, is left out, and the name stands there', () => {
  const layout = { paragraphs: ['Hello'], footer: 'Sent by Cirrus.', language: 'en' } as const;
  for (const logo of [
    { type: 'image/svg+xml', bytes: Buffer.from('<svg/>') },
    { type: 'image/png', bytes: Buffer.alloc(200_000) },
  ]) {
    const { html, pictures } = htmlMail({ subject: 'Hello' }, layout, { ...cirrus, logo }, undefined);
    assert.ok(html.includes('>Cirrus</span>') && pictures.length === 0);
  }
});

test('an eSIM with the longest names and a confirmation code fits, and the code is shown', () => {
  const esim: MailedEsim = {
    place: 'Bosnia and Herzegovina',
    title: 'W'.repeat(120),
    ...{ data: '1,000 GB', days: '365 days', activationCode: 'LPA:1$a$b', confirmationCode: '4711', isTest: true },
  };
  const layout = { paragraphs: ['Hello'], footer: 'x', language: 'en' } as const;
  const { html } = htmlMail({ subject: 'Hello' }, layout, cirrus, esim);
  for (const text of ['Confirmation code: <b dir="ltr">4711</b>', 'This is a test eSIM', 'word-break:break-word'])
    assert.ok(html.includes(text), text);
});

test('what an earlier version queued is sent as the text it is', async () => {
  const email = someEmail();
  const content = { subject: 'Earlier', text: 'Hello\n' };
  const row = { partnerId: null, kind: 'test', about: '', recipient: email, content };
  await t.base.db.tx((tx) => insertMail(tx, t.base.vault, row, t.clock.now()));
  const mail = await eventually('the mail arrived', async () => smtp.to(email)[0]);
  assert.match(mail.headers['content-type'] ?? '', /^text\/plain/);
});

test('a QR code is a picture of at least twice the size it is shown with', () => {
  const png = qrImage(`LPA:1$${'rsp.example.com'.repeat(4)}$${'X'.repeat(60)}`);
  assert.ok(png.readUInt32BE(16) >= 440 && png.length < 8_000, String(png.length));
});
