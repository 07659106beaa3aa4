import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { UsageError } from '../../../src/entry/cli/cli.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { browser, linkFor, PASSWORD, someEmail } from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const cli = (...words: string[]) => run(t.operator(), words);
const invite = (partnerId: number, email: string) =>
  cli('member', 'invite', '--partner', String(partnerId), '--email', email);

test('invite: a new member and a link that is shown this once; the audit log has neither link nor token', async () => {
  const partner = await t.partner();
  const email = someEmail();
  const { member_id, link } = await invite(partner, email);
  assert.match(link, /^http:\/\/panel\.test\/welcome#wfl_[\w-]{43}$/);
  const [member] = await cli('member', 'list', '--partner', String(partner));
  assert.deepEqual(
    [member.member_id, member.email, member.accepted, member.last_sign_in_at],
    [member_id, email, false, null],
  );
  const entry = await t.base.db.one<{ what: string; target: string; text: string }>(
    sql`select what, target, a::text as text from audit_log a order by id desc limit 1`,
  );
  assert.deepEqual([entry.what, entry.target], ['member invite', `member ${member_id}`]);
  assert.ok(!entry.text.includes(link.split('#')[1]));
});

test('invite for a member there is: a new link, and the older one stops working', async () => {
  const partner = await t.partner();
  const email = someEmail();
  const first = await linkFor(t, partner, email);
  const { member_id } = await invite(partner, email.toUpperCase());
  const second = await linkFor(t, partner, email);
  assert.equal((await cli('member', 'list', '--partner', String(partner))).length, 1);
  const ana = browser(t);
  assert.equal((await ana.post('/api/welcome', { token: first, password: PASSWORD })).status, 404);
  assert.equal((await ana.post('/api/welcome', { token: second, password: PASSWORD })).status, 200);
  assert.equal((await ana.get('/api/me')).body.member.id, member_id);
});

test('refusals: unknown or closed partner, no address, unknown member', async () => {
  await assert.rejects(invite(99_999, someEmail()), { code: 'partner_not_found' });
  const [partner, other] = [await t.partner(), await t.partner()];
  for (const bad of ['nobody', 'a b@example.com', `${'x'.repeat(250)}@example.com`, '@', 'a@'])
    await assert.rejects(invite(partner, bad), { code: 'invalid_email' }, bad);
  await cli('partner', 'delete', String(other));
  await assert.rejects(invite(other, someEmail()), { code: 'partner_closed' });
  await assert.rejects(cli('member', 'list', '--partner', '99999'), { code: 'partner_not_found' });
  await assert.rejects(cli('member', 'remove', '99999'), { code: 'member_not_found' });
  await assert.rejects(cli('member', 'remove'), UsageError);
});

test('fifty members and no more', async () => {
  const partner = await t.partner();
  for (let i = 0; i < 50; i += 1) await invite(partner, someEmail());
  await assert.rejects(invite(partner, someEmail()), { code: 'member_limit_reached' });
});

test('remove: also the last one; their link stops working and their address can be invited again', async () => {
  const [partner, other] = [await t.partner(), await t.partner()];
  const email = someEmail();
  const { member_id, link } = await invite(partner, email);
  assert.deepEqual(await cli('member', 'remove', String(member_id)), { member_id, removed: true });
  const show = await browser(t).post('/api/welcome/show', { token: link.split('#')[1] });
  assert.equal(show.body.error.code, 'link_not_valid');
  await invite(other, email);
});

test('a closed partner has no members any more', async () => {
  const [partner, other] = [await t.partner(), await t.partner()];
  const email = someEmail();
  await invite(partner, email);
  await cli('partner', 'delete', String(partner));
  assert.deepEqual(await cli('member', 'list', '--partner', String(partner)), []);
  await invite(other, email);
});

test('a link works for 7 days', async () => {
  const token = await linkFor(t, await t.partner(), someEmail());
  t.clock.advance(7 * DAY - 60_000);
  assert.equal((await browser(t).post('/api/welcome/show', { token })).status, 200);
  t.clock.advance(60_000);
  assert.equal((await browser(t).post('/api/welcome/show', { token })).status, 404);
});
