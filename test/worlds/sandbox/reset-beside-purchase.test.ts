import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../../../src/platform/clock.ts';
import { testApp } from '../../support/program/app.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { ownEsim, refill, refillShop, shopperIn } from '../../support/sales/refills.ts';
import { catalogKnows } from '../../support/sales/shop.ts';

const ROUNDS = 25;

test('resetting a sandbox during purchases is no error: no error in the log, no 500', async () => {
  await using t = await testApp();
  const key = await t.key(await t.partner(), 'sandbox');
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  for (let round = 0; round < ROUNDS; round++) {
    t.clock.advance(2 * MINUTE);
    const buy = (more = {}) => t.post('/purchase/buy', { product_id: alias, ...more }, { key });
    const same = { idempotency_key: `round-${round}` };
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => buy()),
      buy(same),
      buy(same),
      t.post('/account/sandboxReset', '', { key }),
      buy(same),
    ]);
    for (const { status, text } of answers) assert.ok(status < 500, text);
  }
  assert.deepEqual(
    t.logged.filter((line) => line.includes('"level":"error"')),
    [],
  );
});

test('a refill beside a reset is bought or finds no eSIM: never a 500', async () => {
  await using t = await refillShop();
  const shopper = await shopperIn(t, 'sandbox');
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    t.clock.advance(2 * MINUTE);
    const esim = await ownEsim(t, shopper);
    const refills = Array.from({ length: 8 }, () => refill(t, shopper, esim));
    const answers = await Promise.all([...refills, t.post('/account/sandboxReset', '', { key: shopper.key })]);
    for (const { status, body } of answers) seen.add(`${status} ${body.error ?? ''}`.trim());
  }
  assert.deepEqual(
    [...seen].filter((answer) => !['200', '202', '404 esim_not_found'].includes(answer)),
    [],
  );
  assert.deepEqual(
    t.logged.filter((line) => line.includes('"level":"error"')),
    [],
  );
});
