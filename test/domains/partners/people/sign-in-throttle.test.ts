import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { memberAccess } from '../../../../src/domains/partners/people/people.ts';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { networksOf, normalAddress, sourceOf } from '../../../../src/platform/http/address-list.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';
import { record, testApp } from '../../../support/program/app.ts';
import { accepted, linkFor, PASSWORD, someEmail } from '../../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
t.clock.freeze();

let networks = 0;
/** An address in a network not used before. */
const elsewhere = () => `198.${51 + (++networks >> 8)}.${networks & 255}.1`;
/** An attempt whose password is never verified. */
const attempt = (email: string, address: string, personIds: readonly number[] = []) =>
  memberAccess.throttle.countAttempt(t.base.db, { email, address }, personIds, t.clock.now());
/** Addresses of different /64s, far apart from each other. */
const spread = (prefix: string, first: number, last: number) => {
  let at = 0;
  return () => `${prefix}${(first + ((at++ * 257) % (last - first + 1))).toString(16)}::1`;
};
const refused = { code: 'too_many_attempts' };
const tries = async (count: number, email: () => string, address: () => string) => {
  for (let i = 0; i < count; i += 1) await attempt(email(), address());
};

test('ten failures for one e-mail address, from anywhere, and the eleventh waits', async () => {
  const email = someEmail();
  await tries(10, () => email, elsewhere);
  await assert.rejects(attempt(email, elsewhere()), { ...refused, retryAfterSeconds: 15 * 60 });
  await assert.rejects(attempt(email.toUpperCase(), elsewhere()), refused);
  await attempt(someEmail(), elsewhere());
});

test('every spelling that finds a person counts for them, by the rules of the database', async () => {
  // Before PostgreSQL 17 that locale is the machine's, which Debian always has.
  const isDebian = process.env.WAYFARE_TEST_SERVER === 'debian';
  const locale = isDebian ? "locale 'C.UTF-8'" : "locale_provider builtin builtin_locale 'C.UTF-8'";
  const database = await freshDatabase(`template template0 ${locale}`);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => database.drop());
  const there = undo.use(await testApp({ url: database.url }));
  const { email } = await accepted(there, await there.partner(), 'info@example.com');
  await there.base.db.run(sql`delete from sign_in_places`);
  for (const typed of [email, '\u0130nfo@example.com', 'INFO@EXAMPLE.COM', 'Info@example.com', email]) {
    const known = await there.base.db.maybe(sql`select from people where lower(email) = lower(${typed})`);
    assert.notEqual(known, undefined, typed);
    for (let i = 0; i < 2; i += 1)
      await memberAccess.throttle.countAttempt(
        there.base.db,
        { email: typed, address: elsewhere() },
        [],
        there.clock.now(),
      );
  }
  await assert.rejects(
    memberAccess.signIn(there.base, { email, password: PASSWORD, address: elsewhere() }, there.clock.now()),
    refused,
  );
});

test('thirty failures from one network, for any addresses, and the next waits', async () => {
  const address = elsewhere();
  await tries(30, someEmail, () => address);
  await assert.rejects(attempt(someEmail(), address), refused);
  await attempt(someEmail(), elsewhere());
});

test('the window ends 15 minutes after its first failure; refused attempts do not extend it', async () => {
  const email = someEmail();
  await tries(10, () => email, elsewhere);
  for (const minutes of [5, 5, 4]) {
    t.clock.advance(minutes * MINUTE);
    await assert.rejects(attempt(email, elsewhere()), refused);
  }
  await assert.rejects(attempt(email, elsewhere()), { ...refused, retryAfterSeconds: 60 });
  t.clock.advance(MINUTE);
  await attempt(email, elsewhere());
});

test('of many attempts at once only as many as the limit get through', async () => {
  const email = someEmail();
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => attempt(email, elsewhere())));
  assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 10);
});

test('strangers who fail on purpose do not lock a person out where they sign in from', async () => {
  const ana = await accepted(t, await t.partner());
  const credentials = { email: ana.email, password: PASSWORD, address: elsewhere() };
  const enter = async (address = credentials.address) =>
    record('secrets', `${await memberAccess.signIn(t.base, { ...credentials, address }, t.clock.now())}\n`);
  await enter();
  await tries(10, () => ana.email, elsewhere);
  await assert.rejects(enter(elsewhere()), refused);
  await enter();
  await enter();
});

test('a right password is not a failure', async () => {
  const ana = await accepted(t, await t.partner());
  const address = elsewhere();
  for (let i = 0; i < 11; i += 1)
    record(
      'secrets',
      `${await memberAccess.signIn(t.base, { email: ana.email, password: PASSWORD, address }, t.clock.now())}\n`,
    );
});

test('after sixty right passwords in a window they count as failures, and soon cost no work', async () => {
  const { email } = await accepted(t, await t.partner());
  const { id } = await t.base.db.one<{ id: number }>(sql`select id from people where email = ${email}`);
  const address = elsewhere();
  const right = (from: string) =>
    t.base.db.tx((tx) =>
      memberAccess.throttle.countRight(tx, [{ personId: id }], { address: from }, false, t.clock.now()),
    );
  for (let i = 0; i < 60; i += 1) await right(elsewhere());
  const enter = () => memberAccess.signIn(t.base, { email, password: PASSWORD, address }, t.clock.now());
  await assert.rejects(enter(), refused);
  await tries(9, () => email, elsewhere);
  await assert.rejects(attempt(email, elsewhere()), refused);
  t.clock.advance(15 * MINUTE);
  record('secrets', `${await enter()}\n`);
});

test('expired counts are deleted, and nothing that was typed is stored', async () => {
  const count = async () =>
    (await t.base.db.one<{ n: number }>(sql`select count(*)::int as n from sign_in_failures`)).n;
  await tries(30, someEmail, elsewhere);
  const before = await count();
  assert.ok(before >= 60);
  t.clock.advance(16 * MINUTE);
  await tries(10, () => 'somebody typed a secret here', elsewhere);
  // Each of these deleted up to ten and left two counts for its networks and one for the address.
  assert.ok((await count()) <= Math.max(0, before - 100) + 21);
  const kept = await t.base.db.query<{ row: string }>(sql`select f::text as row from sign_in_failures f`);
  assert.doesNotMatch(JSON.stringify(kept), /typed|198\.5/);
});

suite('networks', () => {
  const names = (address: string) => networksOf(address).map(({ name }) => name);

  test('an IPv6 address counts for its /64, its /56 and its /48; an IPv4 address for itself and its /24', () => {
    assert.deepEqual(names('203.0.113.7'), ['203.0.113.7', '203.0.113.0/24']);
    assert.deepEqual(names('2001:db8:1:2345:3:4:5:6'), [
      '2001:db8:1:2345::/64',
      '2001:db8:1:2300::/56',
      '2001:db8:1::/48',
    ]);
    assert.deepEqual(names('2001:db8::5'), ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']);
    assert.equal(sourceOf('::1'), '0:0:0:0::/64');
    assert.equal(sourceOf('2001:db8:1:2::'), '2001:db8:1:2::/64');
    assert.deepEqual(names(''), ['']);
  });

  test('an IPv4 address written as IPv6 counts as the IPv4 address it is', () => {
    for (const spelled of ['::ffff:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7'])
      assert.deepEqual(names(normalAddress(spelled) ?? ''), names('203.0.113.7'), spelled);
  });

  test('sixty failures from a /56 and 120 from a /48, whatever /64 they come from, and the next waits', async () => {
    const [of56, of48] = [spread('2001:db8:56:', 0, 255), spread('2001:db8:48:', 0, 65_535)];
    await tries(60, someEmail, of56);
    await assert.rejects(attempt(someEmail(), of56()), refused);
    await attempt(someEmail(), '2001:db8:56:100::1');
    await tries(120, someEmail, of48);
    await assert.rejects(attempt(someEmail(), of48()), refused);
    await attempt(someEmail(), '2001:db8:49::1');
  });

  test('120 failures from a /24, whatever address they come from, and the next waits', async () => {
    let host = 0;
    await tries(120, someEmail, () => `203.0.113.${++host}`);
    await assert.rejects(attempt(someEmail(), '203.0.113.200'), refused);
    await attempt(someEmail(), '203.0.114.1');
  });

  test('a /64 that is refused uses up nothing of the networks around it', async () => {
    await tries(30, someEmail, () => '2001:db8:64:1::1');
    for (let i = 0; i < 100; i += 1) await assert.rejects(attempt(someEmail(), '2001:db8:64:1::1'), refused);
    await attempt(someEmail(), '2001:db8:64:2::1');
  });

  test('an attempt refused for its e-mail address counts for its networks', async () => {
    const email = someEmail();
    await tries(10, () => email, elsewhere);
    const address = elsewhere();
    for (let i = 0; i < 30; i += 1) await assert.rejects(attempt(email, address), refused);
    await assert.rejects(attempt(someEmail(), address), refused);
  });

  test('strangers who fail on a network do not lock out a person who signs in from it', async () => {
    const ana = await accepted(t, await t.partner());
    const enter = async () =>
      record(
        'secrets',
        `${await memberAccess.signIn(t.base, { ...ana, password: PASSWORD, address }, t.clock.now())}\n`,
      );
    const address = '2001:db8:77:1::1';
    await enter();
    await tries(30, someEmail, () => address);
    await tries(90, someEmail, spread('2001:db8:77:', 2, 65_535));
    await assert.rejects(attempt(someEmail(), address), refused);
    await assert.rejects(attempt(someEmail(), '2001:db8:77:fff0::1'), refused);
    await enter();
  });

  test('of one person the fifty networks they last signed in from are remembered', async () => {
    const { email } = await accepted(t, await t.partner());
    const { id } = await t.base.db.one<{ id: number }>(sql`select id from people where email = ${email}`);
    for (let i = 1; i <= 60; i += 1)
      await t.base.db.tx((tx) =>
        memberAccess.throttle.rememberPlace(tx, id, { address: `192.0.2.${i}` }, t.clock.now() + i),
      );
    const kept = await t.base.db.query<{ source: string }>(
      sql`select source from sign_in_places where person_id = ${id}`,
    );
    assert.equal(kept.length, 50);
    assert.ok(kept.some(({ source }) => source === '192.0.2.60') && !kept.some(({ source }) => source === '192.0.2.1'));
  });
});

test('where somebody accepted an invitation they are known, as after a sign-in: failures elsewhere do not lock them out', async () => {
  const partner = await t.partner();
  const email = someEmail();
  const token = await linkFor(t, partner, email);
  const address = elsewhere();
  record('secrets', `${await memberAccess.acceptLink(t.base, { token, password: PASSWORD, address })}\n`);
  await tries(10, () => email, elsewhere);
  await assert.rejects(
    memberAccess.signIn(t.base, { email, password: PASSWORD, address: elsewhere() }, t.clock.now()),
    refused,
  );
  const enter = () => memberAccess.signIn(t.base, { email, password: PASSWORD, address }, t.clock.now());
  record('secrets', `${await enter()}\n`);
});

test('a new password by a link keeps the networks somebody signs in from', async () => {
  const partner = await t.partner();
  const email = someEmail();
  const [home, cafe] = [elsewhere(), elsewhere()];
  for (const address of [home, cafe]) {
    const token = await linkFor(t, partner, email);
    record('secrets', `${await memberAccess.acceptLink(t.base, { token, password: PASSWORD, address })}\n`);
  }
  await tries(10, () => email, elsewhere);
  for (const address of [home, cafe])
    record('secrets', `${await memberAccess.signIn(t.base, { email, password: PASSWORD, address }, t.clock.now())}\n`);
});
