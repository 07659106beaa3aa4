import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { answerRequest } from '../../../src/actions/partners/forgotten-passwords.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { acceptedOperator, runAs } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import {
  accepted,
  type Browser,
  browser,
  linkFor,
  PASSWORD,
  signedIn,
  signedInAs,
  someEmail,
} from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';
import { type Issuer, issuer } from '../../support/servers/issuer.ts';
import { settingsFor } from '../../support/servers/smtp.ts';

const CALLBACKS = Array.from({ length: 60 }, (_, i) => `http://panel.test/sso/${i + 1}`);
const [idp, evil] = await Promise.all([issuer(CALLBACKS), issuer(CALLBACKS)]);
const t = await testApp({ config: { webhookTrustedHosts: [idp.host, evil.host], mail: settingsFor(9) } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await Promise.all([idp[Symbol.asyncDispose](), evil[Symbol.asyncDispose]()]);
});

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
let domains = 0;
const someDomain = () => `company${++domains}.example`;
let subjects = 0;
const person = (email: string, more = {}) => ({ sub: `person-${++subjects}`, email, email_verified: true, ...more });

/** Sets up an issuer for a partner. */
async function offer(owner: Browser, of: Issuer, ...names: string[]) {
  const { clientId: client_id, clientSecret: client_secret } = of;
  const set = await owner.post('/api/sso', { issuer: of.url, client_id, client_secret, domains: names });
  assert.equal(set.status, 200, set.text);
}
const confirm = (partner: number, domain: string) =>
  run(t.operator(), `sso confirm --partner ${partner} --domain ${domain}`);

/** A partner whose members sign in at an issuer, with a confirmed domain. */
async function company(of = idp) {
  const [partner, domain] = [await t.partner(), someDomain()];
  const owner = await accepted(t, partner, `owner@${domain}`);
  await offer(owner, of, domain);
  await confirm(partner, domain);
  return { partner, domain, owner, address: (name: string) => `${name}@${domain}` };
}

/** A browser with a ticket beside its session. */
async function enter(account: number, of: Issuer, who: Browser = browser(t)) {
  const session = who.cookie;
  const begun = await who.post('/api/sso/start', { account });
  assert.equal(begun.status, 200, begun.text);
  const ticket = who.cookie;
  const answer = await of.visit(begun.body.url);
  who.cookie = [session, ticket].filter(Boolean).join('; ');
  const done = await who.post('/api/sso/finish', { account, answer });
  if (done.status !== 200) who.cookie = session;
  return { who, done, answer, ticket };
}
const me = async (who: Browser) => (await who.get('/api/me')).body;

suite('setting it up', () => {
  test('an owner names issuer, client and domains; the secret is sealed and never shown', async () => {
    const { owner, domain, partner } = await company();
    const shown = await owner.get('/api/sso');
    assert.deepEqual(shown.body, {
      issuer: idp.url,
      client_id: idp.clientId,
      required: false,
      break_glass: null,
      redirect_uri: `http://panel.test/sso/${partner}`,
      domains: [{ domain, confirmed: true }],
      can_be_break_glass: [],
    });
    assert.ok(!shown.text.includes(idp.clientSecret));
    const rows = await t.base.db.query<{ row: string }>(sql`select p::text as row from partner_sso p`);
    assert.ok(rows.every(({ row }) => !row.includes(Buffer.from(idp.clientSecret).toString('hex'))));
  });

  test('refused are addresses that we do not call, names that are no domains, and everybody but owners', async () => {
    const partner = await t.partner();
    const owner = await signedIn(t, partner);
    const body = { issuer: idp.url, client_id: 'x', client_secret: 'y', domains: [] };
    const set = (more: object, who = owner) => who.post('/api/sso', { ...body, ...more });
    for (const bad of [
      'http://169.254.169.254/',
      'https://10.0.0.1',
      'javascript:alert(1)',
      'nothing',
      'http://issuer.example',
    ])
      assert.deepEqual(codeOf(await set({ issuer: bad })), [400, 'invalid_issuer'], bad);
    for (const bad of ['localhost', 'a b.example', '-x.example', 'example..com', 'com'])
      assert.deepEqual(codeOf(await set({ domains: [bad] })), [400, 'invalid_domain'], bad);
    assert.deepEqual(codeOf(await set({ client_secret: undefined })), [400, 'invalid_client']);
    for (const role of ['developer', 'finance', 'support', 'read-only'] as const) {
      const other = await signedInAs(t, partner, role);
      assert.deepEqual(codeOf(await set({}, other)), [403, 'role_forbids']);
      assert.deepEqual(codeOf(await other.get('/api/sso')), [403, 'role_forbids']);
    }
  });

  test('a domain that two partners claim is whose the operator confirms, and nobody else’s', async () => {
    const { domain } = await company();
    const rival = await t.partner();
    await offer(await signedIn(t, rival), evil, domain);
    await assert.rejects(confirm(rival, domain), { code: 'domain_taken' });
    evil.who = person(`eve@${domain}`);
    assert.deepEqual(codeOf((await enter(rival, evil)).done), [403, 'sso_not_invited']);
    const begun = await browser(t).post('/api/sso/start', { email: `ana@${domain}` });
    assert.ok(begun.body.url.startsWith(idp.url), 'an address leads to the partner that has the domain');
  });
});

suite('signing in', () => {
  test('somebody invited gets their role; somebody else of the domain joins as read-only', async () => {
    const { owner, partner, address } = await company();
    await owner.post('/api/members', { email: address('dev'), role: 'developer' });
    idp.who = person(address('dev'));
    const first = await me((await enter(partner, idp)).who);
    assert.deepEqual([first.member.role, first.member.sso], ['developer', true]);
    idp.who = person(address('new'));
    assert.equal((await me((await enter(partner, idp)).who)).member.role, 'read-only');
  });

  test('the subject says who they are from then on, not the address', async () => {
    const { partner, address } = await company();
    idp.who = person(address('ana'));
    const { id } = (await me((await enter(partner, idp)).who)).member;
    idp.who = { ...idp.who, email: 'ana@elsewhere.example', email_verified: false };
    assert.equal((await me((await enter(partner, idp)).who)).member.id, id);
    idp.who = person(address('ana'));
    assert.deepEqual(
      codeOf((await enter(partner, idp)).done),
      [403, 'sso_other_person'],
      'another subject is somebody else',
    );
  });

  test('refused are addresses that are not verified, or in a domain that nobody has confirmed', async () => {
    const { partner, address, owner } = await company();
    idp.who = person(address('ana'), { email_verified: false });
    assert.deepEqual(codeOf((await enter(partner, idp)).done), [403, 'sso_unverified_address']);
    await owner.post('/api/members', { email: 'bob@unconfirmed.example', role: 'owner' });
    idp.who = person('bob@unconfirmed.example');
    assert.deepEqual(codeOf((await enter(partner, idp)).done), [403, 'sso_not_invited']);
    assert.deepEqual(codeOf(await browser(t).post('/api/sso/start', { email: 'bob@unconfirmed.example' })), [
      404,
      'sso_not_found',
    ]);
    assert.deepEqual(codeOf(await browser(t).post('/api/sso/start', { account: 999_999 })), [404, 'sso_not_found']);
  });

  test('another issuer of the partner knows nobody: whom the old one knew is signed out', async () => {
    const { partner, address, owner, domain } = await company();
    idp.who = person(address('ana'));
    const { who } = await enter(partner, idp);
    await offer(owner, evil, domain);
    assert.equal((await who.get('/api/me')).status, 401);
    assert.equal((await owner.post('/api/sso/remove')).status, 200);
    assert.deepEqual(codeOf(await browser(t).post('/api/sso/start', { account: partner })), [404, 'sso_not_found']);
  });
});

suite('the issuer of one partner', () => {
  test('opens nothing at another, although the same person is a member of both', async () => {
    const mine = await company(evil);
    const other = await t.partner();
    const ana = await accepted(t, other, mine.address('ana'));
    const token = await linkFor(t, mine.partner, mine.address('ana'));
    await browser(t).post('/api/welcome/join', { token, password: PASSWORD });
    const [, place] = (await me(ana)).accounts.concat();
    assert.ok(place, 'one person, two accounts');
    evil.who = person(mine.address('ana'));
    const { who } = await enter(mine.partner, evil);
    const seen = await me(who);
    assert.deepEqual(
      seen.accounts.map((one: { partner: { id: number } }) => one.partner.id),
      [mine.partner],
    );
    const at = (await me(ana)).accounts.find((one: { partner: { id: number } }) => one.partner.id === other);
    assert.deepEqual(codeOf(await who.post(`/api/accounts/${at.id}/open`)), [404, 'account_not_found']);
  });

  test('does not change how the person signs in', async () => {
    const { partner, address } = await company();
    idp.who = person(address('ana'));
    const { who } = await enter(partner, idp);
    const refused = [403, 'sso_session'];
    assert.deepEqual(codeOf(await who.post('/api/passkeys/start')), refused);
    assert.deepEqual(codeOf(await who.post('/api/second-factor/start')), refused);
    assert.deepEqual(
      codeOf(await who.post('/api/password', { current: PASSWORD, password: 'another password' })),
      refused,
    );
    assert.deepEqual(codeOf(await who.get('/api/sessions')), refused);
    assert.deepEqual(codeOf(await browser(t).post('/api/sign-in', { email: address('ana'), password: '' })), [
      401,
      'wrong_email_or_password',
    ]);
  });

  test('claims an address that was invited elsewhere, and gets nothing there', async () => {
    const { partner, address } = await company(idp);
    const rival = await company(evil);
    await run(t.operator(), `member invite --partner ${partner} --email ${address('boss')} --role owner`);
    evil.who = person(address('boss'));
    assert.deepEqual(codeOf((await enter(rival.partner, evil)).done), [403, 'sso_not_invited']);
    const { members } = (await (await signedIn(t, partner)).get('/api/members')).body;
    assert.equal(members.find(({ email }: { email: string }) => email === address('boss')).accepted, false);
  });

  test('does not answer for another: tickets and answers cannot be mixed up', async () => {
    const [one, two] = [await company(idp), await company(evil)];
    evil.who = person(two.address('eve'));
    const who = browser(t);
    const begun = await who.post('/api/sso/start', { account: two.partner });
    const answer = await evil.visit(begun.body.url);
    assert.deepEqual(codeOf(await who.post('/api/sso/finish', { account: one.partner, answer })), [
      403,
      'sso_begin_again',
    ]);
    const eve = await enter(two.partner, evil);
    const ana = browser(t);
    await ana.post('/api/sso/start', { account: two.partner });
    assert.deepEqual(codeOf(await ana.post('/api/sso/finish', { account: two.partner, answer: eve.answer })), [
      403,
      'sso_failed',
    ]);
  });
});

suite('where it is required', () => {
  /** A company with an owner who keeps a password, and somebody who has one, too. */
  async function strict() {
    const mine = await company();
    const app = await withSecondFactor(t, mine.owner);
    const ana = await accepted(t, mine.partner, mine.address('ana'));
    idp.who = person(mine.address('first'));
    await enter(mine.partner, idp);
    const { can_be_break_glass: able } = (await mine.owner.get('/api/sso')).body;
    assert.equal(able.length, 1);
    const required = await mine.owner.post('/api/sso/require', { break_glass: able[0].id });
    assert.equal(required.status, 200, required.text);
    return { ...mine, app, ana, ownerId: able[0].id };
  }
  const password = (email: string, more = {}) =>
    browser(t).post('/api/sign-in', { email, password: PASSWORD, ...more });

  test('it is tried first, and somebody with a second factor is left a password', async () => {
    const { owner, partner } = await company();
    const { id } = (await me(owner)).member;
    assert.deepEqual(codeOf(await owner.post('/api/sso/require', { break_glass: id })), [409, 'sso_not_tried']);
    idp.who = person(`first@${domains}.example`);
    idp.who = { ...idp.who, email: (await me(owner)).member.email.replace('owner', 'first') };
    await enter(partner, idp);
    assert.deepEqual(codeOf(await owner.post('/api/sso/require', { break_glass: id })), [409, 'no_break_glass']);
  });

  test('a password, a session it opened, a passkey, a link and a forgotten password no longer let in', async () => {
    const { ana, partner, address } = await strict();
    const required = [403, 'sso_required'];
    assert.equal((await ana.get('/api/me')).status, 401, 'sessions of before end');
    assert.deepEqual(codeOf(await password(address('ana'))), required);
    const token = await linkFor(t, partner, address('ana'));
    assert.deepEqual(codeOf(await browser(t).post('/api/welcome/show', { token })), required);
    assert.deepEqual(codeOf(await browser(t).post('/api/welcome', { token, password: 'a new password' })), required);
    const invited = await linkFor(t, partner, address('bob'));
    assert.deepEqual(
      codeOf(await browser(t).post('/api/welcome', { token: invited, password: 'a new password' })),
      required,
    );
    await browser(t).post('/api/forgotten-password', { email: address('ana') });
    const mails = () =>
      t.base.db.query(sql`select from mails where kind = 'password_forgotten' and recipient = ${address('ana')}`);
    await answerRequest(t.base);
    assert.equal((await mails()).length, 0);
    idp.who = person(address('ana'));
    assert.equal((await enter(partner, idp)).done.status, 200, 'their company lets them in');
  });

  test('a passkey neither; somebody at another account opens only that one', async () => {
    const mine = await company();
    const app = await withSecondFactor(t, mine.owner);
    const ana = await accepted(t, mine.partner, mine.address('ana'));
    const passkey = new SoftPasskey();
    const { options } = (await ana.post('/api/passkeys/start')).body;
    await ana.post('/api/passkeys', { name: 'Phone', passkey: passkey.create(options) });
    const other = await t.partner();
    const token = await linkFor(t, other, mine.address('ana'));
    const use = async () => passkey.use((await browser(t).post('/api/passkeys/request')).body.options);
    idp.who = person(mine.address('first'));
    await enter(mine.partner, idp);
    const { id } = (await me(mine.owner)).member;
    await mine.owner.post('/api/sso/require', { break_glass: id });
    assert.deepEqual(codeOf(await browser(t).post('/api/sign-in/passkey', { passkey: await use() })), [
      403,
      'sso_required',
    ]);
    assert.equal(
      (await browser(t).post('/api/welcome/join', { token, password: PASSWORD, passkey: await use() })).status,
      200,
    );
    const there = browser(t);
    await there.post('/api/sign-in/passkey', { passkey: await use() });
    const { accounts, partner } = await me(there);
    assert.deepEqual([partner.id, accounts.length], [other, 1]);
    const { id: place } = (await mine.owner.get('/api/members')).body.members.find(
      ({ email }: { email: string }) => email === mine.address('ana'),
    );
    assert.deepEqual(codeOf(await there.post(`/api/accounts/${place}/open`)), [404, 'account_not_found']);
    assert.ok(app);
  });

  test('whoever is left a password gets in with it, and everybody who may know is mailed', async () => {
    const { app, address } = await strict();
    const mails = () =>
      t.base.db.query<{ recipient: string }>(sql`select recipient from mails where kind = 'break_glass' order by id`);
    const before = (await mails()).length;
    assert.deepEqual(codeOf(await password(address('owner'))), [401, 'code_required']);
    assert.equal((await mails()).length, before);
    assert.equal((await password(address('owner'), { code: app.code() })).status, 200);
    const told = (await mails()).slice(before).map(({ recipient }) => recipient);
    assert.deepEqual(told, [address('owner'), address('ana')], 'both are owners');
  });

  test('their way in stays: the second factor, the role and the membership', async () => {
    const { owner, ownerId, partner, address } = await strict();
    const stays = [409, 'break_glass_stays'];
    assert.deepEqual(codeOf(await owner.post('/api/second-factor/turn-off')), stays);
    await run(t.operator(), `member invite --partner ${partner} --email ${address('second')} --role owner`);
    idp.who = person(address('second'));
    const { who: second } = await enter(partner, idp);
    assert.deepEqual(codeOf(await second.post(`/api/members/${ownerId}/role`, { role: 'read-only' })), stays);
    assert.deepEqual(codeOf(await second.post(`/api/members/${ownerId}/remove`)), stays);
    assert.equal((await owner.post('/api/sso/require', { break_glass: null })).status, 200);
    assert.equal((await owner.post('/api/second-factor/turn-off')).status, 200);
  });

  test('in an emergency the operator switches it off, and passwords work again', async () => {
    const { partner, address } = await strict();
    assert.deepEqual(await run(t.operator(), `sso release --partner ${partner}`), { required: false });
    assert.equal((await password(address('ana'))).status, 200);
  });
});

test('operators: required, a password is left to one admin, whose use is mailed, and the command line ends it', async () => {
  await using other = await testApp({
    config: {
      webhookTrustedHosts: [idp.host],
      mail: settingsFor(9),
      oidc: {
        issuer: new URL(idp.url),
        clientId: idp.clientId,
        clientSecret: idp.clientSecret,
        roleClaim: undefined,
        roles: new Map(),
      },
    },
  });
  const [kim, lee] = [await acceptedOperator(other, 'admin'), await acceptedOperator(other, 'support')];
  const { id } = (await kim.get('/operator/api/me')).body.operator;
  await assert.rejects(run(other.operator(), `sso require --operator ${id}`), { code: 'no_break_glass' });
  const app = await withSecondFactor(other, kim, '/operator/api');
  assert.equal((await runAs(kim, 'sso require', { operator: String(id) })).status, 200);
  assert.equal((await lee.get('/operator/api/me')).status, 401, 'sessions of before end');
  const enterWith = (email: string, more = {}) =>
    browser(other).post('/operator/api/sign-in', { email, password: PASSWORD, ...more });
  assert.deepEqual(codeOf(await enterWith(lee.email)), [403, 'sso_required']);
  assert.deepEqual(codeOf(await kim.post('/operator/api/second-factor/turn-off')), [403, 'second_factor_required']);
  assert.equal((await enterWith(kim.email, { code: app.code() })).status, 200);
  const mailed = await other.base.db.query<{ recipient: string }>(
    sql`select recipient from mails where kind = 'break_glass'`,
  );
  assert.deepEqual(
    mailed.map(({ recipient }) => recipient),
    [kim.email],
  );
  await run(other.operator(), 'sso release');
  assert.equal((await enterWith(lee.email)).status, 200);
});

test('where nobody has set it up, the panel shows nothing of it', async () => {
  await using other = await testApp();
  assert.equal('sso' in (await browser(other).get('/api/sign-in')).body, false);
  assert.equal((await browser(t).get('/api/sign-in')).body.sso, true);
  assert.ok(someEmail());
});
