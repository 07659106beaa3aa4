import assert from 'node:assert/strict';
import { globalAgent } from 'node:https';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import { openAiralo } from '../../../src/domains/supply/adapters/airalo/airalo.ts';
import { signedBody } from '../../../src/domains/supply/adapters/airalo/client.ts';
import { uniqueReference } from '../../../src/domains/supply/adapters/connection.ts';
import { HOUR, SECOND } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { TestClock } from '../../support/clock.ts';
import { testFolder } from '../../support/database/folder.ts';
import { certificate } from '../../support/servers/certificate.ts';
import { fakeAiralo } from '../../support/suppliers/fake-airalo.ts';
import { AIRALO_REFILL } from '../../support/suppliers/fake-airalo-packages.ts';
import { orderForSupplier } from '../../support/suppliers/order-for-supplier.ts';

// Airalo's SDK is the witness that our fake answers like Airalo: it is used as published, with another base address.
// Its own types name methods that it does not have.
type Listed<Row> = Promise<{ readonly data: Row[]; readonly pricing?: object }>;
type Packages = Listed<{ package_id?: string }>;
interface Ordered {
  readonly type: string;
  readonly quantity: number;
  readonly package_id: string;
  readonly description: string;
  readonly sims?: { iccid: string }[];
}
type Order = Promise<{ readonly data: Ordered }>;
interface Sdk {
  initialize(): Promise<Sdk>;
  getAllPackages(flat: boolean): Packages;
  getSimPackages(flat: boolean): Packages;
  getLocalPackages(flat: boolean): Packages;
  getGlobalPackages(flat: boolean): Packages;
  getCountryPackages(country: string, flat: boolean): Packages;
  order(packageId: string, quantity: number, description?: string): Order;
  orderWithEmailSimShare(packageId: string, quantity: number, share: object): Order;
  orderBulk(packages: Record<string, number>): Promise<Record<string, Awaited<Order>>>;
  topup(packageId: string, iccid: string, description?: string): Order;
  getSimUsage(iccid: string): Promise<{ readonly data: { status: string; total: number; remaining: number } }>;
  getSimUsageBulk(iccids: string[]): Promise<Record<string, object>>;
  getSimTopups(iccid: string): Listed<{ id: string }>;
  getSimPackageHistory(iccid: string): Listed<{ package: { id: string } }>;
}
const require = createRequire(import.meta.url);
const { Airalo, Cached } = require('airalo-sdk') as {
  Airalo: new (config: { client_id: string; client_secret: string }) => Sdk;
  Cached: { setCachePath(path: string): void; clearCache(): Promise<void> };
};
const { BASE_URL } = require('airalo-sdk/src/constants/ApiConstants') as { BASE_URL: { production: string } };
const Signature = require('airalo-sdk/src/helpers/Signature') as new (
  secret: string,
) => { getSignature(payload: object): string };

let folder: Awaited<ReturnType<typeof testFolder>>;
before(async () => {
  // It keeps tokens and answers in files.
  folder = await testFolder(0o700);
  Cached.setCachePath(folder.path);
  // It speaks HTTPS only.
  globalAgent.options.ca = certificate.cert;
});
after(async () => {
  globalAgent.destroy();
  await folder[Symbol.asyncDispose]();
});

async function open() {
  await Cached.clearCache();
  const clock = new TestClock();
  const fake = await fakeAiralo(clock, certificate);
  BASE_URL.production = `${fake.url.origin}/v2/`;
  const { clientId: client_id, clientSecret: client_secret } = fake.settings;
  const sdk = await new Airalo({ client_id, client_secret }).initialize();
  return { clock, fake, sdk, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

const ids = ({ data }: Awaited<Packages>) => data.map(({ package_id }) => package_id);
const iccidsOf = ({ data }: Awaited<Order>) => (data.sims ?? []).map(({ iccid }) => iccid);

async function bought({ sdk }: { sdk: Sdk }): Promise<string> {
  const [iccid] = iccidsOf(await sdk.order('one-gb', 1));
  assert.ok(iccid);
  return iccid;
}

suite("airalo's own SDK", () => {
  test('lists every package, refills included, on one page or on several', async () => {
    await using t = await open();
    const all = t.fake.state.places.flatMap(({ operators }) => operators.flatMap(({ packages }) => packages));
    const listed = await t.sdk.getAllPackages(true);
    assert.deepEqual(
      ids(listed),
      all.map(({ id }) => id),
    );
    assert.deepEqual(listed.pricing, t.fake.state.pricing);
    await Cached.clearCache();
    t.fake.state.pageSize = 1;
    assert.deepEqual(await t.sdk.getAllPackages(true), listed);
    assert.deepEqual((await t.sdk.getAllPackages(false)).data, t.fake.state.places);
  });

  test('lists new eSIMs only, local and global ones, and those of a country', async () => {
    await using t = await open();
    assert.ok(ids(await t.sdk.getAllPackages(true)).includes(AIRALO_REFILL));
    assert.ok(!ids(await t.sdk.getSimPackages(true)).includes(AIRALO_REFILL));
    assert.ok(ids(await t.sdk.getLocalPackages(true)).includes('one-gb'));
    assert.deepEqual(ids(await t.sdk.getGlobalPackages(true)), ['eurolink-30days-unlimited', 'discover-7days-1gb']);
    assert.deepEqual(
      ids(await t.sdk.getCountryPackages('us', true)),
      t.fake.state.places[0]?.operators[0]?.packages.map(({ id }) => id),
    );
  });

  test('orders eSIMs, alone, in bulk and shared by mail, and reads their usage', async () => {
    await using t = await open();
    const order = await t.sdk.order('one-gb', 2, 'two of them');
    assert.deepEqual([order.data.type, order.data.quantity, order.data.description], ['sim', 2, 'two of them']);
    const iccids = iccidsOf(order);
    assert.equal(new Set(iccids).size, 2);
    const one = await t.sdk.getSimUsage(String(iccids[0]));
    assert.deepEqual([one.data.status, one.data.total, one.data.remaining], ['NOT_ACTIVE', 1024, 1024]);
    const both = await t.sdk.getSimUsageBulk(iccids);
    assert.deepEqual(Object.keys(both).sort(), [...iccids].sort());

    const bulk = await t.sdk.orderBulk({ 'one-gb': 1, 'discover-7days-1gb': 1 });
    assert.equal(Object.values(bulk).flatMap(iccidsOf).length, 2);
    const share = { to_email: 'a@b.example', sharing_option: ['link'], copy_address: ['c@d.example'] };
    assert.equal(iccidsOf(await t.sdk.orderWithEmailSimShare('one-gb', 1, share)).length, 1);
  });

  test('lists the refills of an eSIM, orders one, and reads the new usage and the history', async () => {
    await using t = await open();
    const iccid = await bought(t);
    assert.deepEqual(
      (await t.sdk.getSimTopups(iccid)).data.map(({ id }) => id),
      [AIRALO_REFILL],
    );
    const refill = await t.sdk.topup(AIRALO_REFILL, iccid, 'our reference');
    assert.deepEqual(
      [refill.data.type, refill.data.package_id, refill.data.description, refill.data.sims],
      ['topup', AIRALO_REFILL, 'our reference', undefined],
    );
    assert.equal((await t.sdk.getSimUsage(iccid)).data.total, 2048);
    assert.deepEqual(
      (await t.sdk.getSimPackageHistory(iccid)).data.map((one) => one.package.id),
      ['one-gb', AIRALO_REFILL],
    );
  });

  test('gets an error that says what is wrong', async () => {
    await using t = await open();
    const iccid = await bought(t);
    const refusals: [() => Promise<unknown>, RegExp][] = [
      [() => t.sdk.order('test-insufficient-balance-7days-1gb', 1), /status code: 422.*"code":11/],
      [() => t.sdk.order('no-such-package', 1), /status code: 422.*package_id/],
      [() => t.sdk.topup('test-disabled-top-up-7days-1gb', iccid), /status code: 422.*"code":23/],
      [() => t.sdk.topup('discover-7days-1gb', iccid), /status code: 422.*package_id/],
      [() => t.sdk.topup(AIRALO_REFILL, '8910009999999999999'), /status code: 422.*iccid/],
      [() => t.sdk.getSimUsage('8910009999999999999'), /status code: 404/],
    ];
    for (const [ask, message] of refusals) await assert.rejects(ask, message);
    Object.assign(t.fake.usages.get(iccid) ?? {}, { status: 'RECYCLED' });
    await assert.rejects(t.sdk.getSimTopups(iccid), /status code: 422.*"code":73/);
    await assert.rejects(t.sdk.topup(AIRALO_REFILL, iccid), /status code: 422.*"code":73/);
  });

  test('fails with a wrong secret, because its signature does not fit', async () => {
    await using t = await open();
    const wrong = new Airalo({ client_id: t.fake.settings.clientId, client_secret: 'wrong' });
    await assert.rejects(wrong.initialize(), /status code: 422.*"code":14/);
  });

  test('signs what we sign', () => {
    const payload = { package_id: 'a/b', description: 'é "quoted"', quantity: 1 };
    assert.equal(signedBody(payload, 'secret').signature, new Signature('secret').getSignature(payload));
  });
});

suite("our adapter beside airalo's own SDK", () => {
  test('sends the same requests for an order, a refill and the list', async () => {
    await using t = await open();
    await using plain = await fakeAiralo(t.clock);
    const log = createLog('silent');
    const ours = openAiralo({ ...plain.settings, url: plain.url }, { clock: t.clock, log });
    const supplier = ours.supplier('airalo');
    const longAgo = new Date(t.clock.now() - HOUR);
    const order = orderForSupplier(t.clock, { paidAt: longAgo, orderedAt: longAgo });

    const placed = await supplier.order(order, 5 * SECOND);
    assert.ok(placed.outcome === 'delivered');
    const refillOf = { iccid: placed.esim.iccid, supplierOrder: placed.supplierOrder };
    const refill = orderForSupplier(t.clock, { plan: AIRALO_REFILL, refillOf, paidAt: longAgo, orderedAt: longAgo });
    assert.equal((await supplier.order(refill, 5 * SECOND)).outcome, 'refilled');
    await supplier.plans(AbortSignal.timeout(60 * SECOND));

    await t.sdk.order(order.plan, 1, uniqueReference(order));
    await t.sdk.topup(AIRALO_REFILL, refillOf.iccid, uniqueReference(refill));
    await t.sdk.getAllPackages(true);
    const sent = (fake: typeof plain) =>
      fake.requests
        .slice(1)
        .map(({ method, path, body, query }) => [
          method,
          path,
          body === '' ? '' : JSON.parse(body),
          query.get('include'),
        ]);
    assert.deepEqual(sent(plain), sent(t.fake));
    await ours.close();
  });
});
