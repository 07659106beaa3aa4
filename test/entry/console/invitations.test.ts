import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { mailStage } from '../../domains/messages/mail/stage.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { accepted, browser, PASSWORD, signedIn, someEmail } from '../../support/program/panel.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';

const { t, smtp, sendAll } = await mailStage();
const said = ({ status, body }: Answer) => [status, body.error?.code];

const invite = async (
  role: 'admin' | 'finance' | 'support' | 'read-only',
  partner: number,
  email: string,
  as?: string,
) =>
  runAs(await signedInOperator(t, role), 'member invite', {
    partner: String(partner),
    email,
    ...(as !== undefined && { role: as }),
  });

async function mailedToken(email: string): Promise<string> {
  await sendAll();
  return (
    smtp
      .to(email)
      .at(-1)
      ?.text.match(/wfl_[\w-]+/)?.[0] ?? ''
  );
}

suite('who may invite a member, and as what', () => {
  test('support invites read-only members, by mail; no other role, not even by leaving it out', async () => {
    const partner = await t.partner();
    for (const role of ['owner', 'developer', 'finance']) {
      const email = someEmail();
      assert.deepEqual(said(await invite('support', partner, email, role)), [403, 'role_forbids'], role);
      await sendAll();
      assert.deepEqual(smtp.to(email), []);
    }
    for (const role of ['read-only', undefined]) {
      const email = someEmail();
      const { body } = await invite('support', partner, email, role);
      assert.deepEqual([body.result.link, body.result.mailed], [null, true], 'the link is mailed, not shown');
      const guest = browser(t);
      await guest.post('/api/welcome', { token: await mailedToken(email), password: PASSWORD });
      assert.equal((await guest.get('/api/me')).body.member.role, 'read-only');
    }
    assert.deepEqual(said(await invite('read-only', partner, someEmail())), [403, 'role_forbids']);
  });

  test('finance gives every role and sees no link; an admin gives every role and sees it', async () => {
    const partner = await t.partner();
    for (const role of ['owner', 'developer', 'finance', 'read-only', undefined]) {
      const [ofFinance, ofAdmin] = [someEmail(), someEmail()];
      assert.equal((await invite('finance', partner, ofFinance, role)).body.result.link, null);
      const { link, mailed } = (await invite('admin', partner, ofAdmin, role)).body.result;
      assert.deepEqual([link.split('#')[1], mailed], [await mailedToken(ofAdmin), true]);
      const guest = browser(t);
      await guest.post('/api/welcome', { token: await mailedToken(ofFinance), password: PASSWORD });
      assert.equal((await guest.get('/api/me')).body.member.role, role ?? 'owner');
    }
  });

  test('the password must have been given minutes ago', async () => {
    const support = await signedInOperator(t, 'support');
    const input = { partner: String(await t.partner()), email: someEmail() };
    t.clock.advance(5 * MINUTE);
    assert.deepEqual(said(await runAs(support, 'member invite', input)), [403, 'confirmation_required']);
  });

  test('a link that cannot be mailed is made for admins only, and nothing is left of the attempt', async () => {
    const partner = await t.partner();
    const email = '"ab"@example.com';
    for (const role of ['support', 'finance'] as const)
      assert.deepEqual(said(await invite(role, partner, email)), [409, 'link_not_mailed'], role);
    const admin = await signedInOperator(t);
    assert.deepEqual((await admin.get(`/operator/api/partners/${partner}/members`)).body.members, []);
    const { link, mailed } = (await invite('admin', partner, email)).body.result;
    assert.deepEqual([/#wfl_/.test(link), mailed], [true, false]);
  });

  test('in the panel a link is shown to the owner who made it only if it was not mailed', async () => {
    const owner = await signedIn(t, await t.partner());
    const { body } = await owner.post('/api/members', { email: someEmail(), role: 'developer' });
    assert.deepEqual([body.link, body.mailed], [null, true]);
    assert.equal((await owner.post(`/api/members/${body.id}/invite-again`)).body.link, null);
    const unmailable = (await owner.post('/api/members', { email: '"ab"@example.com' })).body;
    assert.deepEqual([/#wfl_/.test(unmailable.link), unmailable.mailed], [true, false]);
  });
});

suite('a link for somebody who has a password', () => {
  test('changes nothing until it is used: password, second factor and every session stay', async () => {
    const partner = await t.partner();
    const owner = await accepted(t, partner);
    const factor = await withSecondFactor(t, owner);
    const elsewhere = browser(t);
    const credentials = { email: owner.email, password: PASSWORD };
    assert.equal((await elsewhere.post('/api/sign-in', { ...credentials, code: factor.code() })).status, 200);
    for (const role of ['support', 'finance', 'admin'] as const)
      assert.equal((await invite(role, partner, owner.email)).status, 200, role);
    for (const session of [owner, elsewhere]) {
      const { body } = await session.get('/api/me');
      assert.deepEqual([body.member.role, body.member.second_factor], ['owner', true]);
    }
    const again = browser(t);
    assert.deepEqual(said(await again.post('/api/sign-in', credentials)), [401, 'code_required']);
    assert.equal((await again.post('/api/sign-in', { ...credentials, code: factor.code() })).status, 200);
    // The link alone does not take the place of the second factor either.
    const token = await mailedToken(owner.email);
    const thief = browser(t);
    assert.deepEqual(said(await thief.post('/api/welcome', { token, password: 'another password' })), [
      401,
      'code_required',
    ]);
    assert.equal((await owner.get('/api/me')).status, 200);
  });

  test('touches no other member when it is used: neither theirs at other partners, nor others of this one', async () => {
    const [partner, other] = [await t.partner(), await t.partner()];
    const ana = await accepted(t, partner);
    const colleague = await accepted(t, partner);
    const there = browser(t);
    await invite('finance', other, ana.email);
    const token = await mailedToken(ana.email);
    await there.post('/api/welcome/join', { token, password: PASSWORD });
    assert.equal((await there.get('/api/me')).body.partner.id, other);
    await invite('support', partner, ana.email);
    const taken = browser(t);
    const used = await taken.post('/api/welcome', { token: await mailedToken(ana.email), password: 'a new password' });
    assert.equal(used.status, 200);
    assert.deepEqual((await taken.get('/api/me')).body.accounts.length, 1, 'it opens this partner only');
    assert.equal((await there.get('/api/me')).status, 200, 'the session at the other partner goes on');
    assert.equal((await colleague.get('/api/me')).status, 200);
    const signed = browser(t);
    await signed.post('/api/sign-in', { email: ana.email, password: PASSWORD });
    assert.equal((await signed.get('/api/me')).body.partner.id, other, 'and so does the password there');
  });
});

test('without mail only those who may manage members make links: only they could pass one on', async () => {
  const silent = await testApp({ role: 'panel' });
  after(() => silent[Symbol.asyncDispose]());
  const partner = String(await silent.partner());
  const asked = async (role: 'admin' | 'finance' | 'support') =>
    runAs(await signedInOperator(silent, role), 'member invite', { partner, email: someEmail() });
  for (const role of ['finance', 'support'] as const)
    assert.deepEqual(said(await asked(role)), [409, 'link_not_mailed'], role);
  assert.match((await asked('admin')).body.result.link, /#wfl_/);
  const owner = await signedIn(silent, Number(partner));
  assert.match((await owner.post('/api/members', { email: someEmail() })).body.link, /#wfl_/);
});

test('where a partner’s events go is decided by admins: support can stop and resend, not redirect', async () => {
  const partner = String(await t.partner());
  const url = 'https://93.184.215.14/hook';
  const admin = await signedInOperator(t);
  const made = await runAs(admin, 'webhook create', { partner, mode: 'live', url });
  const id = String(made.body.result.subscription_id);
  for (const role of ['support', 'finance', 'read-only'] as const) {
    const kim = await signedInOperator(t, role);
    for (const [words, input] of [
      ['webhook create', { partner, mode: 'live', url: 'https://93.184.215.14/mine' }],
      ['webhook set', { id, url: 'https://93.184.215.14/mine' }],
      ['webhook rotate', { id }],
      ['webhook rotate', { id, finish: true }],
    ] as const)
      assert.deepEqual(said(await runAs(kim, words, input)), [403, 'role_forbids'], `${words} as ${role}`);
  }
  const support = await signedInOperator(t, 'support');
  assert.equal((await runAs(support, 'webhook pause', { id })).status, 200);
  assert.equal((await runAs(support, 'webhook resume', { id })).status, 200);
});
