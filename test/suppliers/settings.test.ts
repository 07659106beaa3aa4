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
