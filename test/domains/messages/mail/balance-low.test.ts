import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { HOUR } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { someEmail } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';
import { mailStage } from './stage.ts';

const { t, smtp, sendAll } = await mailStage('api');
let product: string;
let price: number;
before(async () => {
  product = (await testPlan(t)).alias;
  await catalogKnows(t, product);
  const key = await t.key(await t.partner());
  price = (await t.get(`/catalog/product/${product}`, { key })).body.product.price;
});

/** A partner with money for a number of purchases, whose alert level is the price of `level` of them. */
async function partnerWith({ purchases, level }: { purchases: number; level: number }) {
  const email = someEmail();
  const partnerId = await t.partner({ email });
  await credit(t, partnerId, (purchases * price).toFixed(2));
  await run(t.operator(), `partner set ${partnerId} --balance-alert ${(level * price).toFixed(2)}`);
  return { email, partnerId, key: await t.key(partnerId) };
}

const subject = (left: number) => `Your balance is low: ${left.toFixed(2)} USD`;
const subjects = (email: string) => smtp.to(email).map(({ headers }) => headers.subject);
const waiting = async (partnerId: number, on = t) =>
  (await on.base.db.query(sql`select from notices where partner_id = ${partnerId} and kind = 'balance_low'`)).length;

test('the purchase that falls below the alert level is mailed to the partner’s people, without any webhook', async () => {
  const { partnerId, key, email } = await partnerWith({ purchases: 3, level: 2 });
  await buy(t, key, product);
  assert.equal(await waiting(partnerId), 0, 'at the level is not below it');
  await buy(t, key, product);
  await buy(t, key, product);
  assert.equal(await waiting(partnerId), 1, 'below it, another purchase is no news');
  await sendAll();
  assert.deepEqual(subjects(email), [subject(price)]);
  const text = smtp.to(email)[0]?.text.replaceAll('\n', ' ') ?? '';
  const [left, level] = [price.toFixed(2), (2 * price).toFixed(2)];
  assert.ok(text.includes(`fallen to ${left} USD, below your alert level of ${level} USD`), text);
  assert.ok(text.includes('http://panel.test/live/money '), text);
});

test('rising above the level arms it again, and a wallet that goes up and down is mailed once an hour', async () => {
  const { partnerId, key, email } = await partnerWith({ purchases: 2, level: 2 });
  await buy(t, key, product);
  await credit(t, partnerId, price.toFixed(2));
  await buy(t, key, product);
  await sendAll();
  assert.deepEqual(subjects(email), [subject(price)]);
  t.clock.advance(HOUR + 1);
  await credit(t, partnerId, price.toFixed(2));
  await buy(t, key, product);
  await sendAll();
  assert.deepEqual(subjects(email), [subject(price), subject(price)]);
});

test('simultaneous purchases send one mail', async () => {
  const { partnerId, key } = await partnerWith({ purchases: 8, level: 4 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => buy(t, key, product)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 8);
  assert.equal(await waiting(partnerId), 1);
});

test('an adjustment by the operator counts like a purchase', async () => {
  const { partnerId, email } = await partnerWith({ purchases: 2, level: 1 });
  const taken = (2 * price - 0.01).toFixed(2);
  await run(t.operator(), ['wallet', 'adjust', '--partner', `${partnerId}`, '--subtract', taken, '--note', 'typo']);
  await sendAll();
  assert.deepEqual(subjects(email), [subject(0.01)]);
});

test('play money that runs low is not mailed, and neither is a level that is off', async () => {
  const { partnerId, key, email } = await partnerWith({ purchases: 3, level: 2 });
  const sandbox = await t.key(partnerId, 'sandbox');
  const emptied = await t.post('/account/sandboxBalance', { operation: 'set', amount: '0.00' }, { key: sandbox });
  assert.equal(emptied.status, 200);
  await run(t.operator(), `partner set ${partnerId} --balance-alert off`);
  for (let i = 0; i < 3; i++) await buy(t, key, product);
  assert.equal(await waiting(partnerId), 0);
  await sendAll();
  assert.deepEqual(subjects(email), []);
});

test('without SMTP_URL nothing is queued', async () => {
  await using silent = await testApp({ role: 'api' });
  const partnerId = await silent.partner({ email: someEmail() });
  await credit(silent, partnerId, '20.00');
  await run(silent.operator(), `partner set ${partnerId} --balance-alert 10`);
  await run(silent.operator(), ['wallet', 'adjust', '--partner', `${partnerId}`, '--subtract', '15', '--note', 'typo']);
  const { told } = await silent.base.worlds.live.db.one<{ told: number }>(
    sql`select balance_low_events as told from wallets where partner_id = ${partnerId}`,
  );
  assert.deepEqual([told, await waiting(partnerId, silent)], [1, 0]);
});
