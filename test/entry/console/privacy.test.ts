import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';

const t = await testApp({ config: { fourEyes: toCents(500n) } });
after(() => t[Symbol.asyncDispose]());
const email = 'anna@example.org';
const applied = () =>
  t.base.db.run(sql`
    insert into applications (kind, status, name, company, email, created_at, since)
    values ('sign_up', 'rejected', 'Anna', 'Acme', ${email}, now(), now())`);
const stored = async () => (await t.base.db.query(sql`select from applications where email = ${email}`)).length;

test('only who may manage exports or erases, and nobody from another page', async () => {
  await applied();
  for (const role of ['finance', 'support', 'read-only'] as const)
    for (const action of ['privacy export', 'privacy erase']) {
      const answer = await runAs(await signedInOperator(t, role), action, { email });
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'role_forbids'], `${role} ${action}`);
    }
  const admin = await signedInOperator(t);
  const foreign = await admin.post(
    '/operator/api/run/privacy/erase',
    { input: { email } },
    { headers: { origin: 'https://evil.example' } },
  );
  assert.equal(foreign.status, 403);
  assert.equal(await stored(), 1);
});

test('both are proposed: nothing happens before another operator approves it, who gets the export', async () => {
  const [one, other] = [await signedInOperator(t), await signedInOperator(t)];
  const exported = await runAs(one, 'privacy export', { email });
  assert.equal(exported.body.result, undefined, exported.text);
  const approve = (by: typeof one, id: number) => by.post(`/operator/api/proposals/${id}/approve`, {});
  assert.equal((await approve(one, exported.body.proposal)).body.error.code, 'own_proposal');
  const approved = await approve(other, exported.body.proposal);
  assert.equal(approved.body.result.data['shared.applications'][0].name, 'Anna', approved.text);

  const erased = await runAs(one, 'privacy erase', { email });
  assert.equal(await stored(), 1);
  assert.equal((await approve(other, erased.body.proposal)).status, 200);
  assert.equal(await stored(), 0);
  const { found } = await t.base.db.one<{ found: number }>(sql`
    select count(*)::int as found from proposals where words like ${`%${email}%`}`);
  assert.equal(found, 0, 'not even in the proposal');
});

test('the console writes no file on the server', async () => {
  const answer = await runAs(await signedInOperator(t), 'privacy export', { email, file: '/tmp/export.json' });
  const { body } = await (await signedInOperator(t)).post(
    `/operator/api/proposals/${answer.body.proposal}/approve`,
    {},
  );
  assert.equal(body.error.code, 'invalid_input', JSON.stringify(body));
});
