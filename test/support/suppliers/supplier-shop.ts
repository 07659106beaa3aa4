import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Config } from '../../../src/platform/settings/config.ts';
import { TestClock } from '../clock.ts';
import { eventually } from '../eventually.ts';
import { type TestApp, testApp } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { catalogKnows, credit } from '../sales/shop.ts';

export interface SupplierShop extends TestApp {
  /** What the import said. */
  readonly counts: Record<string, unknown>;
  readonly key1: string;
  alias(code: string): Promise<string>;
  /** The same for a refill, which the catalog's answers leave out. */
  refillAlias(code: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
  detail(orderId: string): Promise<any>;
  balance(): Promise<number>;
  /** The job's try of everything that is due. */
  provisionDue(): Promise<number>;
  delivered(orderId: string): Promise<unknown>;
}

/** The whole program with an account at a supplier that is faked, its plans imported, and a partner with 100 USD. */
export async function supplierShop<Fake extends AsyncDisposable>(
  supplier: string,
  openFake: (clock: TestClock) => Promise<Fake>,
  configOf: (fake: Fake) => Partial<Config>,
): Promise<SupplierShop & { readonly fake: Fake }> {
  const clock = new TestClock();
  const fake = await openFake(clock);
  const config = configOf(fake);
  // Its jobs run when a test says so.
  const t = await testApp({
    clock,
    role: 'api',
    config: { provisioning: { budgetMs: 2_000, overdueMs: DAY }, ...config },
  });
  const counts = await run(t.operator(), `catalog import ${supplier}`);
  const partnerId = await t.partner();
  const key1 = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  async function aliasOf(code: string): Promise<string> {
    const row = await t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${code}`);
    return row.alias;
  }
  async function alias(code: string): Promise<string> {
    const found = await aliasOf(code);
    await catalogKnows(t, found);
    return found;
  }
  const provisionDue = () => t.base.worlds.live.provisioning.provisionDue();
  const detail = async (orderId: string) => (await t.get(`/order/detail/${orderId}`, { key: key1 })).body;
  return {
    ...t,
    fake,
    counts,
    key1,
    alias,
    async refillAlias(code) {
      // The catalog knows it when it knows a plan of the same import.
      await alias('one-gb');
      return aliasOf(code);
    },
    detail,
    balance: async () => (await t.get('/account/balance', { key: key1 })).body.balance,
    provisionDue,
    // Time leaps only between two tries of the job: one that it overtook would leave the order to the next, which it overtakes, too.
    delivered: (orderId) =>
      eventually('the job delivers it', async () => {
        t.clock.advance(MINUTE);
        await provisionDue();
        return (await detail(orderId)).order.status === '1';
      }),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}
