import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import type { Credentials } from '../program/airalo-client.ts';
import { type TestApp, testApp } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { catalogKnows, credit } from '../sales/shop.ts';
import { openRoad, type Road, UPPER, type Upper } from './upstream.ts';

/** An installation that sells what the upper one has, with a partner that has 100 USD. Its supplier is `acme`. */
export interface Lower extends TestApp {
  readonly road: Road;
  readonly counts: Record<string, unknown>;
  readonly key1: string;
  /** Our id of a plan, by the upper installation's code of it. */
  alias(code: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
  detail(orderId: string): Promise<any>;
  balance(): Promise<number>;
  delivered(orderId: string): Promise<unknown>;
}

export async function openLower(
  upper: Upper,
  special: { bare?: boolean; test?: boolean; url?: URL; airalo?: Credentials } = {},
): Promise<Lower> {
  const road = await openRoad(() => upper, special);
  const account = {
    slug: 'acme',
    url: special.url ?? road.url,
    key: special.test ? upper.testKey : upper.liveKey,
    secret: undefined,
  };
  const { airalo } = special;
  const supplier = airalo
    ? { airalo: { ...airalo, url: new URL(`${(special.url ?? road.url).href}/airalo`) } }
    : { partnerV3: [account] };
  const t = await testApp({ config: { ...supplier, provisioning: { budgetMs: 15_000, overdueMs: DAY } } });
  const counts = await run(t.operator(), `catalog import ${airalo ? 'airalo' : 'acme'}`);
  const partnerId = await t.partner();
  const key1 = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  async function alias(code: string): Promise<string> {
    const theirs = await upper.alias(code);
    const { ours } = await t.base.db.one<{ ours: string }>(sql`
      select alias as ours from plans where supplier_plan = ${theirs}`);
    return ours;
  }
  await catalogKnows(t, await alias(UPPER.esim));
  const detail = async (orderId: string) => (await t.get(`/order/detail/${orderId}`, { key: key1 })).body;
  return {
    ...t,
    road,
    counts,
    key1,
    alias,
    detail,
    balance: async () => (await t.get('/account/balance', { key: key1 })).body.balance,
    delivered: (orderId) =>
      eventually('the job delivers it', async () => {
        t.clock.advance(MINUTE);
        return (await detail(orderId)).order.status === '1';
      }),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await road[Symbol.asyncDispose]();
    },
  };
}
