import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { run } from '../../../../support/program/operator.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import { entry, eventually, stockedApp } from '../../../../support/sales/catalog.ts';
import { buy, counts } from '../../../../support/sales/shop.ts';

test('400 invalid_sandbox_scenario, invalid_sandbox_usage: outside their sets, repeated or bracketed; live ignores both', async () => {
  await using t = await stockedApp([entry({ code: 'a' })]);
  const [product, play] = [await t.alias('a'), await t.key(t.partner1, 'sandbox')];
  const send = (key: string, script: string) => t.post('/purchase/buy', `product_id=${product}&${script}`, { key });
  for (const script of [
    'sandbox_scenario=later',
    'sandbox_scenario[]=success',
    'sandbox_scenario=failed&sandbox_scenario=failed',
  ]) {
    refused(await send(play, script), 'invalid_sandbox_scenario', sandbox);
  }
  for (const script of ['sandbox_usage=full', 'sandbox_usage[]=active']) {
    refused(await send(play, script), 'invalid_sandbox_usage', sandbox);
  }
  assert.equal((await counts(t, 'sandbox')).orders, 0);
  const live = await send(t.key1, 'sandbox_scenario=later&sandbox_usage=full');
  assert.equal(live.body.error, 'insufficient_balance', 'as if nothing had been asked for');
});

test('500 sandbox_order_insert_failed: the order row was not created, and nothing was taken', async () => {
  await using t = await stockedApp([entry({ code: 'a' })]);
  const [product, play] = [await t.alias('a'), await t.key(t.partner1, 'sandbox')];
  await t.base.db.run(sql`alter table sandbox.orders add constraint broken check (false) not valid`);
  refused(await buy(t, play, product), 'sandbox_order_insert_failed', sandbox);
  await t.base.db.run(sql`alter table sandbox.orders drop constraint broken`);
  assert.equal((await t.get('/account/balance', { key: play })).body.balance, 1000);
  assert.equal((await buy(t, play, product)).body.balance, 990);
});

test('400 invalid_partner_price: a share that leaves nothing of the price refuses the sale', async () => {
  await using t = await stockedApp([entry({ code: 'free', price: '10.00', cost: '0.000000' })]);
  await run(t.operator(), 'pricing cap 100');
  await run(t.operator(), `partner set ${t.partner1} --margin-share 100`);
  const product = await t.alias('free');
  await eventually(async () => refused(await buy(t, t.key1, product), 'invalid_partner_price'));
  assert.equal((await counts(t)).orders, 0);
});
