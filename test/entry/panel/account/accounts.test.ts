import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { memberAccess } from '../../../../src/domains/partners/people/people.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, type Browser, browser, linkFor, PASSWORD, someEmail } from '../../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const OTHER = 'another password';
const at = { first: await t.partner({ name: 'Alpine' }), second: await t.partner({ name: 'Balkan' }) };

const signIn = (email: string, password: string, where = browser(t)) => where.post('/api/sign-in', { email, password });
const me = async (where: Browser) => (await where.get('/api/me')).body;
const names = async (where: Browser): Promise<string[]> =>
  (await me(where)).accounts.map(({ partner }: { partner: { name: string } }) => partner.name);
const open = async (where: Browser, name: string) => {
  const found = (await me(where)).accounts.find((one: { partner: { name: string } }) => one.partner.name === name);
  return where.post(`/api/accounts/${found.id}/open`);
};
/** A person of both partners: they accept the second invitation with the password of the first. */
async function ofBoth(): Promise<Browser & { email: string }> {
  const person = await accepted(t, at.first);
  const token = await linkFor(t, at.second, person.email);
  assert.equal((await person.post('/api/welcome/join', { token, password: PASSWORD })).status, 200);
  return person;
}

suite('an invitation reveals nothing about other partners', () => {
  test('an address another partner knows is invited, listed and welcomed like one that is new', async () => {
    const inviter = await accepted(t, at.first);
    const taken = `Taken.${someEmail()}`;
    await accepted(t, at.second, taken);
    // Spelled differently: an answer in the other partner's spelling would give it away.
    const emails = [taken.toLowerCase(), `new.${someEmail()}`];
    const seen = [];
    for (const email of emails) {
      const invited = await inviter.post('/api/members', { email });
      const { members } = (await inviter.get('/api/members')).body;
      const listed = members.find((one: { id: number }) => one.id === invited.body.id);
      const token = invited.body.link.split('#')[1];
      const shown = await browser(t).post('/api/welcome/show', { token });
      const wrong = await browser(t).post('/api/welcome/join', { token, password: 'incorrect horse' });
      const set = await browser(t).post('/api/welcome', { token, password: OTHER });
      assert.deepEqual(
        [invited.status, invited.body.email, listed.email, shown.body.email],
        [200, ...Array(3).fill(email)],
      );
      const { id, email: _, invited_at, ...rest } = listed;
      seen.push([
        Object.keys(invited.body),
        rest,
        shown.body.partner_name,
        wrong.status,
        wrong.text,
        set.status,
        set.text,
      ]);
    }
    assert.deepEqual(seen[0], seen[1]);
  });

  test('nor does the database do other work for it, so it takes the same time', async () => {
    const inviter = await accepted(t, at.first);
    const taken = someEmail();
    await accepted(t, at.second, taken);
    const work: string[][] = [];
    for (const email of [taken, someEmail()]) {
      using queries = watchQueries();
      assert.equal((await inviter.post('/api/members', { email })).status, 200);
      work.push(queries.seen.filter((text) => /members|people|member_links/.test(text)));
    }
    assert.ok((work[0]?.length ?? 0) >= 3);
    assert.deepEqual(work[0], work[1]);
  });

  test('inviting an address first, and even accepting it, does not take it from its owner', async () => {
    const email = someEmail();
    const squatter = await accepted(t, at.first, email);
    const owner = browser(t);
    const token = await linkFor(t, at.second, email);
    assert.equal((await owner.post('/api/welcome', { token, password: OTHER })).status, 200);
    assert.deepEqual([await names(owner), await names(squatter)], [['Balkan'], ['Alpine']]);
    const again = browser(t);
    assert.equal((await signIn(email, OTHER, again)).status, 200);
    assert.equal((await me(again)).partner.name, 'Balkan');
    assert.equal((await signIn(email, PASSWORD)).status, 200, 'and neither password ends the other');
  });
});

suite('one person at several partners', () => {
  test('accepts the second invitation with the password they have, and chooses after signing in', async () => {
    const { email } = await ofBoth();
    const person = browser(t);
    assert.equal((await signIn(email, PASSWORD, person)).status, 200);
    assert.deepEqual([await names(person), (await me(person)).partner.name], [['Alpine', 'Balkan'], 'Balkan']);
    assert.equal((await open(person, 'Alpine')).status, 200);
    assert.deepEqual([(await me(person)).partner, (await me(person)).member.email].flat(), [
      { id: at.first, name: 'Alpine', billing_mode: 'prepaid', balance_alert: null, is_live: true },
      email,
    ]);
    const { body } = await person.post('/api/keys', { mode: 'sandbox', allow_list: '' });
    const { partner } = await t.base.db.one<{ partner: number }>(
      sql`select partner_id as partner from api_keys where id = ${body.key.id}`,
    );
    assert.equal(partner, at.first, 'what they do is done at the partner they chose');
    const next = browser(t);
    await signIn(email, PASSWORD, next);
    assert.equal((await me(next)).partner.name, 'Alpine', 'the next sign-in leads where they were last');
    assert.equal((await me(person)).member.id, (await me(person)).accounts[0].id);
  });

  test("somebody else's place is answered as one that does not exist, also at one's own partner", async () => {
    const person = await accepted(t, at.first);
    const [colleague, stranger] = [await accepted(t, at.first), await accepted(t, at.second)];
    const missing = await person.post('/api/accounts/99999/open');
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'account_not_found']);
    for (const id of [(await me(colleague)).member.id, (await me(stranger)).member.id, 'x', '0'])
      assert.deepEqual((await person.post(`/api/accounts/${id}/open`)).text, missing.text);
    assert.equal((await me(person)).partner.id, at.first);
  });

  test('the same address and the same password, set by two links, are one person from the next sign-in on', async () => {
    const email = someEmail();
    const first = await accepted(t, at.first, email);
    const second = await accepted(t, at.second, email);
    assert.deepEqual([await names(first), await names(second)], [['Alpine'], ['Balkan']]);
    const person = browser(t);
    assert.equal((await signIn(email, PASSWORD, person)).status, 200);
    assert.deepEqual(await names(person), ['Alpine', 'Balkan']);
    const left = await t.base.db.one<{ n: number }>(sql`select count(*)::int as n from people where email = ${email}`);
    assert.equal(left.n, 1);
  });

  test('a changed password is changed at every partner, and ends every other session', async () => {
    const person = await ofBoth();
    const elsewhere = browser(t);
    await signIn(person.email, PASSWORD, elsewhere);
    await open(elsewhere, 'Alpine');
    assert.equal((await person.post('/api/password', { current: PASSWORD, password: OTHER })).status, 200);
    assert.deepEqual([(await person.get('/api/me')).status, (await elsewhere.get('/api/me')).status], [200, 401]);
    assert.equal((await signIn(person.email, PASSWORD)).status, 401);
    const again = browser(t);
    await signIn(person.email, OTHER, again);
    assert.deepEqual(await names(again), ['Alpine', 'Balkan']);
  });

  test('a new link for one partner sets the password there only: it opens nothing at the other', async () => {
    const person = await ofBoth();
    await open(person, 'Alpine');
    const holder = browser(t);
    const token = await linkFor(t, at.second, person.email);
    assert.equal((await holder.post('/api/welcome', { token, password: OTHER })).status, 200);
    assert.deepEqual([await names(holder), await names(person)], [['Balkan'], ['Alpine']]);
    const old = browser(t);
    await signIn(person.email, PASSWORD, old);
    assert.deepEqual(await names(old), ['Alpine']);
  });

  test('somebody removed by one partner stays signed in at the other', async () => {
    const person = await ofBoth();
    const { id } = (await me(person)).accounts.find((one: { partner: { id: number } }) => one.partner.id === at.first);
    const elsewhere = browser(t);
    await signIn(person.email, PASSWORD, elsewhere);
    await open(elsewhere, 'Alpine');
    await run(t.operator(), `member remove ${id}`);
    assert.deepEqual([(await person.get('/api/me')).status, (await elsewhere.get('/api/me')).status], [200, 401]);
    assert.deepEqual(await names(person), ['Balkan']);
    await run(t.operator(), `member remove ${(await me(person)).member.id}`);
    assert.equal((await signIn(person.email, PASSWORD)).status, 401, 'and somebody who belongs nowhere is deleted');
    const left = await t.base.db.one<{ n: number }>(
      sql`select count(*)::int as n from people where email = ${person.email}`,
    );
    assert.equal(left.n, 0);
  });

  test('a disabled partner is not among those to choose; the others still are', async () => {
    const closed = await t.partner({ name: 'Closed' });
    const person = await accepted(t, closed);
    const token = await linkFor(t, at.first, person.email);
    await person.post('/api/welcome/join', { token, password: PASSWORD });
    await open(person, 'Closed');
    const { id } = (await me(person)).member;
    await run(t.operator(), `partner set ${closed} --disabled true`);
    assert.equal((await signIn(person.email, PASSWORD, person)).status, 200);
    assert.deepEqual(await names(person), ['Alpine']);
    assert.equal((await person.post(`/api/accounts/${id}/open`)).body.error.code, 'account_not_found');
  });

  test('joining takes the right password: guesses do not use up the link, and count as at a sign-in', async () => {
    const { email } = await accepted(t, at.first);
    const token = await linkFor(t, at.second, email);
    const wrong = await browser(t).post('/api/welcome/join', { token, password: 'incorrect horse' });
    assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'wrong_email_or_password']);
    assert.equal((await browser(t).post('/api/welcome/show', { token })).status, 200, 'and is not used up by it');
    // Guesses count as at a sign-in: ten from an unknown network.
    await t.base.db.run(sql`delete from sign_in_places`);
    const guess = (password: string) => browser(t).post('/api/welcome/join', { token, password });
    for (let i = 0; i < 10; i += 1) assert.equal((await guess('incorrect horse')).status, 401);
    assert.equal((await guess(PASSWORD)).status, 429);
  });
});

test('two removals at once leave nothing behind of a person who belonged to both partners', async () => {
  const person = await ofBoth();
  const { accounts } = await me(person);
  await Promise.all(accounts.map(({ id }: { id: number }) => run(t.operator(), `member remove ${id}`)));
  const left = await t.base.db.maybe(sql`select from people where email = ${person.email}`);
  assert.equal(left, undefined);
});

test('a network known for a person gives no more guesses at another person with the same email', async () => {
  const email = someEmail();
  const [real, namesake] = [await accepted(t, at.first, email), await accepted(t, at.second, email)];
  const ids = (
    await t.base.db.query<{ id: number }>(sql`select id from people where email = ${email} order by id`)
  ).map(({ id }) => id);
  const [first = 0, second = 0] = ids;
  assert.ok(real && namesake && ids.length === 2);
  await t.base.db.run(sql`delete from sign_in_places`);
  const networks = Array.from({ length: 12 }, (_, i) => `203.0.113.${i + 1}`);
  const guess = (address: string) =>
    memberAccess.throttle.countAttempt(t.base.db, { email, address }, ids, t.clock.now()).catch((error) => error.code);
  let guesses = 0;
  for (const address of networks) {
    await t.base.db.run(sql`
      insert into sign_in_places (person_id, source, last_at) values (${second}, ${address}, ${new Date(t.clock.now())})`);
    for (let i = 0; i < 3; i += 1) if ((await guess(address)).admitted?.includes(first)) guesses += 1;
  }
  assert.equal(guesses, 10);
});
