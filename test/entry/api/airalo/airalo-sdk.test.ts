import assert from 'node:assert/strict';
import { globalAgent } from 'node:https';
import { createRequire } from 'node:module';
import { after, before, suite, test } from 'node:test';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { testFolder } from '../../../support/database/folder.ts';
import { airaloKey, type Credentials, doorClient, phpText, signed } from '../../../support/program/airalo-client.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { catalogKnows, credit } from '../../../support/sales/shop.ts';
import { certificate } from '../../../support/servers/certificate.ts';
import { type Receiver, receiver } from '../../../support/servers/receiver.ts';
import { tlsFront } from '../../../support/servers/tls-front.ts';

const methods = [
  'getAllPackages',
  'getCountryPackages',
  'getGlobalPackages',
  'getLocalPackages',
  'getSimInstructions',
  'getSimPackageHistory',
  'getSimPackages',
  'getSimTopups',
  'getSimUsage',
  'getSimUsageBulk',
  'initialize',
  'order',
  'orderAsync',
  'orderBulk',
  'topup',
] as const;

// Airalo's SDK is the witness that its clients can buy here: it is used as published, with another base address.
// Its own types name methods that it does not have.
// biome-ignore lint/suspicious/noExplicitAny: it is a test of what the SDK reads, not of its types.
type Sdk = Record<(typeof methods)[number], (...given: any[]) => Promise<any>>;
const require = createRequire(import.meta.url);
const { Airalo, Cached } = require('airalo-sdk') as {
  Airalo: new (config: { client_id: string; client_secret: string }) => Sdk;
  Cached: { setCachePath(path: string): void; clearCache(): Promise<void> };
};
const { BASE_URL } = require('airalo-sdk/src/constants/ApiConstants') as { BASE_URL: { production: string } };

const MODES: readonly Mode[] = ['live', 'sandbox'];

let t: TestApp;
let hook: Receiver;
let folder: Awaited<ReturnType<typeof testFolder>>;
let fronts: Record<Mode, Awaited<ReturnType<typeof tlsFront>>>;
let product: string;
let other: string;
let refill: string;

before(async () => {
  hook = await receiver();
  t = await testApp({ config: { airaloDoor: true, webhookTrustedHosts: [hook.host] } });
  fronts = { live: await tlsFront(t.port, 'live.test'), sandbox: await tlsFront(t.port, 'sandbox.test') };
  const plan = await testPlan(t, { price: 10, cost: 4 });
  product = plan.alias;
  other = (await testPlan(t, { price: 7, title: '3 GB 30 days', amount: 3072, day: 30 })).alias;
  refill = (await testPlan(t, { refills: [plan.code], title: '1 GB more' })).alias;
  await catalogKnows(t, product);
  await catalogKnows(t, other);
  // It keeps tokens and answers in files, and speaks HTTPS only.
  folder = await testFolder(0o700);
  Cached.setCachePath(folder.path);
  globalAgent.options.ca = certificate.cert;
});
after(async () => {
  globalAgent.destroy();
  await Promise.all(MODES.map((mode) => fronts[mode][Symbol.asyncDispose]()));
  await folder[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

async function open(mode: Mode): Promise<{ sdk: Sdk; credentials: Credentials }> {
  await Cached.clearCache();
  const partnerId = await t.partner();
  const key = await t.key(partnerId, mode);
  if (mode === 'live') await credit(t, partnerId, '500.00', 'promo');
  else await t.post('/account/sandboxBalance', { operation: 'set', amount: '500.00' }, { key });
  const credentials = await airaloKey(t, partnerId, mode);
  BASE_URL.production = `${fronts[mode].origin}/v3/airalo/v2/`;
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  const sdk = new Airalo({ client_id, client_secret });
  await sdk.initialize();
  return { sdk, credentials };
}

for (const mode of MODES)
  suite(`airalo's own SDK in ${mode}`, () => {
    test('lists packages, flat and as places, and those of a country', async () => {
      const { sdk } = await open(mode);
      const ids = (listed: { data: { package_id: string }[] }) => listed.data.map(({ package_id }) => package_id);
      const all = await sdk.getAllPackages(true);
      assert.deepEqual(new Set(ids(all)), new Set([product, other, refill]));
      assert.deepEqual(all.pricing, { model: 'net_pricing', discount_percentage: 0 });
      assert.deepEqual(new Set(ids(await sdk.getSimPackages(true))), new Set([product, other]));
      assert.equal((await sdk.getAllPackages(false)).data[0].slug, 'france');
      // From the second page on others get an object, which this client cannot read.
      assert.deepEqual((await sdk.getAllPackages(false, 1, 1)).data.length, 1);
      assert.equal(await sdk.getAllPackages(false, 1, 2), null);
      assert.ok(ids(await sdk.getCountryPackages('FR', true)).includes(product));
      assert.ok(ids(await sdk.getLocalPackages(true)).includes(product));
      // Nothing is sold worldwide.
      assert.equal(await sdk.getGlobalPackages(true), null);
    });

    test('orders, alone and in bulk, tops up and reads usage', async () => {
      const { sdk } = await open(mode);
      const ordered = await sdk.order(product, 2, 'two of them');
      assert.deepEqual([ordered.meta.message, ordered.data.quantity, ordered.data.sims.length], ['success', 2, 2]);
      const bulk = await sdk.orderBulk({ [product]: 1, [other]: 2 });
      assert.deepEqual(
        Object.fromEntries(Object.entries(bulk).map(([id, one]) => [id, (one as typeof ordered).data.sims.length])),
        { [product]: 1, [other]: 2 },
      );
      const { iccid } = ordered.data.sims[0];
      assert.deepEqual(
        (await sdk.getSimTopups(iccid)).data.map(({ id }: { id: string }) => id),
        [refill],
      );
      const topup = await sdk.topup(refill, iccid);
      assert.deepEqual([topup.data.type, topup.data.package_id], ['topup', refill]);
      const usage = await sdk.getSimUsage(iccid);
      assert.deepEqual([usage.data.status, usage.data.total], ['NOT_ACTIVE', 2048]);
      const iccids = ordered.data.sims.map((sim: { iccid: string }) => sim.iccid);
      assert.deepEqual(Object.keys(await sdk.getSimUsageBulk(iccids)).sort(), [...iccids].sort());
      assert.equal((await sdk.getSimPackageHistory(iccid)).data.length, 2);
      const guide = await sdk.getSimInstructions(iccid, 'de');
      assert.equal(guide.data.instructions.language, 'de');
    });

    test('orders asynchronously, and gets the signed webhook', async () => {
      const { sdk, credentials } = await open(mode);
      const url = `${hook.url}/${mode}`;
      const accepted = await sdk.orderAsync(product, 2, url, 'later');
      assert.match(accepted.data.request_id, /^\w{25}$/);
      const came = () => hook.received.filter(({ path }) => path.endsWith(`/${mode}`));
      while (came().length === 0) await hook.got(hook.received.length + 1);
      const [{ body, headers } = assert.fail()] = came();
      assert.equal(headers['airalo-signature'], signed(credentials.clientSecret, body));
      const sent = JSON.parse(body);
      assert.deepEqual(
        [sent.request_id, sent.data.request_id, sent.data.description, sent.data.sims.length],
        [accepted.data.request_id, accepted.data.request_id, 'later', 2],
      );
      assert.equal(body, phpText(sent), 'compact, with escaped slashes and letters as they are');
      const client = doorClient(t, credentials);
      assert.equal((await client.get(`/orders/${sent.data.id}`)).body.data.quantity, '2');
    });
  });
