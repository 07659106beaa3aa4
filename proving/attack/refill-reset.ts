import assert from 'node:assert/strict';
import { sql } from '../../src/platform/db/query/sql.ts';
import { testApp } from '../../test/support/program/app.ts';
import { demoIn } from '../../test/support/program/demo-app.ts';
import { run } from '../../test/support/program/operator.ts';
import { type Attack, sized } from './attack.ts';

const REFILLS = 200;

export const refillReset: Attack = {
  name: 'refill-reset',
  tries: 'an eSIM is refilled hundreds of times while its sandbox is reset',
  async run(attempt) {
    await using t = await testApp({ demo: true });
    const { sandboxKey: key, partnerId } = await demoIn(t);
    await t.base.db.run(sql`
      update api_keys set tier_ceilings = '{"money": 1000000, "purchase": 1000000, "read": 1000000}'
      where partner_id = ${partnerId}`);
    const { products } = (await t.get('/catalog/products?country=JP&limit=1', { key })).body;
    for (let round = 0; round < sized(attempt, 1, 10); round += 1) {
      const bought = await t.post('/purchase/buy', { product_id: products[0].id, sandbox_usage: 'active' }, { key });
      const { iccid } = (await t.get(`/order/detail/${bought.body.order_id}`, { key })).body.esim;
      const [refill] = (await t.get(`/esim/refills/${iccid}`, { key })).body.products;
      const answers = await Promise.all(
        Array.from({ length: REFILLS }, async (_, n) => {
          if (n % 40 === 20) return t.post('/account/sandboxReset', {}, { key });
          return t.post('/purchase/refill', { iccid, product_id: refill.id }, { key });
        }),
      );
      const counted = Map.groupBy(answers, ({ status, body }) => `${status} ${body.error ?? ''}`.trim());
      const told = [...counted].map(([answer, all]) => `${all.length} × ${answer}`).join(', ');
      assert.ok(
        answers.every(({ status }) => status < 500),
        told,
      );
      attempt.held(`${REFILLS} requests: ${told}`);
    }
    assert.equal((await run(t.operator(), 'audit')).ok, true, 'the books add up');
  },
};
