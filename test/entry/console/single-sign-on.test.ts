import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { type Answer, record, testApp } from '../../support/program/app.ts';
import { acceptedOperator, signedInOperator } from '../../support/program/console.ts';
import { type Browser, browser, someEmail } from '../../support/program/panel.ts';
import { SoftPasskey } from '../../support/program/passkeys.ts';
import { type Issuer, issuer } from '../../support/servers/issuer.ts';

const CALLBACK = 'http://panel.test/operator/sso';
const idp = await issuer([CALLBACK]);
const settings = (of: Issuer, more = {}) => ({
  issuer: new URL(of.url),
  clientId: of.clientId,
  clientSecret: of.clientSecret,
  roleClaim: 'groups',
  roles: new Map([
    ['wayfare-admins', 'admin'],
    ['helpdesk', 'support'],
  ]),
  ...more,
});
const t = await testApp({ config: { webhookTrustedHosts: [idp.host], oidc: settings(idp) } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await idp[Symbol.asyncDispose]();
});

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];
const start = async (who: Browser) => (await who.post('/operator/api/sso/start')).body.url as string;
const finish = (who: Browser, answer: string) => who.post('/operator/api/sso/finish', { answer });
/** A browser with two cookies: the ticket, and the session once there is one. */
function window(): Browser {
  const inner = browser(t);
  const jar = new Map<string, string>();
  const send = inner.post;
  inner.post = async (path, body, ask) => {
    inner.cookie = [...jar.values()].join('; ');
    const answer = await send(path, body, ask);
    const set = answer.headers['set-cookie'];
    const pair = set === undefined ? undefined : (String(set).split(';')[0] ?? '');
    if (pair !== undefined) jar.set(pair.split('=')[0] ?? '', pair);
    inner.cookie = [...jar.values()].join('; ');
    return answer;
  };
  return inner;
}
async function enter(who: Browser = window()) {
  const answer = await finish(who, await idp.visit(await start(who)));
  return { who, answer };
}
let people = 0;
const person = (more = {}) => {
  people += 1;
  return { sub: `person-${people}`, email: someEmail(), email_verified: true, groups: ['helpdesk'], ...more };
};
const refusedWith = async (code: string) => {
  const { who, answer } = await enter();
  assert.deepEqual(codeOf(answer), [403, code]);
  assert.equal((await who.get('/operator/api/me')).status, 401);
};

test('the first time they get the role their groups give them; later the role follows the groups', async () => {
  idp.who = person();
  const { who, answer } = await enter();
  assert.equal(answer.status, 200, answer.text);
  const me = (await who.get('/operator/api/me')).body.operator;
  assert.deepEqual([me.email, me.role, me.sso], [idp.who.email, 'support', true]);
  idp.who = { ...idp.who, groups: ['helpdesk', 'wayfare-admins'], email: someEmail() };
  const again = (await (await enter()).who.get('/operator/api/me')).body.operator;
  assert.deepEqual(
    [again.id, again.role],
    [me.id, 'admin'],
    'the subject says who they are, whatever their address is',
  );
  assert.equal(again.second_factor_missing, false, 'their company asks for it');
});

test('an operator who was invited is found by their verified address, once', async () => {
  const kim = await acceptedOperator(t, 'support');
  idp.who = person({ email: kim.email });
  const { who } = await enter();
  assert.equal((await who.get('/operator/api/me')).body.operator.email, kim.email);
  idp.who = person({ email: kim.email });
  await refusedWith('sso_other_person');
});

test('refused are an address that is not verified, and somebody without a role', async () => {
  idp.who = person({ email_verified: false });
  await refusedWith('sso_unverified_address');
  idp.who = person({ groups: ['everybody'] });
  await refusedWith('sso_no_role');
  idp.who = person({ groups: undefined });
  await refusedWith('sso_no_role');
});

suite('an ID token is refused', () => {
  const cases: Record<string, NonNullable<Issuer['tamper']>> = {
    'with another nonce': (claims) => ({ claims: { ...claims, nonce: 'of somebody else' } }),
    'without a nonce': ({ nonce: _, ...claims }) => ({ claims }),
    'for another audience': (claims) => ({ claims: { ...claims, aud: 'another client' } }),
    'of another issuer': (claims) => ({ claims: { ...claims, iss: 'https://accounts.example' } }),
    'that has expired': (claims) => ({ claims: { ...claims, exp: 1_000_000_000 } }),
    'that is not signed': () => ({ isUnsigned: true }),
    'signed with another key': () => ({ key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    'signed with a shared secret': () => ({ header: { alg: 'HS256' } }),
  };
  for (const [name, tamper] of Object.entries(cases))
    test(name, async () => {
      idp.who = person();
      idp.tamper = tamper;
      try {
        await refusedWith('sso_failed');
      } finally {
        idp.tamper = undefined;
      }
    });
});

test('the issuer may take another key at any time', async () => {
  idp.who = person();
  const mine = window();
  const url = await start(mine);
  idp.rotate();
  assert.equal((await finish(mine, await idp.visit(url))).status, 200);
  assert.equal((await enter()).answer.status, 200);
});

suite('attacks', () => {
  test('a code is good once', async () => {
    idp.who = person();
    const mine = window();
    const answer = await idp.visit(await start(mine));
    assert.equal((await finish(mine, answer)).status, 200);
    assert.deepEqual(codeOf(await finish(mine, answer)), [403, 'sso_failed']);
  });

  test('login CSRF: what somebody else began, or nobody, does not end in this browser', async () => {
    idp.who = person();
    const eve = window();
    const evesAnswer = await idp.visit(await start(eve));
    const ana = window();
    assert.deepEqual(codeOf(await finish(ana, evesAnswer)), [403, 'sso_begin_again']);
    await start(ana);
    assert.deepEqual(codeOf(await finish(ana, evesAnswer)), [403, 'sso_failed'], 'another state');
    const foreign = { headers: { origin: 'http://evil.test' } };
    const forced = await ana.post('/operator/api/sso/finish', { answer: evesAnswer }, foreign);
    assert.deepEqual(codeOf(forced), [403, 'cross_origin']);
  });

  test('session fixation: the session is a new one, and the one the browser had ends', async () => {
    idp.who = person();
    const mine = window();
    await enter(mine);
    const planted = Object.assign(browser(t), { cookie: mine.cookie.replace(/wayfare_sso=[^;]*(; )?/, '') });
    assert.equal((await planted.get('/operator/api/me')).status, 200);
    await enter(mine);
    assert.equal((await planted.get('/operator/api/me')).status, 401);
    assert.equal((await mine.get('/operator/api/me')).status, 200);
  });

  test('a ticket that is too old, or made up', async () => {
    idp.who = person();
    const mine = window();
    const answer = await idp.visit(await start(mine));
    t.clock.advance(11 * MINUTE);
    assert.deepEqual(codeOf(await finish(mine, answer)), [403, 'sso_begin_again']);
    const forged = Object.assign(browser(t), { cookie: `wayfare_sso=${Buffer.from('{}').toString('base64url')}` });
    assert.deepEqual(codeOf(await finish(forged, answer)), [403, 'sso_begin_again']);
  });

  test('an error of the issuer is an error, whatever it says', async () => {
    const mine = window();
    const state = new URL(await start(mine)).searchParams.get('state');
    const said = await finish(mine, `?error=access_denied&error_description=<script>&state=${state}`);
    assert.deepEqual(codeOf(said), [403, 'sso_failed']);
    assert.doesNotMatch(said.text, /script|denied/);
  });

  test('an operator of single sign-on is no member, and the panel has no such address for them', async () => {
    idp.who = person();
    const { who } = await enter();
    assert.equal((await who.get('/api/me')).status, 401);
    assert.equal((await browser(t).post('/api/sso/start', { email: idp.who.email })).status, 404);
  });
});

test('somebody without a password keeps their last passkey, unless they came by single sign-on', async () => {
  idp.who = person();
  const { who } = await enter();
  const passkey = new SoftPasskey();
  const { options } = (await who.post('/operator/api/passkeys/start')).body;
  const added = await who.post('/operator/api/passkeys', { name: 'Phone', passkey: passkey.create(options) });
  for (const code of added.body.recovery_codes) record('secrets', `${code}\n`);
  const remove = (by: Browser) => by.post(`/operator/api/passkeys/${added.body.passkey.id}/remove`);
  const asked = (await browser(t).post('/operator/api/passkeys/request')).body.options;
  const alone = browser(t);
  assert.equal((await alone.post('/operator/api/sign-in/passkey', { passkey: passkey.use(asked) })).status, 200);
  assert.deepEqual(codeOf(await remove(alone)), [409, 'last_way_in']);
  assert.equal((await remove(who)).status, 200);
});

test('without roles from the issuer, operators have to be invited and keep their role', async () => {
  await using other = await testApp({
    config: { webhookTrustedHosts: [idp.host], oidc: settings(idp, { roleClaim: undefined, roles: new Map() }) },
  });
  const kim = await signedInOperator(other, 'read-only');
  const mine = browser(other);
  const attempt = async () => {
    mine.cookie = '';
    const { url } = (await mine.post('/operator/api/sso/start')).body;
    return finish(mine, await idp.visit(url));
  };
  idp.who = person();
  assert.deepEqual(codeOf(await attempt()), [403, 'sso_not_invited']);
  idp.who = person({ email: kim.email, groups: ['wayfare-admins'] });
  assert.equal((await attempt()).status, 200);
  assert.equal((await mine.get('/operator/api/me')).body.operator.role, 'read-only');
});

test('an issuer at a private address is not called unless the operator trusts the host', async () => {
  await using other = await testApp({ config: { webhookTrustedHosts: [], oidc: settings(idp) } });
  assert.deepEqual(codeOf(await browser(other).post('/operator/api/sso/start')), [403, 'sso_failed']);
});

test('where it is not set up there is nothing of it', async () => {
  await using other = await testApp();
  assert.deepEqual((await browser(other).get('/operator/api/sign-in')).body, {});
  assert.equal((await browser(other).post('/operator/api/sso/start')).status, 404);
  assert.equal((await browser(t).get('/operator/api/sign-in')).body.sso, idp.host);
});
