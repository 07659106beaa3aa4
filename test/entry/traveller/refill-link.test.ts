import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { languages } from '../../../src/domains/messages/texts/texts.ts';
import { saveBrand } from '../../../src/domains/travellers/travellers.ts';
import { DAY } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import type { StockedApp } from '../../support/sales/catalog.ts';
import { ownEsim, refillShop, type Shopper, shopperIn } from '../../support/sales/refills.ts';
import { pageOf, setReading } from '../../support/sales/shared-order.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
});
after(() => t[Symbol.asyncDispose]());

const brand = (refillUrl: string) => ({
  displayName: 'Nomad',
  color: null,
  supportUrl: '',
  refillUrl,
  allowsReplacement: false,
  logo: null,
});
const set = ({ partnerId }: Shopper, refillUrl: string) =>
  t.base.db.tx((tx) => saveBrand(tx, partnerId, brand(refillUrl)));
const page = async (path: string, query = '') => (await t.ask(path + query, { host: 'panel' })).text;
const linkIn = (text: string) =>
  /<a class="(go[^"]*)" id="(?:refill|later)" href="([^"]*)" rel="noreferrer">/.exec(text)?.slice(1);

for (const mode of ['live', 'sandbox'] as const)
  test(`${mode}: the page of an eSIM that can be refilled links to the partner's shop with its number, in every language`, async () => {
    const shopper = await shopperIn(t, mode);
    const { iccid, orderId } = await ownEsim(t, shopper);
    const { path } = await pageOf(t.base.worlds[mode], BigInt(orderId));
    assert.equal(linkIn(await page(path)), undefined, 'no link without an address');
    await set(shopper, 'https://shop.example/{iccid}?a=1&b=2');
    assert.deepEqual(linkIn(await page(path)), ['go plain', `https://shop.example/${iccid}?a=1&#38;b=2`]);
    assert.equal(linkIn(await page(`${path}/usage`)), undefined, 'not among the figures before it is installed');
    const untouched = await page(path);
    assert.ok(untouched.indexOf(languages.en.install.iphone.button) < untouched.indexOf('id="later"'));
    await set(shopper, 'https://shop.example/');
    assert.deepEqual(linkIn(await page(path)), ['go plain', `https://shop.example/?iccid=${iccid}`]);
    for (const [code, { usage }] of Object.entries(languages)) {
      const text = await page(path, `?lang=${code}`);
      assert.ok(text.includes(`${usage.refill}</a>`), code);
      assert.ok(Buffer.byteLength(text) < 40_000, code);
    }
  });

test('sandbox: an eSIM without data asks for it first, and one that has ended has no link', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await set(shopper, 'https://shop.example/{iccid}');
  const linkOf = async (sandbox_usage: string) => {
    const { orderId } = await ownEsim(t, shopper, { sandbox_usage });
    return linkIn(await page((await pageOf(t.base.worlds.sandbox, BigInt(orderId))).path))?.[0];
  };
  assert.deepEqual(
    [await linkOf('active'), await linkOf('depleted'), await linkOf('expired')],
    ['go plain', 'go', undefined],
  );
});

test('adding data comes first once the eSIM is on a phone, whether by its use or by what its supplier says', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await set(shopper, 'https://shop.example/{iccid}');
  const orderOf = async (form = {}) => {
    const { iccid, orderId } = await ownEsim(t, shopper, form);
    return { iccid, path: (await pageOf(t.base.worlds.sandbox, BigInt(orderId))).path };
  };
  const used = await orderOf({ sandbox_usage: 'active' });
  const installed = await orderOf();
  const { iccid } = installed;
  assert.equal((await t.post('/sandbox/profile', { iccid, state: 'installed' }, { key: shopper.key })).status, 200);
  for (const { path } of [used, installed]) {
    const text = await page(path);
    assert.ok(text.indexOf('id="refill"') < text.indexOf(languages.en.install.again), path);
    assert.deepEqual(linkIn(await page(`${path}/usage`)), linkIn(text));
    assert.ok(!text.includes(languages.en.device.title), 'nor is the phone checked any more');
  }
});

test('live: no link for a plan without refills on sale, nor once the time of the eSIM is over', async () => {
  const shopper = await shopperIn(t, 'live');
  await set(shopper, 'https://shop.example/{iccid}');
  const { live } = t.base.worlds;
  const pathOf = async (code: string) => {
    const { orderId } = await ownEsim(t, shopper, {}, code);
    return { id: BigInt(orderId), path: (await pageOf(live, BigInt(orderId))).path };
  };
  const [none, one] = [await pathOf('tr-big'), await pathOf('fr-1')];
  assert.equal(linkIn(await page(none.path)), undefined);
  assert.ok(linkIn(await page(one.path)));
  const reading = { state: 'active', totalMb: 1024, usedMb: 10, expiresAt: new Date(t.clock.now() - DAY) };
  await setReading(t, live, one.id, { ...reading, state: 'expired' });
  await live.db.run(
    sql`update orders set usage_state = 'expired', usage_ends_at = ${reading.expiresAt} where id = ${one.id}`,
  );
  assert.equal(linkIn(await page(one.path)), undefined);
  const other = await pathOf('fr-1');
  await t.base.db.run(sql`update plans set on_sale = false where refills is not null`);
  await eventually('the refills are off sale', async () => linkIn(await page(other.path)) === undefined);
});
