import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { signedWebhook } from '../../../../sdk/src/testing.ts';
import { supplierNotices } from '../../../../src/domains/supply/accounts/notices.ts';

const KEY = 'our-key-at-esim-go';
const SECRET = `whsec_${'5e'.repeat(32)}`;
const ICCID = '8944500102198301234';
const NOW = Date.parse('2026-11-18T12:00:00Z');
const { stringify } = JSON;

const esimGo = (body: string, key = KEY) => {
  const bytes = Buffer.from(body);
  return supplierNotices.esimGo(bytes, createHmac('sha256', key).update(bytes).digest('hex'), KEY, NOW);
};

suite('notifications: the eSIM on the phone', () => {
  const seen = { country: 'NO', seenAt: new Date(NOW) };
  const iphone = { imei: '350089571234565', eid: '8904', make: 'Apple', model: 'iPhone 17' };
  const told: readonly (readonly [object, object | undefined])[] = [
    [
      { alertType: 'CountryChange', country: { code: 'NO', name: 'Norway' } },
      { state: 'enabled', ...seen },
    ],
    [
      { alertType: 'CountryChange', country: { code: ' no ' } },
      { state: 'enabled', ...seen },
    ],
    [
      { alertType: 'CountryChange', country: 'NO' },
      { state: 'enabled', ...seen },
    ],
    // What is no two-letter code of a country is not guessed at.
    [{ alertType: 'CountryChange', country: { code: 'NOR' } }, { state: 'enabled' }],
    [{ alertType: 'CountryChange', country: { code: 'ZZ' } }, { state: 'enabled' }],
    [{ alertType: 'CountryChange', country: { code: 7 } }, { state: 'enabled' }],
    [{ alertType: 'CountryChange', country: null }, { state: 'enabled' }],
    [{ alertType: 'FirstAttachment' }, { state: 'enabled' }],
    [{ profileStatus: 'Downloaded' }, { state: 'downloaded' }],
    [
      { profileStatus: 'Installed', device: iphone },
      { state: 'installed', device: { brand: 'Apple', model: 'iPhone 17' } },
    ],
    [{ profileStatus: 'Released', device: { eid: '8904' } }, { state: 'deleted' }],
    [{ profileStatus: 'Exploded' }, { state: 'unknown' }],
    [{ profileStatus: 'Installed', device: { make: '<b>', model: 'x' } }, { state: 'installed' }],
    [{ profileStatus: 'Installed', device: { make: 'A', model: 'x'.repeat(101) } }, { state: 'installed' }],
    [{ profileStatus: 'Installed', device: 7 }, { state: 'installed' }],
    [{ alertType: 'Utilisation', bundle: {} }, undefined],
    [{ event: 'esim.deleted', date: '2026-06-29T13:20:02Z' }, undefined],
    [{ country: { code: 'NO' } }, undefined],
  ];
  for (const [body, profile] of told)
    test(`eSIM Go: ${stringify(body).slice(0, 90)} tells ${stringify(profile) ?? 'nothing'}`, () => {
      const notice = esimGo(stringify({ iccid: ICCID, ...body }));
      assert.deepEqual(notice, { iccid: ICCID, supplierOrder: undefined, ...(profile && { profile }) });
    });

  test('eSIM Go: an ICCID that is a number keeps all its digits, and a body that is no object tells nothing', () => {
    const body = `{"alertType":"CountryChange","iccid":${ICCID},"country":{"code":"JP"}}`;
    assert.deepEqual([esimGo(body)?.iccid, esimGo(body)?.profile?.country], [ICCID, 'JP']);
    for (const nonsense of ['', 'null', '[]', '7', 'no json'])
      assert.deepEqual(esimGo(nonsense), { iccid: undefined, supplierOrder: undefined });
  });

  test('eSIM Go: without our signature it tells nothing at all', () => {
    const body = stringify({ iccid: ICCID, alertType: 'CountryChange', country: { code: 'NO' } });
    assert.equal(esimGo(body, 'another key'), undefined);
  });

  test('eSIM Access: anyone may have sent it, so it only says which eSIM to read', () => {
    const content = { iccid: ICCID, orderNo: 'B1', smdpStatus: 'DELETED', esimStatus: 'IN_USE', eid: '8904' };
    const body = Buffer.from(stringify({ notifyType: 'SMDP_EVENT', content }));
    assert.deepEqual(supplierNotices.esimAccess(body), { iccid: ICCID, supplierOrder: 'B1' });
  });

  const profile = {
    state: 'enabled',
    device: { brand: 'Apple', model: 'iPhone 17' },
    country: 'FR',
    covered: true,
    seen_at: '2026-11-18 11:00:00',
  };
  const partnerV3 = async (event: object, secret = SECRET) => {
    const sent = { event_id: 'esim.country_changed:1:1', iccid: ICCID, order_id: 17, ...event };
    const { body, headers } = await signedWebhook(sent as never, secret, NOW);
    return (await supplierNotices.partnerV3(Buffer.from(body), headers, SECRET, NOW))?.notice;
  };

  test('partner API: an event about the phone tells what it says, as far as that can be right', async () => {
    const { covered: _, seen_at: __, ...rest } = profile;
    const notice = { iccid: ICCID, supplierOrder: '17' };
    const event = 'esim.country_changed';
    assert.deepEqual(await partnerV3({ event, profile }), {
      ...notice,
      profile: { ...rest, seenAt: new Date('2026-11-18T11:00:00Z') },
    });
    assert.deepEqual(
      await partnerV3({ event, profile: { ...profile, device: { brand: '"', model: '' }, country: 'France' } }),
      { ...notice, profile: { state: 'enabled' } },
    );
    assert.deepEqual(await partnerV3({ event, profile: { state: 'asleep' } }), {
      ...notice,
      profile: { state: 'unknown' },
    });
    for (const none of [undefined, null, {}, [], 'enabled'])
      assert.deepEqual(await partnerV3({ event, profile: none }), notice);
  });

  test('partner API: an event that is not about an eSIM, or not signed, tells nothing', async () => {
    assert.deepEqual(await partnerV3({ event: 'order.created', profile }), {
      iccid: undefined,
      supplierOrder: undefined,
    });
    assert.equal(await partnerV3({ event: 'esim.installed', profile }, `whsec_${'00'.repeat(32)}`), undefined);
  });
});
