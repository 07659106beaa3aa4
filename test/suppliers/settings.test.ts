import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';

test('AIRALO_CLIENT_ID and AIRALO_CLIENT_SECRET come together or not at all', () => {
  assert.equal(readConfig({}).airalo, undefined);
  const both = { AIRALO_CLIENT_ID: 'id', AIRALO_CLIENT_SECRET: 'secret' };
  assert.equal(readConfig(both).airalo?.url.href, 'https://partners-api.airalo.com/');
  assert.equal(readConfig({ ...both, AIRALO_URL: 'http://localhost:1/x' }).airalo?.url.href, 'http://localhost:1/x');
  for (const env of [
    { AIRALO_CLIENT_ID: 'id' },
    { AIRALO_CLIENT_SECRET: 'secret' },
    { ...both, AIRALO_URL: 'nowhere' },
  ])
    assert.throws(() => readConfig(env), ConfigError);
});

test('ESIM_ACCESS_CODE and ESIM_ACCESS_SECRET come together or not at all', () => {
  assert.equal(readConfig({}).esimAccess, undefined);
  const both = { ESIM_ACCESS_CODE: 'code', ESIM_ACCESS_SECRET: 'secret' };
  assert.equal(readConfig(both).esimAccess?.url.href, 'https://api.esimaccess.com/api/v1/open');
  for (const env of [{ ESIM_ACCESS_CODE: 'code' }, { ESIM_ACCESS_SECRET: 'secret' }, { ...both, ESIM_ACCESS_URL: '-' }])
    assert.throws(() => readConfig(env), ConfigError);
});

test('ZENDIT_API_KEY is the account at Zendit; the other settings are checked', () => {
  assert.equal(readConfig({}).zendit, undefined);
  const key = { ZENDIT_API_KEY: 'sand_key' };
  const { url, matchingIdField, notifySecret } = readConfig(key).zendit ?? {};
  assert.deepEqual(
    [url?.href, matchingIdField, notifySecret],
    ['https://api.zendit.io/v1', 'activationCode', undefined],
  );
  const other = readConfig({ ...key, ZENDIT_MATCHING_ID: 'externalReferenceId', ZENDIT_NOTIFY_SECRET: 'x'.repeat(16) });
  assert.deepEqual(
    [other.zendit?.matchingIdField, other.zendit?.notifySecret],
    ['externalReferenceId', 'x'.repeat(16)],
  );
  for (const wrong of [{ ZENDIT_URL: '-' }, { ZENDIT_MATCHING_ID: 'matchingId' }, { ZENDIT_NOTIFY_SECRET: 'short' }])
    assert.throws(() => readConfig({ ...key, ...wrong }), ConfigError);
});

test('DAY_PLAN_DAYS is a list of numbers of days, each once', () => {
  assert.deepEqual(readConfig({}).dayPlanDays, [1, 3, 5, 7, 10, 15, 30]);
  assert.deepEqual(readConfig({ DAY_PLAN_DAYS: '14, 2,14' }).dayPlanDays, [2, 14]);
  for (const wrong of ['0', '366', '1,,3', '7 days', '1.5'])
    assert.throws(() => readConfig({ DAY_PLAN_DAYS: wrong }), ConfigError);
});

test('ESIM_ACCESS_NOTIFY_SECRET is a segment of an address that cannot be guessed', () => {
  const both = { ESIM_ACCESS_CODE: 'code', ESIM_ACCESS_SECRET: 'secret' };
  assert.equal(readConfig(both).esimAccess?.notifySecret, undefined);
  const secret = 'a_long-enough-secret1';
  assert.equal(readConfig({ ...both, ESIM_ACCESS_NOTIFY_SECRET: secret }).esimAccess?.notifySecret, secret);
  for (const wrong of ['short', 'with/a/slash-in-the-middle', 'x'.repeat(129)])
    assert.throws(() => readConfig({ ...both, ESIM_ACCESS_NOTIFY_SECRET: wrong }), ConfigError);
});

test('ESIM_GO_KEY alone is the account at eSIM Go', () => {
  assert.equal(readConfig({}).esimGo, undefined);
  assert.equal(readConfig({ ESIM_GO_KEY: 'key' }).esimGo?.url.href, 'https://api.esim-go.com/v2.5');
  assert.throws(() => readConfig({ ESIM_GO_KEY: 'key', ESIM_GO_URL: 'nowhere' }), ConfigError);
});
