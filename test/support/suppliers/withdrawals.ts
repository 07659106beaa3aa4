import type { EsimReference, Supplier, WithdrawAnswer } from '../../../src/domains/supply/port/port.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { TestApp } from '../program/app.ts';
import { testPlan } from '../sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../sales/shop.ts';

export interface Withdrawals {
  /** ICCIDs the supplier was asked to take back, in order. */
  readonly calls: string[];
  /** What it answers from now on. */
  answer: WithdrawAnswer | ((esim: EsimReference) => Promise<WithdrawAnswer>);
}

/** The live supplier of test plans, answering withdrawals as the test says. `none`: it takes nothing back. */
export async function withdrawals(t: TestApp, first: Withdrawals['answer'] | 'none'): Promise<Withdrawals> {
  const supplier = (await t.base.worlds.live.suppliers.of('aurora')) as {
    -readonly [K in keyof Supplier]: Supplier[K];
  };
  const played: Withdrawals = { calls: [], answer: first === 'none' ? { outcome: 'withdrawn' } : first };
  if (first === 'none') delete supplier.withdraw;
  else
    supplier.withdraw = async (esim) => {
      played.calls.push(esim.iccid);
      return typeof played.answer === 'function' ? played.answer(esim) : played.answer;
    };
  return played;
}

export interface Shop {
  readonly partnerId: number;
  readonly live: string;
  readonly sandbox: string;
  /** Buys one eSIM, delivered at once, and returns its order. */
  order(key: string, more?: Record<string, string>): Promise<{ id: string; iccid: string }>;
}

/** A partner with 500.00 in live, whose keys may ask as often as they like. The plan costs 10.00. */
export async function refundShop(t: TestApp): Promise<Shop> {
  const plan = await testPlan(t);
  await catalogKnows(t, plan.alias);
  const partnerId = await t.partner();
  await credit(t, partnerId, '500.00');
  const keys = { live: await t.key(partnerId), sandbox: await t.key(partnerId, 'sandbox') };
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"money": 1000000, "purchase": 1000000, "read": 1000000}'
    where partner_id = ${partnerId}`);
  return {
    partnerId,
    ...keys,
    async order(key, more = {}) {
      const { body } = await buy(t, key, plan.alias, more);
      const id = String(body.order_id);
      return { id, iccid: (await t.get(`/order/detail/${id}`, { key })).body.esim?.iccid };
    },
  };
}
