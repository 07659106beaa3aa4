import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingNames, settingsInForce } from '../../../src/entry/console/system/settings-in-force.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';

/** A value for every setting; each secret one is recognisable. */
const SECRETS = {
  DATABASE_URL: 'postgres://user:dbsentinel@db.example/wayfare',
  DATABASE_READ_URL: 'postgres://user:dbsentinel@replica.example/wayfare',
  REDIS_URL: 'redis://:redissentinel@redis.example',
  WAYFARE_SECRET: 'secretsentinel'.repeat(3),
  WAYFARE_SECRET_OLD: 'oldsentinel'.repeat(3),
  WAYFARE_KEY: 'keysentinel',
  AIRALO_CLIENT_ID: 'airaloidsentinel',
  AIRALO_CLIENT_SECRET: 'airalosentinel',
  ESIM_ACCESS_CODE: 'accesscodesentinel',
  ESIM_ACCESS_SECRET: 'accesssentinel',
  ESIM_ACCESS_NOTIFY_SECRET: 'notifysentinel-0123456789',
  ESIM_GO_KEY: 'gokeysentinel',
  ZENDIT_API_KEY: 'zenditsentinel',
  ZENDIT_NOTIFY_SECRET: 'zenditnotifysentinel-0123',
  PARTNER_V3_KEY: 'esk_sentinel',
  PARTNER_V3_SECRET: `whsec_${'sentinel'.repeat(8)}`,
  STRIPE_SECRET_KEY: 'sk_sentinel',
  STRIPE_WEBHOOK_SECRET: 'whsec_sentinel',
  STRIPE_PUBLISHABLE_KEY: 'pk_sentinel',
  SMTP_URL: 'smtps://user:smtpsentinel@mail.example:465',
  OIDC_CLIENT_SECRET: 'oidcsentinel',
};
const HARMLESS = {
  MAIL_FROM: 'ops@example.com',
  OIDC_ISSUER: 'https://user:sentinel@sso.example/realm?key=sentinel',
  OIDC_CLIENT_ID: 'wayfare',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLES: 'wayfare-admins=admin',
  STRIPE_API_BASE: 'https://user:sentinel@stripe.example/?key=sentinel',
  AIRALO_URL: 'https://user:sentinel@airalo.example',
  ESIM_ACCESS_URL: 'https://user:sentinel@access.example/v1?token=sentinel',
  ESIM_GO_URL: 'https://user:sentinel@go.example/v2.5?token=sentinel',
  ZENDIT_URL: 'https://user:sentinel@zendit.example/v1?token=sentinel',
  PARTNER_V3_URL: 'https://user:sentinel@api.example/v3',
  SIMULATED_SUPPLIER_URL: 'http://user:sentinel@supplier.example',
  PANEL_URL: 'https://user:sentinel@panel.example',
  DELIVERY_RETENTION_DAYS: '30',
  CODE_RETENTION_DAYS: '30',
};

test('every setting that is read is either shown or only reported as set', () => {
  const read = new Set<string>();
  const env = new Proxy({ ...SECRETS, ...HARMLESS } as Record<string, string>, {
    get(values, name) {
      read.add(String(name));
      return values[String(name)];
    },
  });
  readConfig(env);
  const inFiles = [...settingNames.kept.map((name) => `${name}_FILE`), 'CREDENTIALS_DIRECTORY'];
  assert.deepEqual([...settingNames.shown, ...settingNames.kept, ...inFiles].sort(), [...read].sort());
  assert.deepEqual([...settingNames.kept].sort(), Object.keys(SECRETS).sort());
});

test('no answer contains a secret, nor the user, password or query of an address', () => {
  const settings = settingsInForce(readConfig({ ...SECRETS, ...HARMLESS }));
  assert.doesNotMatch(JSON.stringify(settings), /sentinel/);
  for (const name of Object.keys(SECRETS)) {
    const told = settings.find((one) => one.name === name);
    assert.deepEqual(told, { name, value: null, isSet: true, otherwise: null });
  }
  assert.equal(settings.find(({ name }) => name === 'STRIPE_API_BASE')?.value, 'https://stripe.example/');
});

test('what differs from the default says what that would be', () => {
  const of = (env: Record<string, string>, wanted: string) =>
    settingsInForce(readConfig(env)).find(({ name }) => name === wanted);
  assert.deepEqual(of({ DELIVERY_RETENTION_DAYS: '30' }, 'DELIVERY_RETENTION_DAYS'), {
    name: 'DELIVERY_RETENTION_DAYS',
    value: '30',
    isSet: true,
    otherwise: '90',
  });
  assert.equal(of({ DATABASE_URL: 'postgres://db' }, 'DRAIN_SECONDS')?.otherwise, null);
  assert.equal(of({ PANEL_URL: 'https://panel.example' }, 'WEBSITE_URL')?.otherwise, null);
  assert.equal(
    of({ PANEL_URL: 'http://localhost:4030', LEGACY_BASE_URL: 'http://localhost:4031' }, 'PANEL_URL')?.otherwise,
    'http://localhost:4000/',
  );
  assert.deepEqual(
    settingsInForce(readConfig({})).filter(({ otherwise }) => otherwise !== null),
    [],
  );
});
