import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { resealAll, SEALED_COLUMNS, SHARED_SEALED_COLUMNS } from '../../../src/platform/vault/secret-rotation.ts';
import { newSecret } from '../../../src/platform/vault/secrets.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { eventually } from '../../support/sales/catalog.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { buy } from '../../support/sales/shop.ts';

const DELIVERIES = 1_200;

/** One delivered order, one subscription and more deliveries than fit two batches, all sealed with the app's secret. */
async function fill(t: TestApp) {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const { alias } = await testPlan(t);
  await eventually(async () => assert.equal((await t.get(`/catalog/product/${alias}`, { key })).status, 200));
  const { order_id } = (await buy(t, key, alias)).body;
  const words = [
    'webhook',
    'create',
    '--partner',
    String(partner),
    '--mode',
    'sandbox',
    '--url',
    'http://127.0.0.1:9/hook',
  ];
  const { subscription_id } = await run(t.operator(), words);
  await t.base.worlds.sandbox.db.run(sql`
    insert into webhook_deliveries (partner_id, subscription_id, order_id, event_id, event_type, status, max_attempts, created_at, body)
    select ${partner}, ${subscription_id}, 0, 'sbx_order.test:0:' || n, 'order.test', 'sent', 5, now(), bodies.body
    from unnest(${Array.from({ length: DELIVERIES }, (_, n) => t.base.vault.seal(`body ${n}`))}::bytea[])
      with ordinality as bodies (body, n)`);
  return { key, order_id };
}

const esim = async (t: TestApp, key: string, orderId: number) =>
  (await t.get(`/order/detail/${orderId}`, { key })).body.esim.activationCode;
const lastBody = async (t: TestApp, key: string) => {
  const [{ id }] = (await t.get('/webhook/deliveries?limit=1&event=order.test', { key })).body.deliveries;
  return (await t.get(`/webhook/deliveries?id=${id}`, { key })).body.payload;
};

test('every column of bytes in either world is known to hold something sealed, but for the logos on invoices', async () => {
  await using t = await testApp();
  // How documents look is on every document.
  const columns = await t.base.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'live' and data_type = 'bytea' and table_name <> 'invoice_looks'`);
  const names = (list: readonly { table: string; column: string }[]) =>
    list.map((one) => `${one.table}.${one.column}`).sort();
  assert.deepEqual(names(columns), names(SEALED_COLUMNS));
  // What both worlds share also keeps hashes, which nothing can open, logos, which everybody may see, and the public half of passkeys.
  const shared = await t.base.db.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'shared' and data_type = 'bytea' and column_name not in ('hash', 'link_hash', 'subject', 'logo', 'credential_id', 'public_key')`);
  assert.deepEqual(names(shared), names(SHARED_SEALED_COLUMNS));
});

test('secret rotate: everything readable before, between and after; stopped half-way it goes on where it was', async () => {
  const [old, fresh] = [newSecret(), newSecret()];
  await using t = await testApp({ secret: old, config: { webhookTrustedHosts: ['127.0.0.1:9'] } });
  const { key, order_id } = await fill(t);
  const before = await esim(t, key, order_id);
  assert.ok(before.length > 5);

  // Beside a server that has both.
  await using both = await testApp({ url: t.base.url, secret: fresh, config: { oldSecrets: [old] } });
  const left = async () =>
    Number(
      (
        await t.base.db.one<{ left: bigint }>(sql`
          select count(*) as left from sandbox.webhook_deliveries where substring(body from 1 for 4) <> ${both.base.vault.keyId}`)
      ).left,
    );
  const total = await left();
  assert.ok(total >= DELIVERIES);
  const stop = () => {
    throw new Error('killed');
  };
  await assert.rejects(
    resealAll(both.base.db, both.base.vault, (label) => (label.includes('deliveries') ? stop() : undefined)),
    /killed/,
  );
  assert.equal(await left(), total - 500, 'one batch is done, and stays done');
  assert.equal(await esim(both, key, order_id), before);

  const seen: [string, number, number][] = [];
  const context = { ...both.operator(), progress: (...bar: [string, number, number]) => void seen.push(bar) };
  const { resealed } = await run(context, 'secret rotate');
  assert.equal(resealed, total - 500);
  assert.deepEqual(seen.at(-1), ['sandbox webhook_deliveries.body', resealed, resealed]);
  assert.equal(await left(), 0);
  assert.deepEqual(await run(both.operator(), 'secret rotate'), { resealed: 0 });

  // The new secret alone is enough from here, and the old one alone is refused.
  await using after = await testApp({ url: t.base.url, secret: fresh });
  assert.equal(await esim(after, key, order_id), before);
  assert.equal(await lastBody(after, key), `body ${DELIVERIES - 1}`);
  await assert.rejects(testApp({ url: t.base.url, secret: old }), /not the secret/);
});

test('secret rotate seals the keys of activation data again, and leaves the data as it is', async () => {
  const [old, fresh] = [newSecret(), newSecret()];
  await using t = await testApp({ secret: old, config: { webhookTrustedHosts: ['127.0.0.1:9'] } });
  const { order_id } = await fill(t);
  const stored = (): Promise<{ esim: Buffer; sealed: Buffer }> =>
    t.base.db.one(sql`
      select esim, sealed from sandbox.orders join sandbox.esim_keys using (id) where orders.id = ${order_id}`);
  const before = await stored();
  await using both = await testApp({ url: t.base.url, secret: fresh, config: { oldSecrets: [old] } });
  await run(both.operator(), 'secret rotate');
  const after = await stored();
  assert.deepEqual(after.esim, before.esim);
  assert.notDeepEqual(after.sealed, before.sealed);
  assert.ok(after.sealed.subarray(0, 4).equals(both.base.vault.keyId));
});

test('secret rotate: a mail that waits is readable with the new secret alone', async () => {
  const [old, fresh] = [newSecret(), newSecret()];
  await using t = await testApp({ secret: old });
  await t.base.db.run(sql`
    insert into mails (kind, recipient, content, created_at, due_at)
    values ('test', 'a@example.com', ${t.base.vault.seal('kept')}, now(), now())`);
  await using both = await testApp({ url: t.base.url, secret: fresh, config: { oldSecrets: [old] } });
  assert.deepEqual(await run(both.operator(), 'secret rotate'), { resealed: 1 });
  await using after = await testApp({ url: t.base.url, secret: fresh });
  const { content } = await after.base.db.one<{ content: Buffer }>(sql`select content from mails`);
  assert.equal(after.base.vault.open(content), 'kept');
});
