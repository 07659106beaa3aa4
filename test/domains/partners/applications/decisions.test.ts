import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { countChangedDays } from '../../../../src/domains/insight/rollups/sales-by-day.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { browser, PASSWORD, signedInAs, someEmail } from '../../../support/program/panel.ts';
import { paidOrder, testPlan } from '../../../support/sales/paid-order.ts';
import { LIVE_FORM, signUpStage } from './stage.ts';

const { t, smtp, signUp, answered, tokenTo } = await signUpStage('review');
const { db } = t.base;
const admin = await signedInOperator(t, 'admin');
const cli = (line: string | string[]) => run(t.operator(), line);
const alerts = async () => {
  const { parts } = (await admin.get('/operator/api/home')).body;
  return parts.find(({ part }: { part: string }) => part === 'applications').alerts;
};

/** A sign-up that waits for an operator. */
async function reviewed(): Promise<{ id: number; version: number; email: string }> {
  const email = someEmail();
  await signUp(email);
  await answered();
  assert.equal((await browser(t).post('/api/sign-up/confirm', { token: tokenTo(email) })).status, 200);
  const [newest] = (await admin.get('/operator/api/applications?status=waiting')).body.applications;
  return { id: newest.id, version: newest.version, email };
}

/** A partner without live whose owner has asked for it. */
async function applied() {
  const partnerId = await t.partner({ name: 'Island Hopper', isLive: false });
  const email = someEmail();
  const owner = await signedInAs(t, partnerId, 'owner', email);
  const { application } = (await owner.post('/api/live-application', LIVE_FORM)).body;
  return { partnerId, email, owner, id: application.id as number, version: application.version as number };
}

suite('a sign-up under review', () => {
  test('waits for an operator once its address is confirmed, is asked back, answers, and opens by the link of its approval', async () => {
    const email = someEmail();
    await signUp(email);
    await answered();
    assert.deepEqual(
      (await admin.get('/operator/api/applications')).body.applications,
      [],
      'unconfirmed ones are not listed',
    );
    const first = tokenTo(email);
    assert.equal((await browser(t).post('/api/sign-up/show', { token: first })).body.step, 'confirm');
    assert.equal(
      (await browser(t).post('/api/sign-up/accept', { token: first, password: PASSWORD })).status,
      404,
      'not without an operator',
    );
    assert.equal((await browser(t).post('/api/sign-up/confirm', { token: first })).status, 200);
    assert.equal((await browser(t).post('/api/sign-up/confirm', { token: first })).status, 404);
    assert.deepEqual(
      (await alerts()).map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
      [['applications', 1]],
    );

    const [{ id, version }] = (await admin.get('/operator/api/applications?status=waiting')).body.applications;
    const asked = await runAs(admin, 'application ask', {
      id: String(id),
      version: String(version),
      question: 'Who are you?',
    });
    assert.equal(asked.status, 200, asked.text);
    assert.equal(asked.body.result.link, undefined, 'a mailed link is not shown');
    await answered();
    assert.match(smtp.to(email).at(-1)?.text ?? '', /> Who are you\?/);
    const second = tokenTo(email);
    assert.deepEqual((await browser(t).post('/api/sign-up/show', { token: second })).body.question, 'Who are you?');
    assert.equal((await browser(t).post('/api/sign-up/accept', { token: second, password: PASSWORD })).status, 404);
    assert.equal((await browser(t).post('/api/sign-up/answer', { token: second, answer: 'Ana' })).status, 200);
    assert.deepEqual(await alerts().then((found) => found.length), 1);

    const { application: now, sandbox } = (await admin.get(`/operator/api/applications/${id}`)).body;
    assert.equal(sandbox, null, 'there is no account yet');
    assert.deepEqual([now.status, now.answer, now.decided_by], ['waiting', 'Ana', admin.email]);
    assert.equal(
      (await runAs(admin, 'application approve', { id: String(id), version: String(now.version) })).status,
      200,
    );
    await answered();
    const ana = browser(t);
    assert.equal((await ana.post('/api/sign-up/accept', { token: tokenTo(email), password: PASSWORD })).status, 200);
    assert.equal((await ana.get('/api/me')).body.partner.is_live, false);
    assert.deepEqual(await alerts(), []);
    const { after } = await db.one<{ after: { status: string } }>(sql`
      select after from audit_log where what = 'application approve' and target = ${`application ${id}`}`);
    assert.equal(after.status, 'approved');
  });

  test('can be rejected, with the reason by mail; terms belong to live', async () => {
    const { id, version, email } = await reviewed();
    const terms = await runAs(admin, 'application approve', {
      id: String(id),
      version: String(version),
      billing: 'postpaid',
    });
    assert.equal(terms.body.error.code, 'invalid_input');
    await cli(['application', 'reject', String(id), '--note', 'No shop']);
    await answered();
    assert.match(smtp.to(email).at(-1)?.text ?? '', /> No shop/);
    assert.equal((await cli(`application show ${id}`)).status, 'rejected');
  });
});

suite('an application for live', () => {
  test('comes with what the applicant did in the sandbox, in the list as well', async () => {
    const { partnerId, id } = await applied();
    const { sandbox } = t.base.worlds;
    const plan = await testPlan(t);
    await paidOrder(t, { partnerId, plan, world: sandbox });
    while ((await countChangedDays(sandbox.db, t.clock)) > 0);
    const shown = (await admin.get(`/operator/api/applications/${id}`)).body.sandbox;
    assert.deepEqual([shown.orders, shown.charged, shown.last_call_at], [1, '9.00', null]);
    const { applications } = (await admin.get('/operator/api/applications?status=waiting')).body;
    const orders = applications.find((one: { id: number }) => one.id === id).sandbox_orders;
    assert.equal(orders, 1);
  });

  test('is asked back, answered in the panel and approved on terms; then, and not before, the partner has live', async () => {
    const { partnerId, owner, email, id, version } = await applied();
    assert.equal((await owner.post('/api/live-application', LIVE_FORM)).body.error.code, 'application_open');
    await runAs(admin, 'application ask', { id: String(id), version: String(version), question: 'Which ferries?' });
    await answered();
    assert.match(smtp.to(email).at(-1)?.text ?? '', /> Which ferries\?[\s\S]*\/go-live/);
    const asked = (await owner.get('/api/live-application')).body.application;
    assert.deepEqual([asked.status, asked.question], ['asked', 'Which ferries?']);
    assert.equal(
      (await owner.post('/api/live-application/answer', { version: 1, answer: 'Old' })).body.error.code,
      'application_changed',
    );
    await owner.post('/api/live-application/answer', { version: asked.version, answer: 'Nassau to Bimini' });
    assert.equal((await owner.post('/api/keys', { mode: 'live', allow_list: '' })).body.error.code, 'live_not_open');

    const waiting = (await admin.get(`/operator/api/applications/${id}`)).body.application;
    assert.deepEqual(
      [waiting.status, waiting.answer, waiting.address],
      ['waiting', 'Nassau to Bimini', LIVE_FORM.address],
    );
    const terms = { billing: 'postpaid', 'credit-limit': '500', 'margin-share': '20' };
    const done = await runAs(admin, 'application approve', {
      id: String(id),
      version: String(waiting.version),
      ...terms,
    });
    assert.equal(done.status, 200, done.text);
    await answered();
    assert.equal(smtp.to(email).at(-1)?.headers.subject, 'Live is open for Island Hopper');
    const { partner } = (await admin.get(`/operator/api/partners/${partnerId}`)).body;
    assert.deepEqual(
      [partner.is_live, partner.billing_mode, partner.wallet.credit_limit, partner.margin_share_pct],
      [true, 'postpaid', '500.00', '20.00'],
    );
    assert.match((await owner.post('/api/keys', { mode: 'live', allow_list: '' })).body.secret, /^esk_/);
    assert.equal((await owner.get('/api/live-application')).body.is_live, true);
    assert.equal((await owner.post('/api/live-application', LIVE_FORM)).body.error.code, 'live_open');
    const activity = (await owner.get('/api/activity')).body.entries.map(
      ({ kind, by }: { kind: string; by: string }) => [kind, by],
    );
    assert.deepEqual(activity.slice(1), [
      ['application approve', null],
      ['live answer', email],
      ['application ask', null],
      ['live apply', email],
    ]);
  });

  test('is rejected with a reason, and can be made again', async () => {
    const { owner, email, id } = await applied();
    await cli(['application', 'reject', String(id), '--note', 'The tax number is wrong']);
    await answered();
    assert.match(smtp.to(email).at(-1)?.text ?? '', /> The tax number is wrong/);
    assert.equal((await owner.get('/api/live-application')).body.application.note, 'The tax number is wrong');
    assert.equal((await owner.post('/api/live-application', LIVE_FORM)).status, 200);
    assert.equal((await owner.post('/api/keys', { mode: 'live', allow_list: '' })).body.error.code, 'live_not_open');
  });

  test('a prepaid partner has no credit limit, and a closed one cannot be approved', async () => {
    const { partnerId, id } = await applied();
    await assert.rejects(cli(`application approve ${id} --credit-limit 50`), { code: 'invalid_input' });
    await cli(`partner delete ${partnerId}`);
    await assert.rejects(cli(`application approve ${id}`), { code: 'partner_closed' });
  });
});

suite('two operators', () => {
  test('who decide about the same version: one decides, and the other reads who did what', async () => {
    const { id, version } = await applied();
    const ben = await signedInOperator(t, 'admin');
    const input = { id: String(id), version: String(version) };
    const both = await Promise.all([
      runAs(admin, 'application approve', input),
      runAs(ben, 'application reject', { ...input, note: 'No' }),
    ]);
    const late = both.find(({ status }) => status === 409);
    assert.equal(both.filter(({ status }) => status === 200).length, 1);
    assert.equal(late?.body.error.code, 'application_changed');
    const [winner, verb] = both[0]?.status === 200 ? [admin.email, 'approved'] : [ben.email, 'rejected'];
    assert.match(late?.body.error.message, new RegExp(`${winner} ${verb} it at`));
    assert.equal(
      (await runAs(ben, 'application reject', { id: String(id), note: 'No' })).body.error.code,
      'invalid_input',
      'a page says what it showed',
    );
    const entries = await db.query(
      sql`select from audit_log where target = ${`application ${id}`} and what in ('application approve', 'application reject')`,
    );
    assert.equal(entries.length, 1);
  });
});

suite('no one else decides or applies', () => {
  test('operators without the permission, members without the role, strangers and other partners', async () => {
    const { owner, partnerId, id, version } = await applied();
    const input = { id: String(id), version: String(version) };
    for (const [role, mayAsk] of [
      ['finance', false],
      ['support', true],
      ['read-only', false],
    ] as const) {
      const who = await signedInOperator(t, role);
      assert.equal((await runAs(who, 'application approve', input)).body.error.code, 'role_forbids', role);
      assert.equal(
        (await runAs(who, 'application reject', { ...input, note: 'x' })).body.error.code,
        'role_forbids',
        role,
      );
      const asked = await runAs(who, 'application ask', { ...input, version: '99', question: 'x' });
      assert.equal(asked.body.error.code, mayAsk ? 'application_changed' : 'role_forbids', role);
    }
    assert.equal((await runAs(owner, 'application approve', input)).status, 401, 'a member is not an operator');
    for (const role of ['developer', 'finance', 'read-only'] as const) {
      const who = await signedInAs(t, partnerId, role);
      assert.equal((await who.post('/api/live-application', LIVE_FORM)).body.error.code, 'role_forbids', role);
      assert.equal(
        (await who.post('/api/live-application/answer', { version, answer: 'x' })).body.error.code,
        'role_forbids',
      );
    }
    assert.equal((await browser(t).post('/api/live-application', LIVE_FORM)).status, 401);
    assert.equal((await browser(t).get('/api/live-application')).status, 401);
    const other = await signedInAs(t, await t.partner({ isLive: false }), 'owner');
    assert.equal((await other.get('/api/live-application')).body.application, null);
    assert.equal(
      (await other.post('/api/live-application/answer', { version, answer: 'x' })).body.error.code,
      'application_not_found',
    );
    const elsewhere = await owner.post('/api/live-application', LIVE_FORM, {
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(elsewhere.status, 403);
    assert.equal((await cli(`application show ${id}`)).version, version);
  });
});

test('the command line lists applications and decides without a version', async () => {
  const { id } = await applied();
  const listed = await cli('application list --status waiting --kind live --limit 5');
  assert.equal(listed[0].application_id, id);
  const done = await cli(`application approve ${id}`);
  assert.deepEqual([done.status, done.decided_by], ['approved', 'test']);
  await assert.rejects(cli('application show 999999'), { code: 'application_not_found' });
});

test('an admin opens live for a partner that has not applied, once, with an entry and a mail; other roles cannot', async () => {
  const partnerId = await t.partner({ isLive: false });
  const email = someEmail();
  const owner = await signedInAs(t, partnerId, 'owner', email);
  const input = { id: String(partnerId) };
  for (const role of ['finance', 'support', 'read-only'] as const)
    assert.equal(
      (await runAs(await signedInOperator(t, role), 'partner open-live', input)).body.error.code,
      'role_forbids',
      role,
    );
  assert.equal((await runAs(owner, 'partner open-live', input)).status, 401);
  assert.equal((await owner.get('/api/me')).body.partner.is_live, false);
  assert.equal((await runAs(admin, 'partner open-live', input)).status, 200);
  assert.equal((await owner.get('/api/me')).body.partner.is_live, true);
  await answered();
  assert.match(smtp.to(email).at(-1)?.text ?? '', /^Live has been opened/);
  const entries = await db.query<{ who: string; isOne: boolean }>(sql`
    select e.who, e.xmin::text = p.xmin::text as "isOne" from audit_log e join partners p on p.id = e.partner_id
    where e.what = 'partner open-live' and p.id = ${partnerId}`);
  assert.deepEqual(
    entries.map(({ isOne }) => isOne),
    [true],
    'written with the change',
  );
  assert.equal((await runAs(admin, 'partner open-live', input)).body.error.code, 'live_open');
  const { partnerId: applicant, id } = await applied();
  await assert.rejects(cli(`partner open-live ${applicant}`), { code: 'application_open' });
  await cli(['application', 'reject', String(id), '--note', 'Not yet']);
  assert.deepEqual(await cli(`partner open-live ${applicant}`), { partner_id: applicant, live: true });
  await assert.rejects(cli('partner open-live 999999'), { code: 'partner_not_found' });
});
