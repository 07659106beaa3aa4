import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Agent, request } from 'undici';
import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import { proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey, setKey } from '../../../src/domains/partners/keys/keys.ts';
import { type Cents, toCents } from '../../../src/platform/amounts/cents.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { enterSchema } from '../../../src/platform/db/search-path.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { type Base, openBase } from '../../../src/worlds/base.ts';
import { testFolder } from '../../support/database/folder.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

/** Two processes on one database, and clients that do not wait for each other. */
let undo: AsyncDisposableStack;
let base: Base;
let servers: ServerProcess[];
let product: string;
let price: Cents;
const agent = new Agent({ connections: 256 });

before(async () => {
  undo = new AsyncDisposableStack();
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'warn',
    WAYFARE_DEMO: 'on',
  };
  const folder = undo.use(await testFolder(0o711));
  servers = [];
  for (const name of ['one', 'two']) {
    servers.push(undo.use(await ServerProcess.start({ dataDir: `${folder.path}/${name}`, env })));
  }
  base = undo.use(
    await openBase({
      config: readConfig({ ...env, WAYFARE_DATA: folder.path }),
      clock: systemClock,
      log: createLog('silent'),
      as: 'guest',
    }),
  );
  ({ alias: product, price } = await base.db.one<{ alias: string; price: Cents }>(sql`
    select alias, list_price as price from plans where on_sale and refills is null and list_price > 0 order by list_price, id limit 1`));
});

after(async () => {
  assert.deepEqual((await proveBooks(base.worlds.live.db, () => {})).drift, []);
  await agent.close();
  await undo.disposeAsync();
});

async function shopper(wanted: { cash?: Cents; creditLimit?: Cents }): Promise<{ partnerId: number; key: string }> {
  const now = new Date();
  return base.db.tx(async (tx) => {
    const billing = wanted.creditLimit === undefined ? 'prepaid' : 'postpaid';
    const account = { name: 'Race', email: 'race@example.com', billing, creditLimit: wanted.creditLimit } as const;
    const partnerId = await createPartner(tx, account, now);
    const { key, keyId } = await createKey(tx, { partnerId, mode: 'live' });
    await setKey(tx, keyId, { ceilings: { purchase: 1_000_000 } });
    if (wanted.cash !== undefined) {
      await enterSchema(tx, 'live');
      const transfers = [{ debit: 'bank_clearing', credit: 'cash', amount: wanted.cash }] as const;
      await post(tx, await lockWallets(tx, [partnerId]), [
        { partnerId, book: 'wallet', type: 'topup', transfers, at: now },
      ]);
    }
    return { partnerId, key };
  });
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
  body: any;
}

/** The n-th call goes to the n-th process in turn. */
async function send(n: number, path: string, key: string, fields: Record<string, string>): Promise<Answer> {
  const { statusCode, body } = await request(`${servers[n % servers.length]?.urls.live}${path}`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: statusCode, body: await body.json() };
}

const buy = (n: number, key: string, idempotency_key?: string): Promise<Answer> =>
  send(n, '/purchase/buy', key, { product_id: product, ...(idempotency_key && { idempotency_key }) });

const buyBatch = (n: number, key: string, quantity: number, idempotency_key: string): Promise<Answer> => {
  const items = JSON.stringify([{ product_id: product, quantity }]);
  return send(n, '/purchase/batch', key, { items, idempotency_key });
};

const times = (count: number) => Array.from({ length: count }, (_, n) => n);
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, of]) => [status, of?.length]),
  );

test('200 simultaneous calls with one key: one order, one charge, one supplier call, all answers the same outcome', async () => {
  const { partnerId, key } = await shopper({ cash: toCents(100_000n) });
  const answers = await Promise.all(times(200).map((n) => buy(n, key, 'one-key')));
  assert.deepEqual(tally(answers), { 200: 200 });
  assert.deepEqual(new Set(answers.map(({ body }) => `${body.order_id} ${body.delivery}`)).size, 1);
  assert.equal(answers[0]?.body.delivery, 'delivered');
  const counted = await base.db.one(sql`
    select (select count(*)::int from live.orders where partner_id = ${partnerId}) as orders,
      (select count(*)::int from live.movements where partner_id = ${partnerId} and type = 'purchase') as charges,
      (select calls from simulated.orders where reference = ${`wf-live-${answers[0]?.body.order_id}`}) as calls`);
  assert.deepEqual(counted, { orders: 1, charges: 1, calls: 1 });
});

test('200 calls with 20 keys, each for two products: a key belongs to one of them, the other is a conflict', async () => {
  const { partnerId, key } = await shopper({ cash: toCents(10_000_000n) });
  const { alias } = await base.db.one<{ alias: string }>(sql`
    select alias from plans where on_sale and refills is null and alias <> ${product} order by list_price, id limit 1`);
  const first = product;
  const answers = await Promise.all(
    times(200).map((n) => {
      product = n % 2 === 0 ? first : alias;
      return buy(n >> 1, key, `shared-${(n % 20) >> 1}`);
    }),
  );
  product = first;
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]));
  const { orders } = await base.db.one<{ orders: number }>(sql`
    select count(*)::int as orders from live.orders where partner_id = ${partnerId}`);
  assert.equal(orders, 10);
});

test('64 clients on one credit line never pass the limit by a cent', async () => {
  const room = 37n;
  const { partnerId, key } = await shopper({ creditLimit: toCents(room * price + price - 1n) });
  const answers = (await Promise.all(times(64).map(async (n) => [await buy(n, key), await buy(n + 1, key)]))).flat();
  assert.deepEqual(tally(answers), { 200: Number(room), 403: 128 - Number(room) });
  const wallet = await base.db.one(sql`select outstanding from live.wallets where partner_id = ${partnerId}`);
  assert.deepEqual(wallet, { outstanding: room * price });
});

test('64 clients on one wallet: it is emptied to what no longer buys one, never below', async () => {
  const room = 41n;
  const { partnerId, key } = await shopper({ cash: toCents(room * price + 1n) });
  const answers = (await Promise.all(times(64).map(async (n) => [await buy(n, key), await buy(n + 1, key)]))).flat();
  assert.deepEqual(tally(answers), { 200: Number(room), 402: 128 - Number(room) });
  assert.deepEqual(await base.db.one(sql`select cash, promo from live.wallets where partner_id = ${partnerId}`), {
    cash: 1n,
    promo: 0n,
  });
});

test('1,000 batches with one key at two processes: one batch, each of its eSIMs charged and ordered once', async () => {
  const { partnerId, key } = await shopper({ cash: toCents(10_000_000n) });
  const answers = await Promise.all(times(1_000).map((n) => buyBatch(n, key, 5, 'one-batch')));
  assert.deepEqual(tally(answers), { 202: 1_000 });
  assert.equal(new Set(answers.map(({ body }) => body.batch_id)).size, 1);
  const prices = answers[0]?.body.orders.map(({ sale_price }: { sale_price: string }) => Number(sale_price) * 100);
  const charged = prices.reduce((sum: number, cents: number) => sum + Math.round(cents), 0) / 100;
  assert.deepEqual(new Set(answers.map(({ body }) => body.charged)), new Set([charged]));
  const references = answers[0]?.body.orders.map(({ id }: { id: string }) => `wf-live-${id}`);
  const counted = await base.db.one(sql`
    select (select count(*)::int from live.orders where partner_id = ${partnerId}) as orders,
      (select count(*)::int from live.movements where partner_id = ${partnerId} and type = 'purchase') as charges,
      (select sum(calls)::int from simulated.orders where reference = any(${references}::text[])) as calls`);
  assert.deepEqual(counted, { orders: 5, charges: 5, calls: 5 });
});

test('a key that is raced for by batches and purchases belongs to one of them', async () => {
  const { partnerId, key } = await shopper({ cash: toCents(10_000_000n) });
  const answers = await Promise.all(
    times(200).map((n) => (n % 4 < 2 ? buyBatch(n, key, 3, `either-${n % 10}`) : buy(n, key, `either-${n % 10}`))),
  );
  // Either may come first.
  assert.deepEqual(
    answers.filter(({ status }) => ![200, 202, 409].includes(status)),
    [],
  );
  const { owners, batches, alone, orders } = await base.db.one<Record<string, number>>(sql`
    select count(idempotency_key)::int as owners, count(distinct batch_id)::int as batches,
      (count(*) filter (where batch_id is null))::int as alone, count(*)::int as orders
    from live.orders where partner_id = ${partnerId}`);
  assert.deepEqual([owners, orders], [10, (batches as number) * 3 + (alone as number)]);
});

test('64 batches on one wallet: as many as fit as a whole, and never a part of one', async () => {
  const { partnerId, key } = await shopper({ cash: toCents(17n * price * 4n + 3n * price) });
  const answers = await Promise.all(times(64).map((n) => buyBatch(n, key, 4, `whole-${n}`)));
  assert.deepEqual(tally(answers), { 202: 17, 402: 47 });
  const { orders } = await base.db.one<{ orders: number }>(sql`
    select count(*)::int as orders from live.orders where partner_id = ${partnerId}`);
  assert.equal(orders, 68, 'refused batches leave no orders');
});
