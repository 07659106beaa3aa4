import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { byKey, newKey } from '../../../../src/domains/partners/keys/key-rows.ts';
import { KeyDirectory } from '../../../../src/domains/partners/keys/keys.ts';
import { newToken } from '../../../../src/domains/partners/people/register.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, type TestApp, testApp } from '../../../support/program/app.ts';
import { type Browser, browser, signedIn } from '../../../support/program/panel.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { buy, catalogKnows, credit } from '../../../support/sales/shop.ts';

const STRANGERS = 200;
const THIS_DATABASE = '(select oid from pg_database where datname = current_database())';

let t: TestApp;
let partnerId: number;
let key: string;
let member: Browser;
let productId: string;
before(async () => {
  t = await testApp();
  partnerId = await t.partner();
  key = await t.key(partnerId);
  member = await signedIn(t, partnerId);
  productId = (await testPlan(t)).alias;
  await catalogKnows(t, productId);
  await credit(t, partnerId, '1000.00');
  assert.equal((await buy(t, key, productId)).status, 200);
});
after(() => t[Symbol.asyncDispose]());

/** What must go on working: buying with a known key, the first call of a new key, and a member's page. */
const regulars = {
  purchase: () => buy(t, key, productId),
  newKey: async () => t.get('/account/balance', { key: await t.key(partnerId) }),
  member: () => member.get('/api/me'),
};

/**
 * Holds `table` locked, so that each query of a stranger keeps its connection, and calls `stranger` many times at once. Only
 * what has a connection left can be served meanwhile.
 */
async function whileStrangersHold(
  table: string,
  stranger: () => Promise<Answer>,
  serve: () => Promise<void>,
  strangers = STRANGERS,
) {
  const locker = new pg.Client({ connectionString: t.base.url });
  await locker.connect();
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  const asked = Array.from({ length: strangers }, stranger);
  try {
    await eventually('strangers wait for the lock', async () => {
      const { rows } = await locker.query(`select from pg_locks where not granted and database = ${THIS_DATABASE}`);
      return rows.length > 0;
    });
    await serve();
  } finally {
    await locker.query('rollback');
    await locker.end();
  }
  const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
  assert.ok(!statuses.has(500), `${[...statuses]}`);
}

async function served(...names: (keyof typeof regulars)[]): Promise<void> {
  // Without a free connection each of them would fail.
  for (const name of names) assert.equal((await regulars[name]()).status, 200, name);
}

suite('however many strangers call, they leave connections for everyone else', () => {
  test('invented API keys', () =>
    whileStrangersHold(
      'shared.api_keys',
      () => t.get('/account/balance', { key: newKey('live') }),
      // Not a purchase: a slow machine can miss a heartbeat, and then its key is read from the locked table, too.
      () => served('member'),
    ));

  test('invented session cookies', () =>
    whileStrangersHold(
      'shared.sessions',
      () => Object.assign(browser(t), { cookie: `wayfare_session=${newToken('session')}` }).get('/api/me'),
      () => served('purchase', 'newKey'),
    ));

  test('sign-ins with invented addresses', () =>
    whileStrangersHold(
      'shared.sign_in_failures',
      () => browser(t).post('/api/sign-in', { email: `${randomBytes(6).toString('hex')}@example.com`, password: 'x' }),
      () => served('purchase', 'newKey', 'member'),
      // Each is hashed in the end, which takes long; these are more than there are connections.
      8,
    ));

  test('invented one-time links', () =>
    whileStrangersHold(
      'shared.member_links',
      () => browser(t).post('/api/welcome/show', { token: newToken('link') }),
      () => served('purchase', 'newKey', 'member'),
    ));

  test('invented pay pages', () =>
    whileStrangersHold(
      'live.simulated_intents',
      () => t.get(`/pay/sim_${'a'.repeat(24)}_secret_${randomBytes(16).toString('hex')}`, { host: 'panel' }),
      () => served('purchase', 'newKey', 'member'),
    ));

  test('a QR code asked for again and again', async () => {
    const sandboxKey = await t.key(partnerId, 'sandbox');
    const { body } = await t.post('/purchase/buy', { product_id: productId }, { key: sandboxKey });
    const { pathname } = new URL(
      (await t.get(`/order/detail/${body.order_id}`, { key: sandboxKey })).body.esim.qrcode_url,
    );
    await whileStrangersHold(
      'sandbox.orders',
      () => t.ask(pathname, { host: 'panel' }),
      async () => assert.equal((await t.get('/account/balance', { key: sandboxKey })).status, 200),
    );
  });
});

suite('what strangers invent costs next to nothing', () => {
  test('keys that arrive together are looked up together', async () => {
    // On a busy machine they may arrive one by one.
    await eventually('few queries for all', async () => {
      using queries = watchQueries();
      await Promise.all(Array.from({ length: STRANGERS }, () => t.get('/account/balance', { key: newKey('live') })));
      return queries.seen.filter((text) => text.includes('from api_keys k join')).length < STRANGERS / 4;
    });
  });

  test('what does not have the form of one of our secrets needs no query at all', async () => {
    using queries = watchQueries();
    const forged = Object.assign(browser(t), { cookie: 'wayfare_session=wfs_forged' });
    assert.equal((await forged.get('/api/me')).status, 401);
    assert.equal((await forged.post('/api/sign-out')).status, 200);
    assert.equal((await forged.post('/api/welcome/show', { token: 'wfl_forged' })).status, 404);
    assert.equal((await t.get('/pay/sim_0_secret_0', { host: 'panel' })).status, 404);
    const own = /\b(sessions|member_links|simulated_intents)\b/;
    assert.deepEqual(
      queries.seen.filter((text) => own.test(text)),
      [],
    );
  });

  test('invented keys push no real key out of memory', async () => {
    const listener = { healthy: true, on() {}, onReconnect() {}, close: async () => {} };
    const directory = new KeyDirectory(t.base.db, listener, t.base.log, byKey, { known: 10, unknown: 10 });
    try {
      assert.equal((await directory.find(key))?.partnerId, partnerId);
      await Promise.all(Array.from({ length: 1_000 }, () => directory.find(newKey('live'))));
      const known = directory.find(key);
      assert.ok(known && !(known instanceof Promise), 'answered from memory');
    } finally {
      await directory.close();
    }
  });

  test('a flag is read from disk once', async () => {
    const { readFile } = fs;
    let reads = 0;
    fs.readFile = ((...given: Parameters<typeof readFile>) => {
      reads += 1;
      return readFile(...given);
    }) as typeof readFile;
    syncBuiltinESMExports();
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => t.get(i % 2 ? '/flags/ws.svg' : '/flags/zz.svg', { host: 'panel' })),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 404]);
      assert.equal(reads, 1);
    } finally {
      fs.readFile = readFile;
      syncBuiltinESMExports();
    }
  });
});
