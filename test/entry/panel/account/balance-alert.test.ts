import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { signedIn } from '../../../support/program/panel.ts';

const t = await testApp({ role: 'panel' });
after(() => t[Symbol.asyncDispose]());

const levels = (partnerId: number) =>
  t.base.db.one(sql`
    select live.balance_alert as live, sandbox.balance_alert as sandbox
    from live.wallets live join sandbox.wallets sandbox using (partner_id) where partner_id = ${partnerId}`);

test('a member sets the level of both worlds, reads it at /api/me, and takes it off again; it is on record', async () => {
  const partnerId = await t.partner();
  const ana = await signedIn(t, partnerId);
  const level = async () => (await ana.get('/api/me')).body.partner.balance_alert;
  assert.equal(await level(), null);
  assert.deepEqual((await ana.post('/api/balance-alert', { level: ' 50.5 ' })).body, { balance_alert: '50.50' });
  assert.equal(await level(), '50.50');
  assert.deepEqual(await levels(partnerId), { live: 5050n, sandbox: 5050n });
  assert.deepEqual((await ana.post('/api/balance-alert', { level: '' })).body, { balance_alert: null });
  assert.deepEqual(await levels(partnerId), { live: null, sandbox: null });
  const { n } = await t.base.db.one<{ n: number }>(sql`
    select count(*)::int as n from audit_log where target = ${`partner ${partnerId}`} and who like 'member:%'`);
  assert.equal(n, 2);
});

test('what is not an amount above zero is refused, a stranger is sent away, and another partner keeps its own', async () => {
  const [mine, other] = [await t.partner(), await t.partner()];
  const ana = await signedIn(t, mine);
  for (const level of ['0', '-5', 'much', '1.234', '1e3', '9'.repeat(16)]) {
    const { status, body } = await ana.post('/api/balance-alert', { level });
    assert.deepEqual([status, body.error.code], [400, 'invalid_amount']);
  }
  assert.equal((await ana.post('/api/balance-alert', { level: 5 })).status, 400);
  const headers = { 'content-type': 'application/json', origin: 'http://panel.test' };
  const stranger = await t.ask('/api/balance-alert', { host: 'panel', method: 'POST', body: '{"level":"5"}', headers });
  assert.equal(stranger.status, 401);
  await ana.post('/api/balance-alert', { level: '7' });
  assert.deepEqual(await levels(other), { live: null, sandbox: null });
});
