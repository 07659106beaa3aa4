import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SiteRequest } from '../../../src/entry/site/routes.ts';
import { crowdReads } from '../../../src/entry/traveller/crowd.ts';
import { qrRoutes } from '../../../src/entry/traveller/qr.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testApp } from '../../support/program/app.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';

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

suite('the QR image is drawn once', () => {
  /** The route over one link, whose code the test can take away, with every drawing counted. */
  function counted() {
    const seen = { drawn: 0, reads: 0, code: 'LPA:1$a$b' as string | undefined };
    const activationCode = async () => {
      seen.reads += 1;
      return seen.code;
    };
    const draw = (code: string) => {
      seen.drawn += 1;
      return `<svg>${code}</svg>`;
    };
    const [route] = qrRoutes(
      () => ({ activationCode }),
      crowdReads(),
      () => '192.0.2.1',
      draw,
    );
    const request = { params: { file: 'token.svg' }, request: {} } as unknown as SiteRequest;
    return { seen, ask: async () => route?.handle(request) };
  }

  test('for all who ask at the same time', async () => {
    const { seen, ask } = counted();
    const replies = await Promise.all(Array.from({ length: 120 }, ask));
    assert.ok(replies.every((reply) => reply?.body === '<svg>LPA:1$a$b</svg>'));
    assert.deepEqual([seen.drawn, seen.reads], [1, 1]);
  });

  test('for those who ask one after the other, whose link is still read each time', async () => {
    const { seen, ask } = counted();
    for (let i = 0; i < 5; i += 1) assert.equal((await ask())?.status, 200);
    assert.deepEqual([seen.drawn, seen.reads], [1, 5]);
    seen.code = undefined;
    assert.equal((await ask())?.status, 404, 'a kept image does not outlive its link');
    assert.equal(seen.drawn, 1);
  });
});
