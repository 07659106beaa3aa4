import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAcme } from '../../../examples/supplier/acme.ts';
import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { SECOND } from '../../../src/platform/clock.ts';
import { type SupplierRig, supplierSuite } from '../../suites/supplier.ts';
import { type FakeRequest, fakeHttp, type Mishap, type Reply } from '../../support/suppliers/fake-http.ts';

/** The made-up supplier of examples/supplier/: the template of an adapter is held to what it shows. */
async function open() {
  const orders = new Map<string, { iccid: string }>();
  const state = { refuses: false };

  function answer({ method, path, query, body }: FakeRequest): Reply {
    if (path === '/plans') {
      const plan = { code: 'one-gb', country: 'JP', title: 'Japan 1 GB', mb: 1024, days: 7, cost: '1.80' };
      return { status: 200, body: { plans: [plan] } };
    }
    if (path.startsWith('/esims/')) {
      const isSold = [...orders.values()].some(({ iccid }) => path.endsWith(iccid));
      return isSold
        ? { status: 200, body: { state: 'not_active', total_mb: 1024, used_mb: 0 } }
        : { status: 404, body: {} };
    }
    if (method === 'GET') {
      const found = orders.get(query.get('reference') ?? '');
      return { status: 200, body: { orders: found ? [found] : [] } };
    }
    if (state.refuses) return { status: 422, body: {} };
    const { reference } = JSON.parse(body) as { reference: string };
    const n = orders.size + 1;
    const made = { id: `A-${n}`, reference, iccid: iccidOf('8901', n), smdp: 'smdp.example.com', matching_id: `M${n}` };
    orders.set(reference, orders.get(reference) ?? made);
    return { status: 201, body: orders.get(reference) };
  }

  const { url, ...fake } = await fakeHttp(answer, { status: 429, body: {} });
  const acme = openAcme({ key: 'k', url });
  return { state, fake, supplier: acme.supplier('acme'), close: () => acme.close() };
}

const mishaps: Partial<Record<string, Mishap>> = { timeout: 'hang', break: 'break', duplicate: 'duplicate' };

supplierSuite(
  'the template',
  ['deliver', 'refuse', 'timeout', 'duplicate', 'break', 'away'],
  async (): Promise<SupplierRig> => {
    const { state, fake, supplier, close } = await open();
    return {
      supplier,
      async behave(fault) {
        fake.behaveAgain();
        state.refuses = fault === 'refuse';
        const mishap = mishaps[fault];
        if (mishap) fake.meet(mishap, /POST/, fault === 'break' ? 1 : 1_000);
        if (fault === 'away') await fake[Symbol.asyncDispose]();
      },
      passDelay() {},
      orderFields: () => ({}),
      timesOrdered: async (reference) =>
        fake.requests.filter(({ method, body }) => method === 'POST' && body.includes(`"${reference}-`)).length,
      async [Symbol.asyncDispose]() {
        await close();
        await fake[Symbol.asyncDispose]();
      },
    };
  },
);

test('the template: its list is an import', async () => {
  const { supplier, fake, close } = await open();
  const list = await supplier.plans(AbortSignal.timeout(5 * SECOND));
  assert.equal(list?.plans.length, 1);
  await close();
  await fake[Symbol.asyncDispose]();
});
