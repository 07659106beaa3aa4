import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DAY, timestamp } from '../../../../../src/platform/clock.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { refused, sandbox } from '../../../../support/refusal.ts';
import type { StockedApp } from '../../../../support/sales/catalog.ts';
import { ownEsim, refillShop, type Shopper, shopperIn } from '../../../../support/sales/refills.ts';
import { bodies, eventIds, subscribePaused } from '../../../../support/servers/queued-events.ts';

let t: StockedApp;
before(async () => {
  t = await refillShop();
  t.clock.freeze();
});
after(() => t[Symbol.asyncDispose]());

const EVENTS = 'esim.installed,esim.removed,esim.country_changed';
const play = ({ key }: Shopper, form: Record<string, string>) => t.post('/sandbox/profile', form, { key });
const nothing = { state: 'released', device: null, country: null, covered: null, seen_at: null };

test('a new eSIM is released, and nothing is known of the phone', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { iccid } = await ownEsim(t, shopper);
  const { body } = await t.get(`/esim/detail/${iccid}`, { key: shopper.key });
  assert.deepEqual(body.esim.profile, nothing);
  const [row] = (await t.get('/esim/list', { key: shopper.key })).body.esims;
  assert.deepEqual([row.profile, row.capabilities], [nothing, ['suspend', 'replace', 'refill', 'refund']]);
});

test('it answers the eSIM as the list and the detail show it; fields that are not sent stay as they are', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { iccid } = await ownEsim(t, shopper);
  const { body, status } = await play(shopper, { iccid, state: 'enabled', country: 'fr', brand: 'Apple' });
  const seen_at = timestamp(t.clock.now());
  const profile = { state: 'enabled', device: { brand: 'Apple', model: '' }, country: 'FR', covered: false, seen_at };
  assert.equal(status, 200);
  assert.deepEqual(body.esim.profile, profile);
  const { share_url, ...row } = (await t.get('/esim/list', { key: shopper.key })).body.esims[0];
  assert.deepEqual(body.esim, row);
  assert.deepEqual((await t.get(`/esim/detail/${iccid}`, { key: shopper.key })).body.esim.profile, profile);
  assert.deepEqual((await play(shopper, { iccid })).body.esim.profile, profile, 'nothing was sent');
  const model = { ...profile, device: { brand: 'Apple', model: 'iPhone 17' } };
  assert.deepEqual((await play(shopper, { iccid, model: 'iPhone 17' })).body.esim.profile, model);
  const home = { ...model, state: 'disabled', country: 'TR', covered: true };
  assert.deepEqual((await play(shopper, { iccid, state: 'disabled', country: 'TR' })).body.esim.profile, home);
});

test('installed is sent once, at installed or enabled; removed and changed countries each time', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await subscribePaused(t, shopper.partnerId, 'sandbox', EVENTS);
  const { iccid, orderId } = await ownEsim(t, shopper, { reference: 'trip 3' });
  for (const state of ['downloaded', 'enabled', 'installed', 'disabled', 'enabled', 'deleted', 'deleted', 'installed'])
    await play(shopper, { iccid, state });
  await play(shopper, { iccid, state: 'deleted' });
  for (const country of ['FR', 'FR', 'TR', 'FR']) await play(shopper, { iccid, country });
  const id = (event: string, n: number) => `sbx_${event}:${iccid}:${n}`;
  assert.deepEqual(await eventIds(t, shopper.partnerId, 'sandbox'), [
    id('esim.installed', 1),
    id('esim.removed', 1),
    id('esim.removed', 2),
    ...[1, 2, 3].map((n) => id('esim.country_changed', n)),
  ]);
  const sent = await bodies(t, shopper.partnerId, 'sandbox');
  const [installed] = sent;
  assert.deepEqual(
    [installed.iccid, installed.order_id, installed.reference, installed.profile.state, installed.country],
    [iccid, orderId, 'trip 3', 'enabled', undefined],
  );
  assert.deepEqual(
    sent.slice(3).map(({ country, covered, profile }) => [country, covered, profile.country, profile.covered]),
    [
      ['FR', false, 'FR', false],
      ['TR', true, 'TR', true],
      ['FR', false, 'FR', false],
    ],
  );
});

test('twenty at once send each event once', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await subscribePaused(t, shopper.partnerId, 'sandbox', EVENTS);
  const { iccid } = await ownEsim(t, shopper);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => play(shopper, { iccid, state: 'installed', country: 'TR' })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.deepEqual((await eventIds(t, shopper.partnerId, 'sandbox')).sort(), [
    `sbx_esim.country_changed:${iccid}:1`,
    `sbx_esim.installed:${iccid}:1`,
  ]);
});

test('it follows the test clock, also after that was set back', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { iccid } = await ownEsim(t, shopper);
  await t.post('/sandbox/clock', { advance: String(DAY / 1000) }, { key: shopper.key });
  const ahead = (await play(shopper, { iccid, country: 'TR' })).body.esim.profile;
  assert.equal(ahead.seen_at, timestamp(t.clock.now() + DAY));
  await t.post('/sandbox/clock', { reset: '1' }, { key: shopper.key });
  const back = (await play(shopper, { iccid, country: 'FR' })).body.esim.profile;
  assert.deepEqual([back.country, back.seen_at], ['FR', timestamp(t.clock.now())]);
});

test('refused: without an ICCID, unknown or not yours, other states and countries, live keys; nothing changes', async () => {
  const [shopper, other, live] = [
    await shopperIn(t, 'sandbox'),
    await shopperIn(t, 'sandbox'),
    await shopperIn(t, 'live'),
  ];
  const { iccid } = await ownEsim(t, shopper);
  refused(await play(shopper, { state: 'installed' }), 'iccid_required', sandbox);
  const unknown = await play(shopper, { iccid: '8999999999999999999', state: 'installed' });
  refused(unknown, 'esim_not_found', sandbox);
  const foreign = await ownEsim(t, other);
  for (const named of [foreign.iccid, 'nonsense'])
    assert.equal((await play(shopper, { iccid: named, state: 'installed' })).text, unknown.text);
  for (const state of ['Installed', 'active', 'suspended', 'x'])
    refused(await play(shopper, { iccid, state, country: 'TR' }), 'invalid_state', sandbox);
  for (const country of ['Türkiye', 'TUR', 'T', 'ZZ', '12'])
    refused(await play(shopper, { iccid, country, state: 'installed' }), 'invalid_country', sandbox);
  refused(await play(live, { iccid: (await ownEsim(t, live)).iccid, state: 'installed' }), 'sandbox_only_action');
  const key = await t.key(shopper.partnerId, 'sandbox', { permissions: ['read'] });
  refused(await play({ ...shopper, key }, { iccid, state: 'installed' }), 'key_not_permitted', {
    permission: 'money',
    ...sandbox,
  });
  assert.equal((await t.post('/sandbox/profile', { iccid, state: 'installed' }, {})).body.error, 'api_key_required');
  assert.deepEqual((await play(shopper, { iccid })).body.esim.profile, nothing);
  assert.deepEqual((await play(other, { iccid: foreign.iccid })).body.esim.profile, nothing);
});

test('each of its codes can be simulated', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { iccid } = await ownEsim(t, shopper);
  for (const code of ['iccid_required', 'esim_not_found', 'invalid_state', 'invalid_country'] as const)
    refused(await play(shopper, { iccid, state: 'installed', sandbox_error: code }), code, {
      ...sandbox,
      sandbox_simulated: true,
    });
  assert.deepEqual((await play(shopper, { iccid })).body.esim.profile, nothing);
});

test('names of phones that could not be shown are cleaned and cut', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  const { iccid } = await ownEsim(t, shopper);
  const { device } = (await play(shopper, { iccid, brand: '<b>"A\u202ecme"\n', model: '😀'.repeat(300) })).body.esim
    .profile;
  assert.deepEqual(device, { brand: 'bAcme', model: '😀'.repeat(100) });
});

test('a reset of the sandbox forgets the phone', async () => {
  const shopper = await shopperIn(t, 'sandbox');
  await play(shopper, { iccid: (await ownEsim(t, shopper)).iccid, state: 'installed' });
  await t.post('/account/sandboxReset', {}, { key: shopper.key });
  const kept = await t.base.worlds.sandbox.db.query(sql`
    select from esim_profiles where partner_id = ${shopper.partnerId}`);
  assert.equal(kept.length, 0);
});
