import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { proveBooks } from '../../../../src/domains/money/proof/prove.ts';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { keyPermissions } from '../../../../src/platform/contract/key-terms.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { runTime } from '../../../support/eventually.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, counts, credit, pausedSubscription } from '../../../support/sales/shop.ts';
import { freezer } from '../../../support/servers/freeze.ts';

/** What a request has; a statement has half of it. */
const REQUEST_MS = 4_000;
const IN_TIME_MS = REQUEST_MS + 3_000;
/** More than all requests need at once: one that waits for a connection may get a new one, which nobody has frozen. */
const CONNECTIONS = 60;
const WORLDS = ['live', 'sandbox'] as const;

const config = {
  requestMs: REQUEST_MS,
  pools: { live: CONNECTIONS, sandbox: CONNECTIONS, shared: 5 },
  cardPayments: 'simulated' as const,
};
let t: TestApp;
let calls: { mode: Mode; path: string; ask: () => Promise<Answer> }[];

before(async () => {
  t = await testApp({ config, role: 'api' });
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const partner = await t.partner({ billing: 'prepaid' });
  await credit(t, partner, '500.00');
  await run(t.operator(), `partner set ${partner} --revenue-share 10 --limit month=100000.00`);
  await pausedSubscription(t, partner);
  calls = (await Promise.all(WORLDS.map((mode) => callsOf(mode, partner, alias)))).flat();
  // Known keys, prices and payments are kept in memory, as on any warm server.
  for (const { path, ask } of calls) if (!/Reset|refund|clock/.test(path)) await ask();
});
after(() => t[Symbol.asyncDispose]());

/** One good call of every endpoint. */
async function callsOf(mode: Mode, partner: number, alias: string) {
  const key = await t.key(partner, mode, { permissions: keyPermissions });
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"money": 1000, "purchase": 1000, "read": 1000, "outbound": 1000}'
    where partner_id = ${partner}`);
  const { order_id } = (await buy(t, key, alias)).body;
  const { iccid } = (await t.get(`/order/detail/${order_id}`, { key })).body.esim;
  const { payment_key } = (await t.post('/account/topup', { amount: '10' }, { key })).body;
  const params: Record<string, string> = {
    '/catalog/product': alias,
    '/order/detail': order_id,
    '/purchase/batch/{id}': order_id,
    '/order/usage': iccid,
    '/esim/detail': iccid,
    '/esim/refills': iccid,
    '/invoice/detail': 'INV2026-000001',
    '/invoice/pdf': 'INV2026-000001',
    '/invoice/xml': 'INV2026-000001',
  };
  const fields: Record<string, Record<string, string>> = {
    '/catalog/products': { country: 'FR' },
    '/catalog/changes': { since: (await t.get('/catalog/export', { key })).body.version },
    '/purchase/buy': { product_id: alias },
    '/purchase/refill': { product_id: alias, iccid },
    '/purchase/batch': { items: JSON.stringify([{ product_id: alias }]), idempotency_key: 'batch' },
    '/purchase/quote': { product_id: alias },
    '/order/refund': { order_id: String(order_id) },
    '/order/cancel': { order_id: String(order_id) },
    '/esim/suspend': { iccid },
    '/esim/resume': { iccid },
    '/esim/replace': { iccid, idempotency_key: 'frozen' },
    '/esim/autorefill': { iccid, product_id: alias, at_percent: '80', times: '1', max_price: '9' },
    '/sandbox/profile': { iccid, state: 'installed' },
    '/sandbox/invoice': { number: 'SANDBOX-INV2026-000001', event: 'invoice.voided' },
    '/account/topup': { amount: '10' },
    '/account/topupConfirm': { payment_key },
    '/account/sandboxBalance': { operation: 'add', amount: '5' },
    '/webhook/probe': { url: 'https://10.0.0.1/' },
    '/webhook/create': { url: 'https://93.184.215.14/hook' },
    '/sandbox/clock': { reset: '1' },
    ...Object.fromEntries(
      ['update', 'pause', 'resume', 'rotate', 'delete'].map((name) => [`/webhook/${name}`, { id: '999999' }]),
    ),
  };
  return endpoints.map(({ path, verb }) => {
    const sent = fields[path] ?? {};
    const target = params[path] ? `${path.replace('/{id}', '')}/${params[path]}` : path;
    const ask = () =>
      verb === 'GET' ? t.get(`${target}?${new URLSearchParams(sent)}`, { key }) : t.post(target, sent, { key });
    return { mode, path, ask };
  });
}

/** The contract's codes for what could not be read, and 503 for everything else. */
const readFailures: Record<string, string> = {
  'live /account/history': 'history_read_failed',
  'sandbox /account/history': 'history_read_failed',
  'sandbox /account/balance': 'sandbox_balance_read_failed',
  'live /order/get': 'order_read_failed',
  'sandbox /order/get': 'sandbox_order_read_failed',
  'live /order/detail': 'order_read_failed',
  'sandbox /order/detail': 'sandbox_order_read_failed',
  'live /purchase/batch/{id}': 'order_read_failed',
  'sandbox /purchase/batch/{id}': 'sandbox_order_read_failed',
  'live /webhook/list': 'webhook_read_failed',
  'sandbox /webhook/list': 'sandbox_webhook_read_failed',
  'live /webhook/deliveries': 'webhook_read_failed',
  'sandbox /webhook/deliveries': 'sandbox_webhook_read_failed',
  'live /webhook/test': 'webhook_read_failed',
  'sandbox /webhook/test': 'sandbox_webhook_read_failed',
};
/** These read nothing of a world, or refuse what they were asked for before they do. */
const unaffected =
  /\/catalog\/|\/account\/pricing|\/webhook\/probe|live \/(account\/|)sandbox|sandbox \/account\/(statement|profitshare)/;

/** These make the panel's changes, on the owner's connections: what is frozen later are those of the worlds. */
const byOwner = /\/webhook\/(create|update|pause|resume|rotate|delete)|\/sandbox\/clock/;

async function askAll(isTimeUp: boolean): Promise<void> {
  const isAsEver = (name: string) => unaffected.test(name) || (isTimeUp && byOwner.test(name));
  using run = runTime();
  const answers = await Promise.all(calls.map(({ ask }) => ask()));
  const seen = answers.map(({ status, body }, i) => {
    const name = `${calls[i]?.mode} ${calls[i]?.path}`;
    return isAsEver(name) && status < 500 ? `${name}: as ever` : `${name}: ${status} ${body.error}`;
  });
  const expected = calls.map(({ mode, path }) => {
    const name = `${mode} ${path}`;
    if (isAsEver(name)) return `${name}: as ever`;
    // A connection that says nothing may be given up a moment before the time of the request is.
    const given = seen.includes(`${name}: 500 ${readFailures[name]}`);
    const own = isTimeUp && !given ? undefined : readFailures[name];
    return `${name}: ${own ? 500 : 503} ${own ?? 'service_unavailable'}`;
  });
  assert.deepEqual(seen, expected);
  assert.ok(run.ms < IN_TIME_MS, `it took ${run.ms} ms`);
}

const rows = async () => Promise.all(WORLDS.map((world) => counts(t, world)));
async function isSound(): Promise<void> {
  for (const world of WORLDS) assert.deepEqual((await proveBooks(t.base.worlds[world].db, () => {})).drift, []);
}

test('every table locked: a read fails with its own code, everything else with 503, and nothing is written', async () => {
  const had = await rows();
  const holder = new pg.Client({ connectionString: t.base.url });
  await holder.connect();
  try {
    const { rows: tables } = await holder.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('live', 'sandbox', 'shared')`,
    );
    await holder.query('begin');
    for (const { name } of tables) await holder.query(`lock table ${name} in access exclusive mode`);
    await askAll(false);
  } finally {
    await holder.end();
  }
  assert.deepEqual(await rows(), had);
  await isSound();
});

test('a database that says nothing at all: 503 once the time of the request is up, and no half of anything', async () => {
  const frozen = await Promise.all(WORLDS.map((world) => freezer(t.base.worlds[world].db, CONNECTIONS)));
  for (const { freeze } of frozen) freeze();
  try {
    await askAll(true);
  } finally {
    for (const { thaw } of frozen) thaw();
  }
  await isSound();
  assert.deepEqual(
    t.logged.filter((line) => line.includes('"level":"error"')),
    [],
  );
});
