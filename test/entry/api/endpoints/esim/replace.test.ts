import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Catalog } from '../../../../../src/domains/catalog/catalog.ts';
import type { Queryable } from '../../../../../src/platform/db/database.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { proveBoth } from '../../../../../src/worlds/books.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { pausedSubscription } from '../../../../support/sales/shop.ts';
import { refundShop, type Shop, withdrawals } from '../../../../support/suppliers/withdrawals.ts';

const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());
let shop: Shop;

before(async () => {
  shop = await refundShop(t);
  await withdrawals(t, { outcome: 'withdrawn' });
  // The plan costs the operator 4.00.
  await t.base.db.run(sql`update plans set cost = 4000000`);
});

let keys = 0;
const ask = (key: string, iccid: string, more: Record<string, string> = {}) =>
  t.post('/esim/replace', { iccid, idempotency_key: `r${++keys}`, ...more }, { key });
const replace = async (key: string, iccid: string, more: Record<string, string> = {}) =>
  (await ask(key, iccid, more)).body.replacement;
const product = async (): Promise<string> =>
  (await t.base.db.one<{ alias: string }>(sql`select alias from plans order by id desc limit 1`)).alias;
const cli = (line: string) => run(t.operator(), line);
const budget = (usd: string) => cli(`partner set ${shop.partnerId} --replacements ${usd}`);
const detail = async (key: string, id: unknown) => (await t.get(`/order/detail/${id}`, { key })).body;
const esim = async (key: string, iccid: string) => (await t.get(`/esim/detail/${iccid}`, { key })).body.esim;
const balance = async (key: string): Promise<number> => (await t.get('/account/balance', { key })).body.balance;
/** As its supplier has just said. */
const wasUsed = async (db: Queryable, iccid: string) => {
  await db.run(sql`
    insert into usage_readings (iccid, state, used_mb, fetched_at, fresh_until) values (${iccid}, 'active', 5, now(), 'infinity')
    on conflict (iccid) do update set state = 'active'`);
  await db.run(sql`update orders set usage_state = 'active' where iccid = ${iccid}`);
};
const proof = () => proveBoth(t.base.url, () => {});

for (const world of ['live', 'sandbox'] as const) {
  const mode = world === 'live' ? '' : ' --mode sandbox';
  const { replacements, db, provisioning } = t.base.worlds[world];
  const job = async () => {
    await provisioning.provisionDue();
    await replacements.goOn();
  };

  suite(`esim/replace in ${world}`, () => {
    let key: string;
    before(async () => {
      key = shop[world];
      await budget('1000.00');
    });

    test('within the budget a new eSIM of the same plan comes at once, for nothing, and the old one is withdrawn', async () => {
      const old = await shop.order(key, { reference: 'trip-7' });
      const had = await balance(key);
      const given = await replace(key, old.iccid, { reason: 'It cannot be installed' });
      assert.equal(given.status, 'replaced');
      assert.equal(given.old_iccid, old.iccid);
      assert.notEqual(given.iccid, old.iccid);
      const order = await detail(key, given.order_id);
      assert.deepEqual(
        [order.order.sale_price, order.order.reference, order.order.product_id, order.esim.iccid],
        ['0.00', 'trip-7', (await detail(key, old.id)).order.product_id, given.iccid],
      );
      assert.equal(await balance(key), had);
      assert.equal((await esim(key, old.iccid)).state, 'cancelled');
      assert.equal((await esim(key, given.iccid)).state, 'not_active');
    });

    test('the same key is answered with the same replacement, and for another eSIM refused', async () => {
      const [first, second] = [await shop.order(key), await shop.order(key)];
      const same = { idempotency_key: 'once' };
      const answers = await Promise.all([1, 2, 3].map(() => replace(key, first.iccid, same)));
      answers.push(await replace(key, first.iccid, same));
      for (const one of answers) assert.deepEqual(one, answers[0]);
      assert.equal((await ask(key, second.iccid, same)).body.error, 'idempotency_key_conflict');
      assert.equal((await ask(key, first.iccid)).body.why, 'replaced');
    });

    test('fields are checked in order: eSIM, key, reason', async () => {
      const { iccid } = await shop.order(key);
      const codes = async (fields: Record<string, string>) =>
        (await t.post('/esim/replace', fields, { key })).body.error;
      assert.equal(await codes({}), 'iccid_required');
      assert.equal(await codes({ iccid: '8900099999999999999' }), 'esim_not_found');
      assert.equal(await codes({ iccid }), 'idempotency_key_required');
      assert.equal(await codes({ iccid, idempotency_key: 'x'.repeat(192) }), 'idempotency_key_too_long');
      assert.equal(await codes({ iccid, idempotency_key: 'k', reason: 'x'.repeat(201) }), 'reason_too_long');
      assert.equal(await codes({ iccid, idempotency_key: 'é'.repeat(3), reason: 'é'.repeat(200) }), undefined);
    });

    test('an eSIM that was used, replaced or refunded is not replaced', async () => {
      const used = await shop.order(key, { sandbox_usage: 'active' });
      await wasUsed(db, used.iccid);
      assert.deepEqual(pick(await ask(key, used.iccid)), [409, 'not_replaceable', 'used']);
      const refunded = await shop.order(key);
      await t.post('/order/refund', { order_id: refunded.id }, { key });
      assert.deepEqual(pick(await ask(key, refunded.iccid)), [409, 'not_replaceable', 'refunded']);
    });

    test('an eSIM in use that was deleted from its phone is replaced, and suspended', async () => {
      const used = await shop.order(key, { sandbox_usage: 'active' });
      await wasUsed(db, used.iccid);
      await db.run(sql`
        insert into esim_profiles (order_id, partner_id, iccid, state, updated_at)
        values (${used.id}, ${shop.partnerId}, ${used.iccid}, 'deleted', now())`);
      assert.equal((await replace(key, used.iccid)).status, 'replaced');
      assert.equal((await esim(key, used.iccid)).state, 'suspended', 'it was used, so it is not withdrawn');
    });

    test('an old eSIM that was suspended is not switched on again: the traveller has the new one', async () => {
      const used = await shop.order(key, { sandbox_usage: 'active' });
      await wasUsed(db, used.iccid);
      await db.run(sql`
        insert into esim_profiles (order_id, partner_id, iccid, state, updated_at)
        values (${used.id}, ${shop.partnerId}, ${used.iccid}, 'deleted', now())`);
      await replace(key, used.iccid);
      const resumed = await t.post('/esim/resume', { iccid: used.iccid }, { key });
      assert.deepEqual(pick(resumed), [409, 'esim_not_active', undefined]);
      const { state, capabilities } = await esim(key, used.iccid);
      assert.equal(state, 'suspended');
      assert.ok(!capabilities.includes('suspend'));
      assert.equal((await t.post('/esim/suspend', { iccid: used.iccid }, { key })).status, 200);
    });

    test('a stranger, another partner and a key that only reads are refused', async () => {
      const { iccid } = await shop.order(key);
      const other = await t.key(await t.partner(), world === 'live' ? undefined : 'sandbox');
      const [foreign, unknown] = [await ask(other, iccid), await ask(other, '8900099999999999999')];
      assert.deepEqual({ ...foreign.body, request_id: '' }, { ...unknown.body, request_id: '' });
      assert.equal(foreign.status, 404);
      assert.equal((await t.post('/esim/replace', { iccid, idempotency_key: 'k9' })).status, 401);
      const reader = await cli(`key create --partner ${shop.partnerId} --mode ${world} --permissions read`);
      assert.equal((await ask(reader.key, iccid)).body.error, 'key_not_permitted');
    });

    test('the budget is spent by the cent, whoever asks at the same time, and the rest is requested', async () => {
      await db.run(sql`update esim_replacements set placed_at = placed_at - interval '40 days'`);
      await budget('10.00');
      const orders = [];
      for (let n = 0; n < 6; n++) orders.push(await shop.order(key));
      const answers = await Promise.all(orders.map(({ iccid }) => replace(key, iccid)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [
        ...['replaced', 'replaced'],
        ...['requested', 'requested', 'requested', 'requested'],
      ]);
      const waiting = answers.filter(({ status }) => status === 'requested');
      for (const one of waiting) assert.deepEqual([one.order_id, one.iccid], [null, null]);
      await db.run(sql`update esim_replacements set placed_at = placed_at - interval '40 days'`);
      assert.equal((await replace(key, (await shop.order(key)).iccid)).status, 'replaced', 'a new month');
      await budget('0.00');
      assert.equal((await replace(key, (await shop.order(key)).iccid)).status, 'requested');
    });

    test('the operator approves or rejects what was requested, and the partner is notified under its key', async () => {
      await budget('0.00');
      const [yes, no] = [await shop.order(key), await shop.order(key)];
      for (const { id, iccid } of [yes, no]) await replace(key, iccid, { idempotency_key: `ask-${id}` });
      const listed = await cli(`replacement list --status requested --partner ${shop.partnerId}${mode}`);
      assert.ok(listed.some((one: { old_order_id: bigint }) => String(one.old_order_id) === yes.id));
      assert.equal((await cli(`replacement approve ${yes.id}${mode}`)).status, 'pending');
      await assert.rejects(cli(`replacement approve ${yes.id}${mode}`), { code: 'replacement_decided' });
      await cli(`replacement reject ${no.id}${mode}`);
      await assert.rejects(cli(`replacement reject ${no.id}${mode}`), { code: 'replacement_decided' });
      await assert.rejects(cli(`replacement approve ${(await shop.order(key)).id}${mode}`), {
        code: 'replacement_not_found',
      });
      await assert.rejects(cli(`replacement approve 999999${mode}`), { code: 'order_not_found' });
      await job();
      const approved = await replace(key, yes.iccid, { idempotency_key: `ask-${yes.id}` });
      assert.equal(approved.status, 'replaced');
      assert.equal((await replace(key, no.iccid, { idempotency_key: `ask-${no.id}` })).status, 'rejected');
      assert.equal((await esim(key, yes.iccid)).state, 'cancelled');
      assert.equal((await esim(key, no.iccid)).state, 'not_active');
      await budget('1000.00');
      assert.equal(
        (await replace(key, no.iccid)).status,
        'requested',
        'what was rejected is not done without a person',
      );
    });

    test('a replacement is replaced only with the operator’s approval', async () => {
      const old = await shop.order(key);
      const first = await replace(key, old.iccid);
      const second = await replace(key, first.iccid, { idempotency_key: `again-${old.id}` });
      assert.equal(second.status, 'requested');
      await cli(`replacement approve ${first.order_id}${mode}`);
      await job();
      const third = await replace(key, first.iccid, { idempotency_key: `again-${old.id}` });
      assert.equal(third.status, 'replaced');
      assert.equal((await detail(key, third.order_id)).order.sale_price, '0.00');
    });

    test('refunding a replaced order withdraws the new eSIM first; the free order refunds nothing', async () => {
      const old = await shop.order(key);
      const had = await balance(key);
      const given = await replace(key, old.iccid);
      const refused = await t.post('/order/refund', { order_id: given.order_id }, { key });
      assert.equal(refused.body.error, 'order_not_refundable');
      const { body } = await t.post('/order/refund', { order_id: old.id }, { key });
      assert.deepEqual([body.refund.status, body.refund.amount], ['refunded', '10.00']);
      assert.equal(await balance(key), had + 10);
      assert.equal((await esim(key, given.iccid)).state, 'cancelled');
    });

    test('a refund before a delivered replacement is recorded leaves both eSIMs as they are', async () => {
      const old = await shop.order(key);
      const given = await replace(key, old.iccid);
      // As a process leaves it that dies between the two.
      await db.run(sql`
        update esim_replacements set status = 'pending', cost_micros = null, replaced_at = null, old_esim = null, due_at = null
        where order_id = ${given.order_id}`);
      await db.run(sql`update orders set withdrawn_at = null where id = ${old.id}`);
      const { refund } = (await t.post('/order/refund', { order_id: old.id }, { key })).body;
      assert.equal(refund.status, 'requested');
      assert.equal((await esim(key, given.iccid)).state, 'not_active');
      await job();
      assert.equal((await esim(key, old.iccid)).state, 'cancelled');
    });

    test('a new eSIM that cannot be withdrawn leaves the refund to the operator', async () => {
      const old = await shop.order(key);
      const given = await replace(key, old.iccid);
      await db.run(sql`
        insert into usage_readings (iccid, state, used_mb, fetched_at) values (${given.iccid}, 'active', 5, now())
        on conflict (iccid) do update set state = 'active'`);
      await db.run(sql`update orders set script = '{"usage": "active"}' where iccid = ${given.iccid}`);
      const { body } = await t.post('/order/refund', { order_id: old.id }, { key });
      assert.equal(body.refund.status, 'requested');
    });

    test('esim.replaced is sent once, with both eSIMs', async () => {
      const subscription = await pausedSubscription(t, shop.partnerId, 'esim.replaced', world);
      const old = await shop.order(key);
      const given = await replace(key, old.iccid);
      const sent = await db.query<{ eventId: string }>(sql`
        select event_id as "eventId" from webhook_deliveries where subscription_id = ${subscription} and event_type = 'esim.replaced'`);
      assert.deepEqual(sent, [{ eventId: `${world === 'live' ? '' : 'sbx_'}esim.replaced:${old.iccid}:1` }]);
      assert.ok(given.order_id);
    });

    test('the traveller’s link stays the same and shows the new eSIM, however often it is replaced', async () => {
      const { travellerLinks } = t.base.worlds[world];
      const old = await shop.order(key);
      const url = await travellerLinks.urlOf({ id: BigInt(old.id) });
      const given = await replace(key, old.iccid);
      assert.equal(await travellerLinks.urlOf({ id: BigInt(old.id) }), url);
      const link = await travellerLinks.link(BigInt(old.id));
      const found = await travellerLinks.open(link, {} as Catalog);
      assert.equal(found?.esim.iccid, given.iccid);
      await t.post('/order/refund', { order_id: old.id }, { key });
      assert.equal(await travellerLinks.urlOf({ id: BigInt(old.id) }), undefined, 'a refund ends it');
    });

    test('capabilities name what can be asked for', async () => {
      const old = await shop.order(key);
      assert.ok((await esim(key, old.iccid)).capabilities.includes('replace'));
      await replace(key, old.iccid);
      assert.ok(!(await esim(key, old.iccid)).capabilities.includes('replace'));
    });

    test('limits on spending do not count it, and no refill is added to the old eSIM', async () => {
      await cli(`partner set ${shop.partnerId} --limit month=100000x`);
      const used = async () => (await t.get('/account/limits', { key })).body.limits[0].used_count;
      const old = await shop.order(key);
      const before = await used();
      await replace(key, old.iccid);
      assert.equal(await used(), before);
      await cli(`partner set ${shop.partnerId} --limit none`);
    });

    test('the ledger proves it, and finds every way to hide what it cost', async () => {
      const old = await shop.order(key);
      const given = await replace(key, old.iccid);
      assert.deepEqual((await proof()).live.drift, []);
      assert.deepEqual((await proof()).sandbox.drift, []);
      const broken = async (change: ReturnType<typeof sql>) => {
        await t.base.db.tx(async (tx) => {
          await tx.run(sql`select set_config('search_path', ${world}, true)`);
          await tx.run(change);
        });
        return (await proof())[world].drift.map(({ rule }) => rule);
      };
      const rule = "every free order replaces an eSIM, charges nobody, and is booked at its cost as the operator's";
      const id = given.order_id;
      assert.deepEqual(
        await broken(sql`update esim_replacements set cost_micros = cost_micros - 1 where order_id = ${id}`),
        [rule],
      );
      assert.deepEqual(
        await broken(sql`update esim_replacements set cost_micros = cost_micros + 1 where order_id = ${id}`),
        [],
      );
      assert.ok((await broken(sql`update orders set sale_price = 100 where id = ${id}`)).includes(rule));
      assert.deepEqual(await broken(sql`update orders set sale_price = 0 where id = ${id}`), []);
      assert.deepEqual(await broken(sql`update orders set cost_micros = 1, charged_micros = null where id = ${id}`), [
        rule,
      ]);
      await broken(sql`update orders set cost_micros = 4000000 where id = ${id}`);
      assert.deepEqual((await proof())[world].drift, []);
    });
  });
}

test('in the sandbox a replacement is deferred if its eSIM was, and the first read after a minute delivers it', async () => {
  await budget('1000.00');
  const key = shop.sandbox;
  const { body } = await t.post(
    '/purchase/buy',
    { product_id: await product(), sandbox_scenario: 'deferred' },
    { key },
  );
  await t.post('/sandbox/clock', { advance: '61' }, { key });
  const { iccid } = (await detail(key, body.order_id)).esim;
  const first = await replace(key, iccid, { idempotency_key: 'later' });
  assert.deepEqual([first.status, first.iccid], ['pending', null]);
  assert.equal((await esim(key, iccid)).state, 'not_active', 'the old one works until the new one is there');
  assert.equal((await ask(key, iccid)).body.why, 'replaced');
  const { refund } = (await t.post('/order/refund', { order_id: String(body.order_id) }, { key })).body;
  assert.equal(refund.status, 'requested', 'the new one cannot be withdrawn yet');
  await t.post('/sandbox/clock', { advance: '61' }, { key });
  const second = await replace(key, iccid, { idempotency_key: 'later' });
  assert.deepEqual([second.status, second.order_id], ['replaced', first.order_id]);
});

test('an order that fails leaves the old eSIM as it is and the request to the operator', async () => {
  await budget('1000.00');
  const { provisioning, replacements } = t.base.worlds.live;
  const supplier = (await t.base.worlds.live.suppliers.of('aurora')) as { order: unknown };
  const { order } = supplier;
  const bought = await shop.order(shop.live);
  supplier.order = async () => ({ outcome: 'refused', reason: 'sold out' });
  const failed = await replace(shop.live, bought.iccid, { idempotency_key: 'sold-out' });
  supplier.order = order;
  assert.deepEqual([failed.status, failed.order_id], ['requested', null]);
  assert.equal((await esim(shop.live, bought.iccid)).state, 'not_active');
  await cli(`replacement approve ${bought.id}`);
  await provisioning.provisionDue();
  await replacements.goOn();
  assert.equal((await replace(shop.live, bought.iccid, { idempotency_key: 'sold-out' })).status, 'replaced');
});

const pick = ({ status, body }: { status: number; body: { error?: string; why?: string } }) => [
  status,
  body.error,
  body.why,
];
