import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { esimCodes } from '../../../../src/domains/sales/orders/orders.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchVersions } from '../../../../src/platform/jobs/processes.ts';
import { OWN_KEY } from '../../../../src/platform/vault/secrets.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { buy, catalogKnows, credit, pausedSubscription } from '../../../support/sales/shop.ts';
import { csvOf, importText, newItems, stockPlans } from '../../../support/suppliers/stock-shop.ts';

/* Codes from stock, so that every place that has one is there: the order, the item, and the webhook's body. */

let t: TestApp;
let product: string;
let partner: number;
let key: string;
before(async () => {
  t = await testApp();
  product = await stockPlans(t.base);
  await importText(t, csvOf(newItems(12)));
  partner = await t.partner();
  key = await t.key(partner, 'live');
  await credit(t, partner, '1000');
  await catalogKnows(t, product);
});
after(() => t[Symbol.asyncDispose]());

const live = () => t.base.worlds.live.db;
const KEPT_DAYS = 90;

/** The jobs as they run this many days from now: `destroy` codes that are due, `give` keys to what an earlier version sealed. */
function jobs(days = 0) {
  const clock = { now: () => t.clock.now() + days * DAY };
  const parts = { vault: t.base.vault, clock, keptMs: KEPT_DAYS * DAY, forgetStock: t.base.stock.forgetCodes };
  const [destroy, give] = esimCodes.jobs(t.base.worlds.live, t.base.db, parts).map(({ run: work }) => async () => {
    let rows = 0;
    for (let n = 1; n > 0; rows += n) n = await work(new AbortController().signal);
    return rows;
  });
  return { destroy: destroy as () => Promise<number>, give: give as () => Promise<number> };
}

async function bought(): Promise<{ id: number; code: string }> {
  const { body } = await buy(t, key, product);
  assert.equal(body.delivery, 'delivered');
  const id = Number(body.order_id);
  return { id, code: (await detail(id)).activationCode };
}
const detail = async (id: number) => (await t.get(`/order/detail/${id}`, { key })).body.esim;
const set = (id: number, values: ReturnType<typeof sql>) =>
  live().run(sql`update orders set ${values} where id = ${id}`);
const sealedOf = (id: number) =>
  live().one<{ esim: Buffer; key: Buffer | null }>(sql`
    select esim, (select sealed from esim_keys where esim_keys.id = orders.id) as key from orders where id = ${id}`);

test('what is delivered is sealed with a key of its own, which no other order has', async () => {
  const [one, other] = [await bought(), await bought()];
  const [sealed, second] = [await sealedOf(one.id), await sealedOf(other.id)];
  assert.ok(sealed.esim.subarray(0, 4).equals(OWN_KEY));
  assert.match(one.code, /^LPA:1\$/);
  assert.ok(sealed.key && second.key);
  assert.throws(() => t.base.vault.openApart({ sealed: sealed.esim, key: second.key }));
  assert.throws(() => t.base.vault.open(sealed.esim));
});

test('the code is destroyed CODE_RETENTION_DAYS after the end of its eSIM, not before, and answers say so', async () => {
  const subscription = await pausedSubscription(t, partner, 'order.delivered', 'live');
  const { id, code } = await bought();
  const copy = await sealedOf(id);
  await live().run(sql`update webhook_deliveries set status = 'sent' where order_id = ${id}`);
  assert.equal((await detail(id)).erased, undefined, 'a field that is only there afterwards');
  await set(id, sql`usage_state = 'expired', usage_ends_at = ${new Date(t.clock.now() + 7 * DAY)}`);
  await jobs(2).destroy();
  await jobs(7 + KEPT_DAYS - 0.01).destroy();
  assert.equal((await detail(id)).activationCode, code);

  assert.ok((await jobs(7 + KEPT_DAYS).destroy()) > 0);
  const esim = await detail(id);
  assert.equal(esim.erased, true);
  for (const name of [
    'qrcode',
    'qrcode_url',
    'lpa',
    'matching_id',
    'smdpAddress',
    'activationCode',
    'confirmation_code',
  ])
    assert.equal(esim[name], '', name);
  for (const name of ['msisdn', 'apn', 'apn_type', 'apn_value', 'share_url']) assert.equal(esim[name], '', name);
  assert.match(esim.iccid, /^89\d+$/);
  const [listed] = (await t.get(`/order/get?limit=100`, { key })).body.order.filter(
    (one: { id: string }) => one.id === String(id),
  );
  assert.equal(listed.esim.erased, true);
  assert.deepEqual(
    [listed.esim.activationCode, listed.esim.matching_id, listed.esim.direct_apple_installation_url],
    ['', '', ''],
  );
  const found = (await t.get(`/esim/detail/${esim.iccid}`, { key })).body;
  assert.deepEqual([found.esim.erased, found.install.apple_url, found.install.android_url], [true, '', '']);

  const { body: delivery } = await live().one<{ body: Buffer | null }>(sql`
    select body from webhook_deliveries where order_id = ${id} and subscription_id = ${subscription}`);
  assert.equal(delivery, null);
  const item = await live().one<{ esim: Buffer }>(sql`
    select esim from stock_items where iccid = ${esim.iccid}`);
  assert.deepEqual(item.esim, OWN_KEY);
  assert.equal(
    t.base.vault.openApart({ sealed: copy.esim, key: null }),
    undefined,
    'a copy of the row has nothing without its key',
  );
  await assert.rejects(run(t.operator(), `order reveal ${id}`), /the data was destroyed/);
});

test('the page of a traveller and the QR code end with the code', async () => {
  const { id } = await bought();
  const { share_url: page, qrcode_url: qr } = await detail(id);
  const status = async (url: string) => {
    return (await t.ask(new URL(url).pathname, { host: 'panel' })).status;
  };
  assert.deepEqual([await status(page), await status(qr)], [200, 200]);
  await set(id, sql`withdrawn_at = null, usage_state = 'expired', usage_ends_at = ${new Date(t.clock.now())}`);
  await jobs(KEPT_DAYS + 2).destroy();
  assert.deepEqual([await status(page), await status(qr)], [404, 404]);
});

test('an eSIM that nobody saw in use ends a year after it could have begun; one in use does not end', async () => {
  const [unused, used] = [await bought(), await bought()];
  await set(used.id, sql`usage_state = 'active', usage_ends_at = ${new Date(t.clock.now() + 2000 * DAY)}`);
  for (let day = 30; day < 365 + 7 + KEPT_DAYS; day += 30) await jobs(day).destroy();
  assert.equal((await detail(unused.id)).activationCode, unused.code);
  await jobs(365 + 7 + KEPT_DAYS).destroy();
  assert.equal((await detail(unused.id)).erased, true);
  assert.equal((await detail(used.id)).activationCode, used.code);
});

test('what an earlier version sealed is read as before, and has a key from the next run of the job', async () => {
  const { id, code } = await bought();
  const asBefore = async () => {
    const { esim, key: own } = await sealedOf(id);
    const text = t.base.vault.openApart({ sealed: esim, key: own }) ?? '';
    await set(id, sql`esim = ${t.base.vault.seal(text)}, created_at = ${new Date(t.clock.now() - 4 * DAY)}`);
    await live().run(sql`delete from esim_keys where id = ${id}`);
    await t.base.db.run(sql`delete from settings where name like 'own keys%'`);
  };
  await asBefore();
  assert.equal((await detail(id)).activationCode, code);
  await jobs(4).give();
  const { esim, key: own } = await sealedOf(id);
  assert.ok(esim.subarray(0, 4).equals(OWN_KEY) && own);
  assert.equal((await detail(id)).activationCode, code);
  assert.equal(await jobs(4).give(), 0, 'it goes on where it was');
});

test('while a process of another version runs, nothing is sealed in a way it cannot read', async () => {
  await t.base.db.run(sql`
    insert into processes (id, host, pid, role, version, started_at, last_seen, jobs, supplier_kinds, silent_suppliers)
    values (gen_random_uuid(), 'h', 1, 'all', '0.1.0', now(), ${new Date(t.clock.now())}, '{}', '{}', '{}')`);
  using beside = await watchVersions(t.base.db, t.clock);
  assert.equal(beside.isAlone(), false);
  await using upgraded = await t.another();
  const { key: own, sealed } = upgraded.base.vault.sealApart('x');
  assert.equal(own, null);
  assert.equal(t.base.vault.open(sealed), 'x');
  await t.base.db.run(sql`delete from processes where version = '0.1.0'`);
  using alone = await watchVersions(t.base.db, t.clock);
  assert.equal(alone.isAlone(), true);
});
