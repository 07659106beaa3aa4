import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { type KeyPermission, keyPermissions } from '../../../../src/platform/contract/key-terms.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { watchQueries } from '../../../support/database/queries.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { testPlan } from '../../../support/sales/paid-order.ts';
import { catalogKnows } from '../../../support/sales/shop.ts';

/** What every POST needs; every GET needs `read`. A new endpoint is added here. */
const needs: Readonly<Record<string, KeyPermission>> = {
  '/purchase/buy': 'buy',
  '/purchase/refill': 'buy',
  '/purchase/batch': 'buy',
  '/order/refund': 'money',
  '/order/cancel': 'money',
  '/account/topup': 'money',
  '/account/topupConfirm': 'money',
  '/account/sandboxBalance': 'money',
  '/account/sandboxReset': 'money',
  '/sandbox/clock': 'money',
  '/sandbox/profile': 'money',
  '/sandbox/invoice': 'money',
  '/esim/replace': 'buy',
  '/esim/autorefill': 'buy',
  '/esim/suspend': 'money',
  '/esim/resume': 'money',
  '/webhook/test': 'webhooks',
  '/webhook/probe': 'webhooks',
  '/webhook/create': 'webhooks',
  '/webhook/update': 'webhooks',
  '/webhook/pause': 'webhooks',
  '/webhook/resume': 'webhooks',
  '/webhook/rotate': 'webhooks',
  '/webhook/delete': 'webhooks',
};
/** The contract's own stay open to keys that are not restricted. */
const OPEN = ['/webhook/test', '/webhook/probe'];

// Without jobs, whose queries would be counted.
const t = await testApp({ role: 'api' });
after(() => t[Symbol.asyncDispose]());

const ask = (verb: string, path: string, key: string) =>
  verb === 'GET' ? t.get(path, { key }) : t.post(path, '', { key });

test('every POST says what it needs', () => {
  const posts = endpoints.filter(({ verb }) => verb === 'POST');
  assert.deepEqual(Object.fromEntries(posts.map(({ path, permission }) => [path, permission])), needs);
});

for (const mode of ['live', 'sandbox'] as const)
  for (const permissions of [...keyPermissions.map((one) => [one]), [...keyPermissions], undefined])
    test(`${mode}, ${permissions?.join() ?? 'not restricted'}: a key may call what it is permitted, and nothing else`, async () => {
      const key = await t.key(await t.partner(), mode, { permissions });
      for (const { verb, path } of endpoints) {
        const needed = verb === 'GET' ? 'read' : needs[path];
        const isPermitted = permissions
          ? permissions.includes(needed as KeyPermission)
          : needed !== 'webhooks' || OPEN.includes(path);
        const { status, body, headers } = await ask(verb, path, key);
        if (isPermitted) assert.notEqual(body.error, 'key_not_permitted', path);
        else {
          assert.deepEqual([status, body.error, body.permission], [403, 'key_not_permitted', needed], path);
          assert.ok(headers['x-ratelimit-remaining'], path);
        }
      }
    });

test('HEAD is a GET, and a refused purchase leaves nothing behind', async () => {
  const { alias } = await testPlan(t);
  await catalogKnows(t, alias);
  const partnerId = await t.partner();
  const [reads, buys] = [
    await t.key(partnerId, 'sandbox', { permissions: ['read'] }),
    await t.key(partnerId, 'sandbox', { permissions: ['buy'] }),
  ];
  assert.equal((await t.get('/account/balance', { key: reads, method: 'HEAD' })).status, 200);
  assert.equal((await t.get('/account/balance', { key: buys, method: 'HEAD' })).status, 403);
  const wanted = { product_id: alias, idempotency_key: 'once' };
  assert.equal((await t.post('/purchase/buy', wanted, { key: reads })).body.error, 'key_not_permitted');
  assert.equal((await t.get('/order/get', { key: reads })).body.order.length, 0);
  assert.equal((await t.post('/purchase/buy', wanted, { key: buys })).body.delivery, 'delivered');
});

test('a key that is known takes no query to be refused', async () => {
  const key = await t.key(await t.partner(), 'live', { permissions: ['buy'] });
  const refused = async () => {
    using watched = watchQueries();
    assert.equal((await t.get('/account/balance', { key })).body.error, 'key_not_permitted');
    return watched.seen.filter((text) => /^\s*select\b/.test(text));
  };
  await refused();
  // The notice that the key was made may arrive after its first use; it is read once more then.
  const again = await refused();
  assert.deepEqual(again.length === 0 ? again : await refused(), []);
});

test('key create --permissions: in our order and once each; nothing or anything else is refused', async () => {
  const partner = await t.partner();
  const create = (...more: string[]) =>
    run(t.operator(), ['key', 'create', '--partner', String(partner), '--mode', 'live', ...more]);
  const { key_id, key } = await create('--permissions', 'buy, read,buy');
  assert.deepEqual((await run(t.operator(), `key show ${key_id}`)).permissions, ['read', 'buy']);
  assert.equal((await t.post('/account/topup', { amount: '20' }, { key })).body.permission, 'money');
  await create();
  const listed = await run(t.operator(), `key list --partner ${partner}`);
  assert.deepEqual(
    listed.map(({ permissions }: { permissions: unknown }) => permissions),
    [['read', 'buy'], null],
  );
  for (const wrong of ['write', 'read,', 'READ', ','])
    await assert.rejects(create('--permissions', wrong), /--permissions/, wrong);
  const logged = await t.base.db.one<{ permissions: unknown }>(sql`
    select after->'permissions' as permissions from audit_log where target = ${`key ${key_id}`}`);
  assert.deepEqual(logged.permissions, ['read', 'buy']);
});
