import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { settingNames } from '../../../src/entry/console/system/settings-in-force.ts';
import { ConfigError, readConfig } from '../../../src/platform/settings/config.ts';
import { requireDataFolder } from '../../../src/platform/start/requirements.ts';
import { testFolder } from '../../support/database/folder.ts';
import { wayfare } from '../../support/program/cli.ts';

/*
 * Every setting with values that cannot work, and the line a start answers them with. A setting without a row fails the first
 * test. The line is all there is to find the mistake by, so it names the setting; it never repeats what may be a secret.
 */
type Wrong = readonly [env: string | Readonly<Record<string, string>>, line: string];

const WEB = 'must be an http or https address';
const V3 = 'must end in /v3';
const NO_QUERY = 'must be an address without ? and #';
const POSTGRES = 'must be an address like postgres://user:password@host:5432/database';
const REDIS = 'must be an address like redis://:password@host:6379';
const CREDENTIAL = 'must be 1 to 500 letters, digits and symbols without spaces';
const TOO_SHORT = 'needs at least 32 characters: `openssl rand -hex 32` makes one';
const NOTIFY = 'must be 16 to 128 letters, digits, - or _';
const MAIL = 'must be an address like ops@example.com or Example Travel <ops@example.com>';
const CONNECTIONS = 'is not a number of connections from 2 to 1000';
const oidc = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'wayfare', OIDC_CLIENT_SECRET: 'hunter2' };
const OIDC_TOGETHER = 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together';
const seller = { SELLER_NAME: 'Example', SELLER_ADDRESS: 'A street|A town', SELLER_COUNTRY: 'DE' };
const database = 'postgres://wayfare:hunter2@db.example/wayfare';
const far = 'https://panel.example.com';

const rows: Readonly<Record<string, readonly Wrong[]>> = {
  SANDBOX_BASE_URL: [
    ['sandbox.example.com/v3', WEB],
    ['https://sandbox.example.com', V3],
    [{ SANDBOX_BASE_URL: 'http://localhost:4020/v3/' }, 'SANDBOX_BASE_URL and LIVE_BASE_URL are the same address'],
  ],
  LIVE_BASE_URL: [
    ['https://api.example.com/v4', V3],
    ['https://api.example.com/v3?key=hunter2', NO_QUERY],
  ],
  LEGACY_BASE_URL: [
    ['ftp://legacy.example.com', WEB],
    ['https://legacy.example.com/#v3', NO_QUERY],
  ],
  PANEL_URL: [
    ['panel.example.com', WEB],
    ['https://panel.example.com/?lang=en', NO_QUERY],
    ['https://example.com/panel', 'must be an address without a path'],
  ],
  WEBSITE_URL: [['mailto:ops@example.com', WEB]],
  PUBLIC_PRICES: [['yes', 'must be on or off']],
  PUBLIC_SITE: [['yes', 'must be on or off']],
  SITE_NAME: [['x'.repeat(61), 'must be one line of 1 to 60 characters']],
  SITE_TAGLINE: [['two\nlines', 'must be one line of 1 to 200 characters']],
  SITE_COLOR: [['blue', 'must be a colour like #0b5d7a']],
  SITE_LOGO: [
    ['/logo.gif', 'must be a file that ends in .svg, .png or .webp'],
    ['/none/logo.svg', ': the file /none/logo.svg cannot be read'],
  ],
  SITE_TEXT: [['/none/text.md', ': the file /none/text.md cannot be read']],
  LISTEN_HOST: [['api.example.com', ': api.example.com is not an IP address']],
  LISTEN_PORTS: [
    ['80,http', ': http is not a port number'],
    [{ LISTEN_PORTS: '4101,4102,4101' }, 'LISTEN_PORTS and HEALTH_PORT name port 4101 twice'],
  ],
  HEALTH_HOST: [['127.0.0.1:9000', ': 127.0.0.1:9000 is not an IP address']],
  HEALTH_PORT: [
    ['65536', ': 65536 is not a port number'],
    [{ LISTEN_PORTS: '4101', HEALTH_PORT: '4101' }, 'LISTEN_PORTS and HEALTH_PORT name port 4101 twice'],
  ],
  TRUSTED_PROXIES: [['127.0.0.1,localhost', ': localhost is not an address or CIDR block']],
  MAX_CONNECTIONS: [['0.5', 'must be a whole number from 1 to 1000000']],
  MAX_CONNECTIONS_PER_ADDRESS: [['Infinity', 'must be a whole number from 1 to 1000000']],
  REQUEST_SECONDS: [['3', 'must be a number of seconds from 4 to 300']],
  DRAIN_SECONDS: [
    ['-1', 'must be a number from 0 to 3600'],
    ['1e9', 'must be a number from 0 to 3600'],
  ],
  // Read when something is kept in it; the tests below have its lines.
  WAYFARE_DATA: [],
  DATABASE_URL: [
    ['mysql://wayfare:hunter2@db.example/wayfare', POSTGRES],
    ['postgres://', POSTGRES],
    ['postgres://wayfare:hunter#2@db.example/wayfare', POSTGRES],
    ['postgres://wayfare:hunter2@db1:5432,db2:99999/wayfare', POSTGRES],
  ],
  DATABASE_READ_URL: [
    [{ DATABASE_URL: database, DATABASE_READ_URL: 'ftp://hunter2@replica.example' }, `DATABASE_READ_URL ${POSTGRES}`],
    [{ DATABASE_READ_URL: database }, 'DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas'],
  ],
  POOL_LIVE: [['1', CONNECTIONS]],
  POOL_SANDBOX: [['2.5', CONNECTIONS]],
  POOL_SHARED: [['many', CONNECTIONS]],
  REDIS_URL: [
    ['http://:hunter2@redis.example', REDIS],
    ['redis://', REDIS],
    ['redis.example:6379', REDIS],
  ],
  WAYFARE_SECRET: [['hunter2', TOO_SHORT]],
  WAYFARE_SECRET_OLD: [[`${'hunter2'.repeat(8)},hunter2`, TOO_SHORT]],
  WAYFARE_DEMO: [['maybe', 'must be on or off']],
  WAYFARE_KEY: [['esk_test_hunter2 # mine', CREDENTIAL]],
  WAYFARE_URL: [
    ['localhost:4010/v3', WEB],
    ['http://localhost:4010', V3],
  ],
  WEBHOOK_TRUSTED_HOSTS: [
    ['localhost', ': localhost is not a host with a port, such as localhost:9000'],
    [
      'localhost:9000,http://localhost:9001',
      ': http://localhost:9001 is not a host with a port, such as localhost:9000',
    ],
    ['localhost:90000', ': localhost:90000 is not a host with a port, such as localhost:9000'],
  ],
  CODE_RETENTION_DAYS: [['0.5', 'must be a number of days from 1 to 36500']],
  DELIVERY_RETENTION_DAYS: [['0', 'must be a number of days from 1 to 36500']],
  PROVISION_BUDGET_SECONDS: [['Infinity', 'must be a number above zero, at most 300']],
  PROVISION_OVERDUE_HOURS: [['0', 'must be a number above zero, at most 8760']],
  SIMULATED_SUPPLIER_URL: [['localhost:4050', WEB]],
  AIRALO_CLIENT_ID: [
    [{ AIRALO_CLIENT_ID: 'hunter2' }, 'AIRALO_CLIENT_ID and AIRALO_CLIENT_SECRET must be set together'],
  ],
  AIRALO_CLIENT_SECRET: [['hunter2\nhunter2', CREDENTIAL]],
  AIRALO_DOOR: [['yes', 'must be on or off']],
  AIRALO_DOOR_DEDUPE: [['true', 'must be on or off']],
  AIRALO_URL: [['airalo.example', WEB]],
  ESIM_ACCESS_CODE: [[{ ESIM_ACCESS_CODE: 'hunter2' }, 'ESIM_ACCESS_CODE and ESIM_ACCESS_SECRET must be set together']],
  ESIM_ACCESS_SECRET: [['hunter2 hunter2', CREDENTIAL]],
  ESIM_ACCESS_NOTIFY_SECRET: [['hunter2', NOTIFY]],
  ESIM_ACCESS_URL: [['-', WEB]],
  ESIM_GO_KEY: [['x'.repeat(501), CREDENTIAL]],
  ESIM_GO_URL: [['ftp://go.example', WEB]],
  ZENDIT_API_KEY: [['“hunter2”', CREDENTIAL]],
  ZENDIT_MATCHING_ID: [['matchingId', 'must be activationCode or externalReferenceId']],
  ZENDIT_NOTIFY_SECRET: [['hunter2/hunter2/hunter2', NOTIFY]],
  ZENDIT_URL: [['zendit', WEB]],
  PARTNER_V3_URL: [
    [{ PARTNER_V3_URL: 'https://api.example/v3' }, 'PARTNER_V3_URL and PARTNER_V3_KEY must be set together'],
    [{ PARTNER_V3_URL: 'https://api.example', PARTNER_V3_KEY: 'hunter2' }, `PARTNER_V3_URL ${V3}`],
  ],
  PARTNER_V3_KEY: [
    [{ PARTNER_V3_URL: 'https://api.example/v3', PARTNER_V3_KEY: 'hunter2 hunter2' }, `PARTNER_V3_KEY ${CREDENTIAL}`],
  ],
  PARTNER_V3_SECRET: [['hunter2', 'must be the secret of a webhook as it was shown: whsec_ and what follows it']],
  CATALOG_SYNC_HOURS: [['daily', 'must be a number from 0 to 8760']],
  DAY_PLAN_DAYS: [['1,,3', 'must be numbers of days from 1 to 365, separated by commas']],
  CARD_PAYMENTS: [
    ['on', 'must be stripe, simulated or off'],
    ['stripe', '=stripe needs STRIPE_SECRET_KEY'],
  ],
  STRIPE_SECRET_KEY: [
    ['sk_hunter2', 'also needs STRIPE_WEBHOOK_SECRET'],
    ['pk_hunter2', 'must be a secret or restricted key (sk_… or rk_…)'],
  ],
  STRIPE_WEBHOOK_SECRET: [['sk_hunter2', 'must be the signing secret of the endpoint (whsec_…)']],
  STRIPE_PUBLISHABLE_KEY: [['sk_hunter2', 'must be a publishable key (pk_…)']],
  STRIPE_API_BASE: [['stripe.example', WEB]],
  SMTP_URL: [
    ['http://user:hunter2@mail.example', 'must be an address like smtps://user:password@mail.example.com:465'],
    ['smtps://user:hunter2@mail.example', 'also needs MAIL_FROM, the address that mails come from'],
  ],
  MAIL_FROM: [['Example Travel', MAIL]],
  SIGN_UP: [
    ['yes', 'must be one of off, review, open'],
    [{ SIGN_UP: 'open', PANEL_URL: far }, 'SIGN_UP=open also needs SMTP_URL: links are mailed'],
  ],
  FOUR_EYES_USD: [['a lot', 'must be an amount like 1000 or 1000.00']],
  SELLER_NAME: [
    [
      { SELLER_NAME: 'Example' },
      'SELLER_NAME, SELLER_ADDRESS, SELLER_COUNTRY must be set together: SELLER_ADDRESS, SELLER_COUNTRY is not',
    ],
    [{ ...seller, SELLER_NAME: 'x'.repeat(201) }, 'SELLER_NAME must be one line of at most 200 characters'],
  ],
  SELLER_ADDRESS: [[{ ...seller, SELLER_ADDRESS: ' | ' }, 'SELLER_NAME and SELLER_ADDRESS must not be empty']],
  SELLER_COUNTRY: [
    [{ ...seller, SELLER_COUNTRY: 'Germany' }, 'SELLER_COUNTRY must be two capital letters, such as DE'],
  ],
  SELLER_VAT_ID: [
    [{ ...seller, SELLER_VAT_ID: 'x'.repeat(21) }, 'SELLER_VAT_ID must be one line of at most 20 characters'],
  ],
  SELLER_ID: [[{ ...seller, SELLER_ID: 'a\nb' }, 'SELLER_ID must be one line of at most 200 characters']],
  SELLER_TAX_RATE: [
    [{ ...seller, SELLER_TAX_RATE: '19%' }, 'SELLER_TAX_RATE must be a percentage above 0, like 19 or 5.5'],
  ],
  INVOICE_PREFIX: [['INV/', 'must be 1 to 20 letters, digits or -']],
  INVOICE_TEXT: [['x'.repeat(1_001), 'must be one line of at most 1000 characters']],
  OVERDUE_SUSPEND_DAYS: [['1.5', 'must be a number of days from 1 to 365']],
  OVERDUE_MIN_USD: [['-1', 'must be an amount like 1000 or 1000.00']],
  LOG_LEVEL: [['loud', 'must be one of debug, info, warn, error, silent']],
  OIDC_ISSUER: [[{ ...oidc, OIDC_ISSUER: 'id.example' }, `OIDC_ISSUER ${WEB}`]],
  OIDC_CLIENT_ID: [[{ OIDC_CLIENT_ID: 'wayfare' }, OIDC_TOGETHER]],
  OIDC_CLIENT_SECRET: [[{ OIDC_CLIENT_SECRET: 'hunter2' }, OIDC_TOGETHER]],
  OIDC_ROLE_CLAIM: [[{ ...oidc, OIDC_ROLE_CLAIM: 'groups' }, 'OIDC_ROLE_CLAIM and OIDC_ROLES must be set together']],
  OIDC_ROLES: [
    [
      { ...oidc, OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'staff=owner' },
      'OIDC_ROLES: staff=owner is not value=role, with admin, finance, support, read-only',
    ],
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [['collector:4318', WEB]],
  OTEL_TRACES_SAMPLER_ARG: [['2', 'must be a number from 0 to 1']],
};

test('every setting has its row', () => {
  assert.deepEqual(Object.keys(rows).sort(), [...settingNames.shown, ...settingNames.kept].sort());
});

for (const [setting, wrong] of Object.entries(rows))
  for (const [given, line] of wrong) {
    const env = typeof given === 'string' ? { [setting]: given } : given;
    const isWhole = typeof given !== 'string';
    test(`${setting} is refused: ${Object.values(env)
      .map((value) => value.slice(0, 40))
      .join(' ')}`, () => {
      assert.throws(
        () => readConfig(env),
        (error) => {
          assert.ok(error instanceof ConfigError, String(error));
          assert.equal(error.message, isWhole ? line : `${setting}${/^[:=]/.test(line) ? '' : ' '}${line}`);
          assert.doesNotMatch(error.message, /hunter/);
          return true;
        },
      );
    });
  }

const folder = await testFolder(0o711);
after(() => folder[Symbol.asyncDispose]());

test('WAYFARE_DATA that is no folder, or cannot be made, is refused in a line; one that is missing is made', async () => {
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  const refused = (dataDir: string, why: string) =>
    assert.rejects(requireDataFolder(dataDir), (error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.equal(error.message, `WAYFARE_DATA=${dataDir}: ${why}`);
      return true;
    });
  await refused(file, 'a part of this path is not a folder');
  await refused(join(file, 'data'), 'a part of this path is not a folder');
  // The kernel refuses there even root, in its own way.
  await refused('/proc/wayfare/data', '/proc/wayfare cannot be made there');
  await refused(join(folder.path, 'x'.repeat(300)), 'this path is too long');
  const made = join(folder.path, 'a', 'b');
  await requireDataFolder(made);
  await requireDataFolder(made);
});

test('a start whose data folder cannot be made ends at once, with that line', async () => {
  const { code, stderr } = await wayfare({ WAYFARE_DATA: '/proc/wayfare' }, 'start');
  assert.deepEqual([code, stderr], [1, 'wayfare: WAYFARE_DATA=/proc/wayfare: /proc/wayfare cannot be made there\n']);
});

test('a process that may open too few files says how many it needs', async () => {
  const data = join(folder.path, 'few');
  await mkdir(data);
  const few = ['-c', 'ulimit -n 100; exec "$0" src/main.ts start', process.execPath];
  const child = spawn('sh', few, { env: { PATH: process.env.PATH, WAYFARE_DATA: data } });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.deepEqual(
    [code, stderr],
    [
      1,
      'wayfare: this process may open 100 files and connections, and needs 512 at least: raise `ulimit -n`, or LimitNOFILE= of its unit\n',
    ],
  );
});
