import { iccidOf } from '../../../src/domains/supply/port/esim.ts';
import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { TestApp } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { entry, stockedApp } from '../sales/catalog.ts';
import { buy, catalogKnows, credit } from '../sales/shop.ts';
import { openLower } from './downstream.ts';
import { fakeAiralo } from './fake-airalo.ts';
import { fakeEsimAccess } from './fake-esim-access.ts';
import { fakeEsimGo } from './fake-esim-go.ts';
import { ESIM_GO_ONE } from './fake-esim-go-bundles.ts';
import { type FakeRequest, fakeHttp, type Lies, type Reply } from './fake-http.ts';
import { fakeZendit } from './fake-zendit.ts';
import { supplierShop } from './supplier-shop.ts';
import { openUpper, UPPER } from './upstream.ts';

/** What each supplier calls the fields that it can lie in. */
export interface LyingFields {
  readonly iccid: readonly string[];
  /** Every field that can have the matching id or the whole activation code. */
  readonly code: readonly string[];
  readonly host: readonly string[];
  /** What it charged for an order; empty: it does not say. */
  readonly charged: readonly string[];
  /** The price of a plan in its list; empty: it has no list. */
  readonly listed: readonly string[];
  readonly total: readonly string[];
  readonly end: readonly string[];
}

/** The whole program with one supplier, behind which somebody may lie. */
export interface LiarShop extends AsyncDisposable {
  readonly t: TestApp;
  readonly slug: string;
  lie(values: Lies): void;
  /** A partner of its own, with 100 USD, buys an eSIM. */
  buy(): Promise<{ readonly key: string; readonly status: number; readonly body: Record<string, string> }>;
  /** The eSIM is in use, so that its usage is read from the supplier. */
  use(iccid: string): Promise<void> | void;
  /** eSIMs that were bought from the supplier. */
  bought(): number | Promise<number>;
  /** Time passes, here and at the supplier. */
  pass(ms: number): void;
  /** The job's try of everything that is due, ten minutes later. */
  work(): Promise<unknown>;
}

interface Liar {
  readonly name: string;
  readonly fields: LyingFields;
  open(): Promise<LiarShop>;
}

async function buyer(t: TestApp, alias: string) {
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  await credit(t, partnerId, '100.00');
  await catalogKnows(t, alias);
  const { status, body } = await buy(t, key, alias);
  return { key, status, body };
}

const aliasOf = async (t: TestApp, code: string) =>
  (await t.base.db.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${code}`)).alias;

/** How time passes, and what the job does then. */
const passing = (t: TestApp, pass = (ms: number): void => t.clock.advance(ms)) => ({
  pass,
  work: async () => {
    pass(10 * MINUTE);
    return t.base.worlds.live.provisioning.provisionDue();
  },
});

type Shop<Fake> = Awaited<ReturnType<typeof supplierShop<Fake & AsyncDisposable>>>;

/** A supplier with a fake of its own. */
function faked<Fake extends AsyncDisposable & { lie: LiarShop['lie'] }>(
  t: Shop<Fake>,
  slug: string,
  code: string,
  of: { bought(fake: Fake): number; use(fake: Fake, iccid: string): void },
): LiarShop {
  return {
    ...{ t, slug },
    lie: t.fake.lie,
    buy: async () => buyer(t, await aliasOf(t, code)),
    use: (iccid) => of.use(t.fake, iccid),
    bought: () => of.bought(t.fake),
    ...passing(t),
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}

async function partnerV3(): Promise<LiarShop> {
  const upper = await openUpper();
  const t = await openLower(upper);
  return {
    ...{ t, slug: 'acme' },
    lie: t.road.lie,
    buy: async () => buyer(t, await t.alias(UPPER.esim)),
    use: async (iccid) => void (await run(upper.operator(), `usage set ${iccid} --used 300`)),
    bought: async () => (await upper.orders()).filter(({ status }) => status !== 2).length,
    ...passing(t, (ms) => {
      for (const { clock } of [t, upper]) clock.advance(ms);
    }),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await upper[Symbol.asyncDispose]();
    },
  };
}

/** The service of the simulated supplier, as far as an order and its usage need it. */
async function simulated(): Promise<LiarShop> {
  const orders = new Map<string, Record<string, unknown>>();
  const used = new Map<string, number>();
  function answer({ method, path }: FakeRequest): Reply {
    const [, what, name = ''] = path.split('/');
    if (what === 'usage')
      return {
        status: 200,
        body: {
          iccid: name,
          active: true,
          total_mb: 1024,
          used_mb: used.get(name) ?? 0,
          activated_at: null,
          expires_at: null,
        },
      };
    if (what !== 'orders') return { status: 404, body: {} };
    if (method === 'PUT' && !orders.has(name)) {
      const serial = orders.size + 1;
      const esim = { iccid: iccidOf('8988', serial), smdp: 'smdp.example.com', matching_id: `M-${serial}` };
      orders.set(name, { reference: name, state: 'delivered', order: `o-${serial}`, ...esim });
    }
    const order = orders.get(name);
    return order ? { status: 200, body: order } : { status: 404, body: {} };
  }
  const fake = await fakeHttp(answer, { status: 429, body: {} });
  const t = await stockedApp([entry({ code: 'one' })], {
    role: 'api',
    config: { simulatedSupplierUrl: fake.url, provisioning: { budgetMs: 2_000, overdueMs: DAY } },
  });
  return {
    ...{ t, slug: 'aurora' },
    lie: fake.lie,
    buy: async () => buyer(t, await aliasOf(t, 'one')),
    use: (iccid) => void used.set(iccid, 300),
    bought: () => orders.size,
    ...passing(t),
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}

/** Every adapter that reads what somebody else says. */
export const liars: readonly Liar[] = [
  {
    name: 'partner_v3',
    fields: {
      iccid: ['iccid'],
      code: ['qrcode', 'activationCode', 'matching_id'],
      host: ['lpa', 'smdpAddress', 'qrcode', 'activationCode'],
      charged: ['sale_price'],
      listed: ['partner_price'],
      total: ['total_mb'],
      end: ['expires_at'],
    },
    open: partnerV3,
  },
  {
    name: 'airalo',
    fields: {
      iccid: ['iccid'],
      code: ['qrcode', 'matching_id'],
      host: ['lpa'],
      charged: ['net_price'],
      listed: ['USD'],
      total: ['total'],
      end: ['expired_at'],
    },
    open: async () =>
      faked(
        await supplierShop('airalo', fakeAiralo, (fake) => ({ airalo: { ...fake.settings, url: fake.url } })),
        'airalo',
        'one-gb',
        {
          bought: (fake) => fake.orders.length,
          use: (fake, iccid) =>
            void Object.assign(fake.usages.get(iccid) ?? {}, { status: 'ACTIVE', remaining: 1_000 }),
        },
      ),
  },
  {
    name: 'esim access',
    fields: {
      iccid: ['iccid'],
      code: ['ac'],
      host: ['ac'],
      charged: ['price'],
      listed: ['price'],
      total: ['totalVolume'],
      end: ['expiredTime'],
    },
    open: async () =>
      faked(
        await supplierShop('esim-access', fakeEsimAccess, (fake) => ({ esimAccess: fake.settings })),
        'esim-access',
        'one-gb',
        {
          bought: (fake) => fake.orders.size,
          use: (fake) => {
            const inUse = { esimStatus: 'IN_USE', activateTime: '2026-01-01T00:00:00+0000', expiredTime: null };
            for (const { profile } of fake.orders.values()) Object.assign(profile, inUse);
          },
        },
      ),
  },
  {
    name: 'esim go',
    fields: {
      iccid: ['iccid'],
      code: ['matchingId'],
      host: ['smdpAddress'],
      // With a price like that, its trial refuses the order before it is placed.
      charged: [],
      listed: ['price'],
      total: ['initialQuantity'],
      end: ['endTime'],
    },
    async open() {
      const t = await supplierShop('esim-go', fakeEsimGo, (fake) => ({
        esimGo: fake.settings,
        provisioning: { budgetMs: MINUTE, overdueMs: DAY },
      }));
      await run(t.operator(), 'supplier set esim-go --markup 50');
      await run(t.operator(), 'catalog import esim-go');
      const shop = faked(t, 'esim-go', ESIM_GO_ONE, {
        bought: (fake) => fake.orders.size,
        use: (fake, iccid) => {
          const inUse = { bundleState: 'active', startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-08T00:00:00Z' };
          for (const one of fake.esims.get(iccid)?.assignments ?? []) Object.assign(one, inUse);
        },
      });
      // An account's orders are placed one after the other.
      return {
        ...shop,
        buy() {
          t.clock.advance(3_000);
          return shop.buy();
        },
      };
    },
  },
  {
    name: 'zendit',
    fields: {
      iccid: ['iccid'],
      code: ['activationCode'],
      host: ['smdpAddress'],
      charged: ['cost'],
      listed: ['fixed'],
      total: ['initialDataGB'],
      end: ['endAt'],
    },
    open: async () =>
      faked(await supplierShop('zendit', fakeZendit, (fake) => ({ zendit: fake.settings })), 'zendit', 'one-gb', {
        bought: (fake) => [...fake.transactions.values()].filter(({ status }) => status === 'DONE').length,
        use: (fake, iccid) => fake.use(iccid),
      }),
  },
  {
    name: 'simulated',
    fields: {
      iccid: ['iccid'],
      code: ['matching_id'],
      host: ['smdp'],
      charged: [],
      listed: [],
      total: ['total_mb'],
      end: ['expires_at'],
    },
    open: simulated,
  },
];
