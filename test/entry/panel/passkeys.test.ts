import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, record, testApp } from '../../support/program/app.ts';
import { acceptedOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, type Browser, browser, linkFor, PASSWORD } from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { withSecondFactor } from '../../support/program/second-factor.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
type Api = '/api' | '/operator/api';
type Lies = Parameters<SoftPasskey['use']>[1];

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const refused = [403, 'wrong_passkey'];

/** Adds a passkey to somebody who has just signed in. */
async function withPasskey(who: Browser, passkey = new SoftPasskey(), api: Api = '/api') {
  const { body } = await who.post(`${api}/passkeys/start`);
  const added = await who.post(`${api}/passkeys`, { name: 'Phone', passkey: passkey.create(body.options) });
  assert.equal(added.status, 200, added.text);
  for (const code of added.body.recovery_codes ?? []) record('secrets', `${code}\n`);
  return { passkey, id: added.body.passkey.id, recoveryCodes: added.body.recovery_codes };
}

const request = async (api: Api = '/api') => (await browser(t).post(`${api}/passkeys/request`)).body.options;
const enterAlone = async (passkey: SoftPasskey, lies?: Lies, who = browser(t), api: Api = '/api') =>
  who.post(`${api}/sign-in/passkey`, { passkey: passkey.use(await request(api), lies) });
const enter = (email: string, factor: object = {}) =>
  browser(t).post('/api/sign-in', { email, password: PASSWORD, ...factor });

test('adding one: it has a name, and the first one comes with ten recovery codes and ends the other sessions', async () => {
  const ana = await accepted(t, partner);
  const elsewhere = browser(t);
  await elsewhere.post('/api/sign-in', { email: ana.email, password: PASSWORD });
  assert.deepEqual((await ana.get('/api/passkeys')).body, { available: true, passkeys: [] });
  const { recoveryCodes, id } = await withPasskey(ana);
  assert.equal(new Set(recoveryCodes).size, 10);
  const [shown] = (await ana.get('/api/passkeys')).body.passkeys;
  assert.deepEqual([shown.id, shown.name, shown.last_used_at], [id, 'Phone', null]);
  assert.equal((await elsewhere.get('/api/me')).status, 401, 'sessions opened without it end');
  assert.equal((await ana.get('/api/me')).body.member.second_factor, true);
  assert.equal((await withPasskey(ana)).recoveryCodes, null, 'the codes stay');
  assert.equal((await ana.get('/api/passkeys')).body.passkeys.length, 2);
  assert.equal((await ana.get('/api/second-factor')).body.recovery_codes_left, 10);
});

test('adding and removing one asks who is there, a while after the sign-in', async () => {
  const ana = await accepted(t, partner);
  const { passkey, id } = await withPasskey(ana);
  t.clock.advance(6 * MINUTE);
  const needs = [403, 'confirmation_required'];
  assert.deepEqual(codeOf(await ana.post('/api/passkeys/start')), needs);
  assert.deepEqual(codeOf(await ana.post(`/api/passkeys/${id}/remove`)), needs);
  const options = { challenge: 'x', rp: { id: 'panel.test' } };
  assert.deepEqual(
    codeOf(await ana.post('/api/passkeys', { name: 'x', passkey: new SoftPasskey().create(options) })),
    needs,
  );
  assert.deepEqual(codeOf(await ana.post('/api/confirm', {})), [403, 'wrong_password']);
  const confirmed = await ana.post('/api/confirm', { passkey: passkey.use(await request()) });
  assert.equal(confirmed.status, 200, 'with the passkey alone');
  assert.equal((await ana.post(`/api/passkeys/${id}/remove`)).status, 200);
});

suite('signing in', () => {
  test('with a passkey and nothing else; the list says when it was used', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const phone = browser(t);
    assert.equal((await enterAlone(passkey, {}, phone)).status, 200);
    assert.equal((await phone.get('/api/me')).body.member.email, ana.email);
    assert.equal(typeof (await ana.get('/api/passkeys')).body.passkeys[0].last_used_at, 'string');
  });

  test('with the password, a passkey takes the place of the code; one that does not verify its user does, too', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    assert.deepEqual(codeOf(await enter(ana.email)), [401, 'code_required']);
    assert.equal((await enter(ana.email, { passkey: passkey.use(await request()) })).status, 200);
    const touched = { isUnverified: true };
    assert.equal((await enter(ana.email, { passkey: passkey.use(await request(), touched) })).status, 200);
    assert.deepEqual(codeOf(await enterAlone(passkey, touched)), refused, 'but it is not enough alone');
  });

  test('with an app and a passkey, either is enough, and each recovery code works once', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const app = await withSecondFactor(t, ana);
    const [code = ''] = app.recoveryCodes;
    assert.equal((await enter(ana.email, { code: app.code() })).status, 200);
    assert.equal((await enter(ana.email, { passkey: passkey.use(await request()) })).status, 200);
    assert.equal((await enter(ana.email, { code })).status, 200);
    assert.deepEqual(codeOf(await enter(ana.email, { code })), [403, 'wrong_code']);
  });

  test('without an app, digits are refused and recovery codes work', async () => {
    const ana = await accepted(t, partner);
    const { recoveryCodes } = await withPasskey(ana);
    assert.deepEqual(codeOf(await enter(ana.email, { code: '123456' })), [403, 'wrong_code']);
    assert.equal((await enter(ana.email, { code: recoveryCodes[0] })).status, 200);
  });

  test('a link that sets a new password asks for it, and the passkey stays', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const token = await linkFor(t, partner, ana.email);
    const password = 'a new password';
    assert.deepEqual(codeOf(await browser(t).post('/api/welcome', { token, password })), [401, 'code_required']);
    const stranger = new SoftPasskey();
    const other = await browser(t).post('/api/welcome', { token, password, passkey: stranger.use(await request()) });
    assert.deepEqual(codeOf(other), refused);
    const used = await browser(t).post('/api/welcome', { token, password, passkey: passkey.use(await request()) });
    assert.equal(used.status, 200, used.text);
    assert.equal((await enterAlone(passkey)).status, 200);
    assert.deepEqual(codeOf(await browser(t).post('/api/sign-in', { email: ana.email, password })), [
      401,
      'code_required',
    ]);
  });
});

suite('refused is', () => {
  test('an answer that was used before, or is for an older question', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const older = passkey.use(await request());
    const answer = passkey.use(await request());
    const send = (passkey: object) => browser(t).post('/api/sign-in/passkey', { passkey });
    const both = await Promise.all([send(answer), send(answer)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403], 'of two at once, one gets in');
    assert.deepEqual(codeOf(await send(answer)), refused);
    assert.deepEqual(codeOf(await send(older)), refused);
  });

  test('an answer to a question that is too old, or not ours', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const asked = await request();
    t.clock.advance(6 * MINUTE);
    const send = (options: Parameters<SoftPasskey['use']>[0]) =>
      browser(t).post('/api/sign-in/passkey', { passkey: passkey.use(options) });
    assert.deepEqual(codeOf(await send(asked)), refused);
    const { options: toAdd } = (await (await accepted(t, partner)).post('/api/passkeys/start')).body;
    assert.deepEqual(codeOf(await send({ rpId: 'panel.test', challenge: toAdd.challenge })), refused);
    const { rpId, challenge } = await request();
    const [stamp, random, signature] = Buffer.from(challenge, 'base64url').toString().split('.');
    const forged = Buffer.from(`${Number(stamp) + 1}.${random}.${signature}`).toString('base64url');
    assert.deepEqual(codeOf(await send({ rpId, challenge: forged })), refused);
  });

  test('a passkey of another site, and an answer given at another site', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    assert.deepEqual(codeOf(await enterAlone(passkey, { rpId: 'evil.test' })), refused);
    assert.deepEqual(codeOf(await enterAlone(passkey, { origin: 'https://panel.test.evil.test' })), refused);
    assert.deepEqual(codeOf(await enterAlone(passkey, { type: 'webauthn.create' })), refused);
    const { options } = (await ana.post('/api/passkeys/start')).body;
    const add = (lies: object) =>
      ana.post('/api/passkeys', { name: 'x', passkey: new SoftPasskey().create(options, lies) });
    assert.deepEqual(codeOf(await add({ rpId: 'evil.test' })), refused);
    assert.deepEqual(codeOf(await add({ origin: 'http://evil.test' })), refused);
  });

  test('a copy of an authenticator: its counter is behind', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana, new SoftPasskey({ counter: 5 }));
    assert.equal((await enterAlone(passkey, { counter: 9 })).status, 200);
    for (const counter of [9, 8, 0]) assert.deepEqual(codeOf(await enterAlone(passkey, { counter })), refused);
    assert.equal((await enterAlone(passkey, { counter: 10 })).status, 200);
  });

  test('a passkey nobody has, and one with another key under a known id', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    assert.deepEqual(codeOf(await enterAlone(new SoftPasskey())), refused);
    const twin = new SoftPasskey({ id: passkey.id });
    assert.deepEqual(codeOf(await enterAlone(twin)), refused);
    const eve = await accepted(t, partner);
    const { options } = (await eve.post('/api/passkeys/start')).body;
    assert.deepEqual(codeOf(await eve.post('/api/passkeys', { name: 'x', passkey: twin.create(options) })), [
      409,
      'passkey_exists',
    ]);
  });

  test('what was made for another person', async () => {
    const [ana, eve] = [await accepted(t, partner), await accepted(t, partner)];
    const { passkey } = await withPasskey(ana);
    const { options } = (await ana.post('/api/passkeys/start')).body;
    const made = new SoftPasskey().create(options);
    assert.deepEqual(codeOf(await eve.post('/api/passkeys', { name: 'x', passkey: made })), refused);
    assert.deepEqual(codeOf(await eve.post('/api/confirm', { passkey: passkey.use(await request()) })), refused);
    await withPasskey(eve);
    assert.deepEqual(codeOf(await enter(eve.email, { passkey: passkey.use(await request()) })), refused);
  });

  test('a statement about the authenticator that comes with certificates: checking one may fetch what it names', async () => {
    const ana = await accepted(t, partner);
    const { options } = (await ana.post('/api/passkeys/start')).body;
    const made = new SoftPasskey().create(options, {}, { alg: -7, sig: new Uint8Array(8), x5c: [new Uint8Array(8)] });
    assert.deepEqual(codeOf(await ana.post('/api/passkeys', { name: 'x', passkey: made })), refused);
  });

  test('a request from another site', async () => {
    const passkey = new SoftPasskey().use(await request());
    const foreign = { headers: { origin: 'http://evil.test' } };
    assert.deepEqual(codeOf(await browser(t).post('/api/sign-in/passkey', { passkey }, foreign)), [
      403,
      'cross_origin',
    ]);
  });
});

suite('members and operators', () => {
  test('have passkeys apart: neither opens the other, also with the same address', async () => {
    const kim = await acceptedOperator(t, 'support');
    const ana = await accepted(t, partner, kim.email);
    const { passkey: operators } = await withPasskey(kim, new SoftPasskey(), '/operator/api');
    const { passkey: members } = await withPasskey(ana);
    assert.equal((await enterAlone(operators, {}, browser(t), '/operator/api')).status, 200);
    assert.deepEqual(codeOf(await enterAlone(members, {}, browser(t), '/operator/api')), refused);
    assert.deepEqual(codeOf(await enterAlone(operators)), refused);
    const asked = await request();
    const mixed = await browser(t).post('/operator/api/sign-in/passkey', { passkey: operators.use(asked) });
    assert.deepEqual(codeOf(mixed), refused, 'the panel’s question is not the console’s');
  });

  test('a role that needs a second factor can choose either, and keeps the last one', async () => {
    const kim = await acceptedOperator(t, 'admin');
    assert.deepEqual(codeOf(await kim.get('/operator/api/operators')), [403, 'second_factor_required']);
    const { id } = await withPasskey(kim, new SoftPasskey(), '/operator/api');
    assert.equal((await kim.get('/operator/api/operators')).status, 200);
    const removeKey = (which: string) => kim.post(`/operator/api/passkeys/${which}/remove`);
    assert.deepEqual(codeOf(await removeKey(id)), [403, 'second_factor_required']);
    await withSecondFactor(t, kim, '/operator/api');
    const both = await Promise.all([removeKey(id), kim.post('/operator/api/second-factor/turn-off')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403], 'of both at once, one stays');
  });
});

suite('removing', () => {
  test('one ends the other sessions; with the last factor, the recovery codes go', async () => {
    const ana = await accepted(t, partner);
    const { passkey, id, recoveryCodes } = await withPasskey(ana);
    const phone = browser(t);
    await enterAlone(passkey, {}, phone);
    assert.equal((await ana.post(`/api/passkeys/${id}/remove`)).status, 200);
    assert.equal((await phone.get('/api/me')).status, 401);
    assert.deepEqual(codeOf(await enterAlone(passkey)), refused);
    assert.equal((await enter(ana.email)).status, 200);
    assert.equal((await ana.get('/api/second-factor')).body.recovery_codes_left, 0);
    await withPasskey(ana);
    assert.deepEqual(codeOf(await enter(ana.email, { code: recoveryCodes[0] })), [403, 'wrong_code']);
  });

  test('another person’s is answered like one that never existed', async () => {
    const [ana, eve] = [await accepted(t, partner), await accepted(t, partner)];
    const { id } = await withPasskey(ana);
    const others = await eve.post(`/api/passkeys/${id}/remove`);
    assert.deepEqual(codeOf(others), [404, 'passkey_not_found']);
    assert.equal(others.text, (await eve.post('/api/passkeys/999999/remove')).text);
  });

  test('the app keeps the recovery codes of somebody with a passkey, and the passkey keeps being asked for', async () => {
    const ana = await accepted(t, partner);
    await withPasskey(ana);
    const { recoveryCodes } = await withSecondFactor(t, ana);
    assert.equal((await ana.post('/api/second-factor/turn-off')).status, 200);
    assert.equal((await ana.get('/api/second-factor')).body.recovery_codes_left, 10);
    assert.deepEqual(codeOf(await enter(ana.email)), [401, 'code_required']);
    assert.equal((await enter(ana.email, { code: recoveryCodes[0] })).status, 200);
  });

  test('an operator resets everything for somebody who lost it', async () => {
    const ana = await accepted(t, partner);
    const { passkey } = await withPasskey(ana);
    const { id } = (await ana.get('/api/me')).body.member;
    await run(t.operator(), `member reset-second-factor ${id}`);
    assert.equal((await ana.get('/api/me')).status, 401);
    assert.deepEqual(codeOf(await enterAlone(passkey)), refused);
    assert.equal((await enter(ana.email)).status, 200);
  });
});

test('the audit log names the passkey that was added or removed', async () => {
  const ana = await accepted(t, partner);
  const { id } = await withPasskey(ana);
  await ana.post(`/api/passkeys/${id}/remove`);
  const entries = (await ana.get('/api/activity')).body.entries.slice(0, 2);
  assert.deepEqual(
    entries.map(({ sentence }: { sentence: string }) => sentence),
    ['Removed the passkey “Phone”', 'Added the passkey “Phone”'],
  );
});

test('the twenty-first is refused, and so is one without a name', async () => {
  const ana = await accepted(t, partner);
  await withPasskey(ana);
  const { options } = (await ana.post('/api/passkeys/start')).body;
  const made = new SoftPasskey().create(options);
  for (const name of ['', ' ', 'x'.repeat(61), 'a\u0007b'])
    assert.deepEqual(codeOf(await ana.post('/api/passkeys', { name, passkey: made })), [400, 'invalid_name']);
  await t.base.db.run(sql`
    insert into passkeys (person_id, credential_id, public_key, counter, name, created_at)
    select person_id, decode(lpad(to_hex(n), 8, '0'), 'hex'), public_key, 0, name, created_at
    from members join passkeys using (person_id), generate_series(1, 19) as n where email = ${ana.email}`);
  const limit = [409, 'passkey_limit_reached'];
  assert.deepEqual(codeOf(await ana.post('/api/passkeys/start')), limit);
  assert.deepEqual(codeOf(await ana.post('/api/passkeys', { name: 'x', passkey: made })), limit);
});
