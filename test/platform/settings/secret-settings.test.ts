import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError, readConfig } from '../../../src/platform/settings/config.ts';
import { SECRET_SETTINGS } from '../../../src/platform/settings/secret-files.ts';
import { testFolder } from '../../support/database/folder.ts';

const folder = await testFolder(0o700);
after(() => folder[Symbol.asyncDispose]());

/** Accepted values; each setting with those it cannot be without. */
const values: Readonly<Record<(typeof SECRET_SETTINGS)[number], string>> = {
  DATABASE_URL: 'postgres://wayfare:hunter2@db.example/wayfare',
  DATABASE_READ_URL: 'postgres://wayfare:hunter2@replica.example/wayfare',
  REDIS_URL: 'redis://:hunter2@redis.example',
  WAYFARE_SECRET: 'hunter2'.repeat(8),
  WAYFARE_SECRET_OLD: 'hunter3'.repeat(8),
  WAYFARE_KEY: 'sk_test_hunter2',
  AIRALO_CLIENT_ID: 'hunter2',
  AIRALO_CLIENT_SECRET: 'hunter2',
  ESIM_ACCESS_CODE: 'hunter2',
  ESIM_ACCESS_SECRET: 'hunter2',
  ESIM_ACCESS_NOTIFY_SECRET: 'hunter2-hunter2-hunter2',
  ESIM_GO_KEY: 'hunter2',
  ZENDIT_API_KEY: 'hunter2',
  ZENDIT_NOTIFY_SECRET: 'hunter2-hunter2-hunter2',
  OIDC_CLIENT_SECRET: 'hunter2',
  PARTNER_V3_KEY: 'esk_hunter2',
  PARTNER_V3_SECRET: `whsec_${'hunter2'.repeat(8)}`,
  STRIPE_SECRET_KEY: 'sk_hunter2',
  STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
  STRIPE_PUBLISHABLE_KEY: 'pk_hunter2',
  SMTP_URL: 'smtps://user:hunter2@mail.example:465',
};
const OIDC = { OIDC_ISSUER: 'https://sso.example', OIDC_CLIENT_ID: 'wayfare' };
const all = { ...values, MAIL_FROM: 'ops@example.com', PARTNER_V3_URL: 'https://api.example/v3', ...OIDC };

/** Everything else as usual, and this one setting given another way. */
function given(name: keyof typeof values, otherwise: NodeJS.ProcessEnv) {
  const { [name]: _, ...others } = all;
  return readConfig({ ...others, ...otherwise });
}

async function written(name: string, text: string): Promise<string> {
  await mkdir(folder.path, { recursive: true });
  const file = join(folder.path, name);
  await writeFile(file, text);
  return file;
}

const refusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ConfigError);
  assert.match(error.message, message);
  assert.doesNotMatch(error.message, /hunter|\n/);
  return true;
};

for (const name of SECRET_SETTINGS) {
  test(`${name} may be in a file or a credential of systemd, and is refused when it is given twice`, async () => {
    const usual = readConfig(all);
    const file = await written(`file-of-${name}`, `${values[name]}\n`);
    assert.deepEqual(given(name, { [`${name}_FILE`]: file }), usual, 'as a file');

    const credentials = join(folder.path, `credentials-of-${name}`);
    await mkdir(credentials);
    await writeFile(join(credentials, name), `${values[name]}\r\n`);
    const byCredential = { CREDENTIALS_DIRECTORY: credentials };
    assert.deepEqual(given(name, byCredential), usual, 'as a credential');

    const [byFile, twice] = [{ [`${name}_FILE`]: file }, refusal(new RegExp(`${name}.* and .*${name}.* are both set`))];
    assert.throws(() => readConfig({ ...all, ...byFile }), twice);
    assert.throws(() => readConfig({ ...all, ...byCredential }), twice);
    assert.throws(() => given(name, { ...byFile, ...byCredential }), twice);
  });
}

test('a file that cannot be read or is empty is named; a credential that is not there is not missed', async () => {
  const missing = join(folder.path, 'none');
  assert.throws(
    () => given('SMTP_URL', { SMTP_URL_FILE: missing }),
    refusal(/^SMTP_URL_FILE cannot be read: .*none \(ENOENT\)$/),
  );
  const empty = await written('empty', '\n');
  assert.throws(() => given('SMTP_URL', { SMTP_URL_FILE: empty }), refusal(/^SMTP_URL_FILE is empty/));
  assert.equal(given('SMTP_URL', { CREDENTIALS_DIRECTORY: missing, SMTP_URL_FILE: '' }).mail, undefined);
});
