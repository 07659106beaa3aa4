import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { testApp } from '../support/app.ts';
import { paidOrder, testPlan } from '../support/paid-order.ts';

test('the QR image is served at its signed address, at no address that was not signed, and no longer once the eSIM was withdrawn', async () => {
  await using t = await testApp();
  const partnerId = await t.partner();
  const key = await t.key(partnerId);
  const plan = await testPlan(t);
  const [order, other] = [await paidOrder(t, { partnerId, plan }), await paidOrder(t, { partnerId, plan })];
  await t.base.worlds.live.provisioning.provision(order);
  const { qrcode_url } = (await t.get(`/order/detail/${order.id}`, { key })).body.esim;
  const path = new URL(qrcode_url).pathname;

  const image = await t.ask(path, { host: 'panel' });
  assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(image.text, /^<svg[\s\S]*<\/svg>$/);
  assert.equal(image.headers['cache-control'], 'private, no-store');
  assert.equal(image.headers['x-content-type-options'], 'nosniff');

  const forged = [
    path.replace(String(order.id), String(other.id)),
    path.replace('/live-', '/sandbox-'),
    path.replace(/.\.svg$/, (end) => `${end[0] === '0' ? '1' : '0'}.svg`),
    path.replace('.svg', ''),
    '/qr/x.svg',
  ];
  for (const wrong of forged) assert.equal((await t.ask(wrong, { host: 'panel' })).status, 404, wrong);

  await t.base.worlds.live.db.run(sql`update orders set withdrawn_at = now() where id = ${order.id}`);
  assert.equal((await t.ask(path, { host: 'panel' })).status, 404, 'the eSIM was withdrawn');
});
