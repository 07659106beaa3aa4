import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsInForce } from '../../../src/entry/console/system/settings-in-force.ts';
import { ConfigError, readConfig } from '../../../src/platform/settings/config.ts';
import { testFolder } from '../../support/database/folder.ts';

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

test('PARTNER_V3 accounts: the first has no slug in its settings, others have it in upper case with underscores', () => {
  assert.deepEqual(readConfig({}).partnerV3, []);
  const [secret, url] = [`whsec_${'5e'.repeat(32)}`, 'https://api.example/v3'];
  const env = {
    PARTNER_V3_URL: `${url}/`,
    PARTNER_V3_KEY: 'esk_1',
    PARTNER_V3_ACME_ESIM_URL: url,
    PARTNER_V3_ACME_ESIM_KEY: 'esk_2',
    PARTNER_V3_ACME_ESIM_SECRET: secret,
  };
  assert.deepEqual(
    readConfig(env).partnerV3.map((one) => ({ ...one, url: one.url.href })),
    [
      { slug: 'partner-v3', url, key: 'esk_1', secret: undefined },
      { slug: 'acme-esim', url, key: 'esk_2', secret },
    ],
  );
  for (const wrong of [
    { PARTNER_V3_URL: url },
    { PARTNER_V3_KEY: 'esk_1' },
    { PARTNER_V3_URL: 'https://api.example', PARTNER_V3_KEY: 'esk_1' },
    { ...env, PARTNER_V3_SECRET: 'whsec_' },
    { PARTNER_V3_X_URL: url, PARTNER_V3_X_KEY: 'esk_1' },
  ])
    assert.throws(() => readConfig(wrong), ConfigError, JSON.stringify(wrong));
});

test('the key of a further account may be in a file, and the console shows only that it is set', async () => {
  await using folder = await testFolder(0o700);
  const file = join(folder.path, 'key');
  await writeFile(file, 'esk_from_a_file\n');
  const config = readConfig({ PARTNER_V3_ACME_URL: 'https://api.example/v3', PARTNER_V3_ACME_KEY_FILE: file });
  assert.equal(config.partnerV3[0]?.key, 'esk_from_a_file');
  const told = settingsInForce(config).filter(({ name }) => name.startsWith('PARTNER_V3_ACME'));
  assert.deepEqual(
    told.map(({ name, value, isSet }) => [name, value, isSet]),
    [
      ['PARTNER_V3_ACME_KEY', null, true],
      ['PARTNER_V3_ACME_SECRET', null, false],
      ['PARTNER_V3_ACME_URL', 'https://api.example/v3', true],
    ],
  );
});
