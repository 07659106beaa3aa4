import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, afterEach, beforeEach, suite, test } from 'node:test';
import { MINUTE } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, testApp } from '../../../support/program/app.ts';
import { accepted, browser, PASSWORD, someEmail } from '../../../support/program/panel.ts';

/*
 * Strangers who keep the hashing of passwords busy. Here a hash takes until the test ends it, so that the order of the answers is
 * known and no test waits for a clock.
 */
const held: { readonly password: unknown; readonly end: () => void }[] = [];
let isHolding = false;
const { scrypt } = crypto;
crypto.scrypt = ((...given: Parameters<typeof scrypt>) => {
  if (isHolding) held.push({ password: given[0], end: () => scrypt(...given) });
  else scrypt(...given);
}) as typeof scrypt;
syncBuiltinESMExports();

/** Ends the hashes that run, as long as something waits. */
function letGo(): void {
  isHolding = false;
  for (const { end } of held.splice(0)) end();
}

const t = await testApp({ config: { trustedProxies: ['127.0.0.1'] }, role: 'panel' });
after(() => t[Symbol.asyncDispose]());
t.clock.freeze();
beforeEach(() => t.clock.advance(15 * MINUTE));
afterEach(letGo);

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const signIn = (address: string, email = someEmail(), password = PASSWORD): Promise<Answer> =>
  browser(t).post('/api/sign-in', { email, password }, from(address));

/** So many strangers at once, until only `left` of them wait for an answer. */
async function flood(count: number, left: number, addressOf: (n: number) => string) {
  isHolding = true;
  const open = new Set<number>();
  const statuses: number[] = [];
  const answers = Array.from({ length: count }, async (_, n) => {
    open.add(n);
    statuses.push((await signIn(addressOf(n), someEmail(), 'a guess')).status);
    open.delete(n);
  });
  await eventually('the queue is full', async () => open.size === left && held.length === 2);
  return { statuses, ended: Promise.all(answers) };
}

/** Ends one hash after the other, up to that of the person; returns how many of strangers that took. */
async function hashesBefore(): Promise<number> {
  for (let before = 0; ; before++) {
    await eventually('the next hash', async () => held.length === 2);
    const at = held.findIndex(({ password }) => password === PASSWORD);
    held.splice(Math.max(at, 0), 1)[0]?.end();
    if (at >= 0) return before;
  }
}

/** The attempts that count at this moment; older ones are deleted now and then. */
const counted = async () =>
  (
    await t.base.db.one<{ sum: number }>(sql`
      select coalesce(sum(failures), 0)::int as sum from sign_in_failures
      where since > ${new Date(t.clock.now() - 15 * MINUTE)}`)
  ).sum;

suite('while strangers hammer sign-in', () => {
  for (const [width, networks, addressOf] of [
    ['/56', 3, (n: number) => `2001:db8:56:${(n % 256).toString(16)}::1`],
    ['/48', 3, (n: number) => `2001:db8:48:${(n * 257).toString(16)}::1`],
    ['/24', 2, (n: number) => `203.0.113.${n}`],
  ] as const)
    test(`from all over a ${width}, a person on another network signs in before those who came first`, async () => {
      const { email } = await accepted(t, await t.partner());
      // Eight of one network are let in, and 64 wait for that.
      const { statuses, ended } = await flood(200, 72, addressOf);
      const before = 8 * (networks + 1);
      await eventually(
        'each of them counts, for its networks and its address',
        async () => (await counted()) === before,
      );
      const answer = signIn('2001:db8:99::1', email);
      await eventually('their attempt counts', async () => (await counted()) > before);
      assert.ok((await hashesBefore()) <= 2);
      assert.equal((await answer).status, 200);
      letGo();
      await ended;
      assert.deepEqual(new Set(statuses), new Set([401, 429]));
    });

  test('from thousands of networks, a person signs in from a network of theirs', async () => {
    const ana = await accepted(t, await t.partner());
    const home = '2001:db8:4a:1::5';
    assert.equal((await signIn(home, ana.email)).status, 200);
    const { ended } = await flood(150, 34, (n) => `2001:db8:${(0x1000 + n).toString(16)}::1`);
    assert.equal((await signIn('2001:db8:7::1', ana.email)).status, 429, 'elsewhere there is no place');
    const before = await counted();
    const answer = signIn(home, ana.email);
    await eventually('their attempt counts', async () => (await counted()) > before);
    assert.ok((await hashesBefore()) <= 2);
    assert.equal((await answer).status, 200);
    letGo();
    await ended;
  });

  test('those who find the queue full are counted: they cannot try forever', async () => {
    const { ended } = await flood(60, 34, (n) => `2001:db8:${(0x2000 + n).toString(16)}::1`);
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await signIn('2001:db8:8::1')).status);
    assert.deepEqual(new Set(statuses), new Set([429]));
    letGo();
    await ended;
    const { status, headers } = await signIn('2001:db8:8::1');
    assert.deepEqual([status, headers['retry-after']], [429, '900'], 'not busy any more, but its attempts are used up');
  });

  test('a person who finds the queue full has lost none of their ten guesses', async () => {
    const { email } = await accepted(t, await t.partner());
    const { ended } = await flood(60, 34, (n) => `2001:db8:${(0x3000 + n).toString(16)}::1`);
    for (let i = 0; i < 12; i++)
      assert.equal((await signIn(`2001:db8:${(0x4000 + i).toString(16)}::1`, email)).status, 429);
    letGo();
    await ended;
    assert.equal((await signIn('2001:db8:9::1', email)).status, 200);
  });
});
