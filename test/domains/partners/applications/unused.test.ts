import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyAccounts } from '../../../../src/domains/partners/applications/unused.ts';
import { DAY, HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { PASSWORD, signedIn } from '../../../support/program/panel.ts';
import { LIVE_FORM, signUpStage } from './stage.ts';

const { t, smtp, answered, newcomer } = await signUpStage('open');
const { db } = t.base;
const tidy = async () => {
  while ((await tidyAccounts(t.base)) > 0);
  await answered();
};
const isOpen = async (partnerId: number) => {
  const { open } = await db.one<{ open: boolean }>(sql`
    select deleted_at is null as open from partners where id = ${partnerId}`);
  return open;
};
const subjects = (email: string) => smtp.to(email).map(({ headers }) => headers.subject ?? '');

test('an unused account is closed thirty days after the sign-up, and its people are notified a week before', async () => {
  const [ana, ben] = [await newcomer(), await newcomer()];
  const made = await t.partner();
  await signedIn(t, made);
  t.clock.advance(23 * DAY - HOUR);
  await tidy();
  assert.doesNotMatch(subjects(ana.email).join(), /will be closed/);
  t.clock.advance(HOUR);
  await tidy();
  await tidy();
  assert.equal(subjects(ana.email).filter((one) => /will be closed/.test(one)).length, 1, 'once');
  // Ben comes back.
  await ben.post('/api/sign-in', { email: ben.email, password: PASSWORD });
  t.clock.advance(7 * DAY);
  await tidy();
  assert.deepEqual([await isOpen(ana.partnerId), await isOpen(ben.partnerId), await isOpen(made)], [false, true, true]);
  assert.equal((await ana.post('/api/sign-in', { email: ana.email, password: PASSWORD })).status, 401);
  const { what, who } = await db.one<{ what: string; who: string }>(sql`
    select what, who from audit_log where partner_id = ${ana.partnerId} order by id desc limit 1`);
  assert.deepEqual([what, who], ['application expire', 'schedule']);
  // Ben is told again, and closed after another month.
  t.clock.advance(16 * DAY);
  await tidy();
  assert.equal(subjects(ben.email).filter((one) => /will be closed/.test(one)).length, 2);
  t.clock.advance(7 * DAY);
  await tidy();
  assert.equal(await isOpen(ben.partnerId), false);
});

test('a key that is used, an open application for live, and live keep an account', async () => {
  const [called, asks, live, quiet] = [await newcomer(), await newcomer(), await newcomer(), await newcomer()];
  await asks.post('/api/live-application', LIVE_FORM);
  await db.run(sql`update partners set live = true where id = ${live.partnerId}`);
  t.clock.advance(20 * DAY);
  await db.run(
    sql`update api_keys set last_used_at = ${new Date(t.clock.now())} where partner_id = ${called.partnerId}`,
  );
  t.clock.advance(10 * DAY);
  await tidy();
  assert.equal(await isOpen(quiet.partnerId), true, 'told late, it still has a week');
  t.clock.advance(7 * DAY);
  await tidy();
  const open = await Promise.all([called, asks, live, quiet].map(({ partnerId }) => isOpen(partnerId)));
  assert.deepEqual(open, [true, true, true, false]);
});

test('two workers at once notify once and close once', async () => {
  const ana = await newcomer();
  t.clock.advance(24 * DAY);
  await Promise.all([tidyAccounts(t.base), tidyAccounts(t.base)]);
  await answered();
  assert.equal(subjects(ana.email).filter((one) => /will be closed/.test(one)).length, 1);
  t.clock.advance(8 * DAY);
  await Promise.all([tidyAccounts(t.base), tidyAccounts(t.base)]);
  const closed = await db.query(sql`
    select from audit_log where partner_id = ${ana.partnerId} and what = 'application expire'`);
  assert.equal(closed.length, 1);
});
