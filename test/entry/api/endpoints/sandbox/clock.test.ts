import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseTimestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { keyIdOf } from '../../../../support/program/agent.ts';
import { testApp } from '../../../../support/program/app.ts';
import { testPlan } from '../../../../support/sales/paid-order.ts';
import { buy, catalogKnows } from '../../../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { alias } = await testPlan(t);
await catalogKnows(t, alias);
const turn = (key: string, form: Record<string, string>) => t.post('/sandbox/clock', form, { key });

test('the very next call sees the new time, and reset ends it; turns add up', async () => {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const { id } = (await buy(t, key, alias, { sandbox_scenario: 'deferred' })).body;
  const status = async () => (await t.get(`/order/detail/${id}`, { key })).body.order.status;
  assert.equal(await status(), '4');
  const { body } = await turn(key, { advance: '61' });
  assert.equal(body.ahead_seconds, 61);
  const ahead = (parseTimestamp(body.now)?.getTime() ?? 0) - t.clock.now();
  assert.ok(Math.abs(ahead - 61_000) < 10_000, body.now);
  assert.equal(await status(), '1');
  assert.equal((await turn(key, { advance: '3600', reset: '0' })).body.ahead_seconds, 3661);
  for (let round = 0; round < 3; round++) {
    await turn(key, { reset: '1' });
    assert.equal((await t.get('/account/balance', { key })).headers['x-sandbox-clock'], undefined);
    assert.equal((await turn(key, { advance: '60' })).body.ahead_seconds, 60);
    assert.ok((await t.get('/account/balance', { key })).headers['x-sandbox-clock']);
  }
  const entries = await t.base.db.query<{ what: string }>(sql`
    select what from audit_log where who = ${`key:${await keyIdOf(t, key)}`} order by id limit 3`);
  assert.deepEqual(
    entries.map(({ what }) => what),
    ['sandbox clock advance', 'sandbox clock advance', 'sandbox clock reset'],
  );
});

test('refused: neither or both, no number of seconds, more than two years ahead, and live keys', async () => {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const code = async (form: Record<string, string>, by = key) => {
    const { status, body } = await turn(by, form);
    return `${status} ${body.error}`;
  };
  assert.equal(await code({}), '400 advance_required');
  assert.equal(await code({ reset: '0' }), '400 advance_required');
  for (const advance of ['0', '-5', '1.5', '1h', '63072001'])
    assert.equal(await code({ advance }), '400 invalid_advance', advance);
  assert.equal(await code({ advance: '5', reset: '1' }), '400 invalid_advance');
  assert.equal(await code({ reset: 'yes' }), '400 invalid_reset');
  assert.equal((await turn(key, { advance: '63072000' })).status, 200);
  assert.equal(await code({ advance: '1' }), '409 clock_too_far');
  for (const advance of ['1', '63072001'])
    assert.match((await turn(key, { advance })).body.message, /63072000.*two years/, 'the limit is named');
  assert.equal(await code({ advance: '1' }, await t.key(partner, 'live')), '400 sandbox_only_action');
});
