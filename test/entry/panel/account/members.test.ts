import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { accepted, browser, PASSWORD, signedIn, someEmail } from '../../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

test('a member invites another by a link that is shown once, and sees who has accepted', async () => {
  const ana = await accepted(t, await t.partner());
  const email = someEmail();
  const { status, body } = await ana.post('/api/members', { email });
  assert.deepEqual([status, Object.keys(body), body.email], [200, ['id', 'email', 'link', 'mailed'], email]);
  const members = async () => (await ana.get('/api/members')).body.members;
  const [first, second] = await members();
  assert.deepEqual(
    [first.email, first.accepted, second.id, second.email, second.accepted, second.last_sign_in_at],
    [ana.email, true, body.id, email, false, null],
  );
  assert.match(first.last_sign_in_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const other = browser(t);
  await other.post('/api/welcome', { token: body.link.split('#')[1], password: PASSWORD });
  assert.equal((await other.get('/api/me')).body.member.id, body.id);
  assert.equal((await members())[1].accepted, true);
  const entry = await t.base.db.one<{ who: string }>(
    sql`select who from audit_log where target = ${`member ${body.id}`} order by id limit 1`,
  );
  assert.equal(entry.who, `member:${ana.email}`);
});

test('an invitation sent twice makes one member and shows its link once; the sentence says what to do', async () => {
  const ana = await accepted(t, await t.partner());
  const headers = { 'idempotency-key': 'one-key' };
  const invite = () => ana.post('/api/members', { email: 'bo@example.com' }, { headers });
  const { body } = await invite();
  assert.match(body.link, /#wfl_/);
  const again = await invite();
  const message = 'The link was created and shown once; if you do not have it, create a new one.';
  assert.deepEqual([again.status, again.body.error], [409, { code: 'shown_once', message }]);
  assert.equal((await ana.get('/api/members')).body.members.length, 2);
  const renewed = await ana.post(`/api/members/${body.id}/invite-again`);
  assert.notEqual(renewed.body.link, body.link);
});

test('an address that is already a member of the partner cannot be invited again: 409 member_exists', async () => {
  const ana = await accepted(t, await t.partner());
  for (const email of [ana.email, ana.email.toUpperCase()]) {
    const { status, body } = await ana.post('/api/members', { email });
    assert.deepEqual([status, body.error.code], [409, 'member_exists']);
    assert.match(body.error.message, new RegExp(`with the address ${email}`), 'an address keeps its spelling');
  }
  assert.equal((await ana.post('/api/members', { email: 'nobody' })).body.error.code, 'invalid_email');
});

test('an e-mail address contains no invisible characters', async () => {
  const ana = await signedIn(t, await t.partner());
  for (const bad of ['\u001b[2J', '\u009b2J', '\u0007', '\u200b', '\u202e', '\ufeff', ' ', '@'])
    for (const email of [`an${bad}a@example.com`, `ana@exam${bad}ple.com`]) {
      const { status, body } = await ana.post('/api/members', { email });
      assert.deepEqual([status, body.error.code], [400, 'invalid_email'], JSON.stringify(email));
    }
  assert.equal((await ana.post('/api/members', { email: 'зоя+panel@пример.example' })).status, 200);
});

test('the last member cannot remove themselves; an invitation not accepted does not count', async () => {
  const partner = await t.partner();
  const ana = await accepted(t, partner);
  const { id } = (await ana.get('/api/me')).body.member;
  await ana.post('/api/members', { email: someEmail() });
  const { status, body } = await ana.post(`/api/members/${id}/remove`);
  assert.deepEqual([status, body.error.code], [409, 'last_member']);
  await accepted(t, partner);
  assert.equal((await ana.post(`/api/members/${id}/remove`)).status, 200);
  assert.equal((await ana.get('/api/me')).status, 401);
});

test('of two members who remove each other at once, one stays', async () => {
  const partner = await t.partner();
  const [one, two] = [await accepted(t, partner), await accepted(t, partner)];
  const ids = [(await two.get('/api/me')).body.member.id, (await one.get('/api/me')).body.member.id];
  const both = await Promise.all([
    one.post(`/api/members/${ids[0]}/remove`),
    two.post(`/api/members/${ids[1]}/remove`),
  ]);
  assert.deepEqual(both.filter(({ status }) => status === 200).length, 1);
});

test("another partner's member is answered as one that does not exist", async () => {
  const [ana, stranger] = [await signedIn(t, await t.partner()), await signedIn(t, await t.partner())];
  const { id } = (await stranger.get('/api/me')).body.member;
  const [foreign, missing] = [await ana.post(`/api/members/${id}/remove`), await ana.post('/api/members/99999/remove')];
  assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
  for (const bad of ['x', '-1', '1e3', '99999999999999999999'])
    assert.equal((await ana.post(`/api/members/${bad}/remove`)).text, missing.text);
  assert.equal((await stranger.get('/api/me')).status, 200);
});
