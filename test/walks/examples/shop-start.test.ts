import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newSecret } from '../../../src/platform/vault/secrets.ts';
import { testFolder } from '../../support/database/folder.ts';
import { testApp } from '../../support/program/app.ts';

const main = fileURLToPath(new URL('../../../examples/shop/main.ts', import.meta.url));

/** Starts the shop, which is expected to end by itself. */
const start = (env: NodeJS.ProcessEnv): Promise<{ code: unknown; stderr: string }> =>
  new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, timeout: 300_000 };
    execFile(process.execPath, [main], options, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });

suite('the shop explains why it cannot start in one sentence, without a stack trace', () => {
  test('an empty WAYFARE_KEY', async () => {
    assert.deepEqual(await start({ WAYFARE_KEY: '' }), {
      code: 1,
      stderr: 'WAYFARE_KEY is empty. Set it to your API key, or unset it to use a key of the demo partner.\n',
    });
  });

  test('the demo partner has as many sandbox keys as it may have', async () => {
    const secret = newSecret();
    await using t = await testApp({ secret });
    await using folder = await testFolder(0o700);
    const partner = await t.partner();
    assert.equal(partner, 1, 'the shop asks for a key of the first partner');
    for (const _ of [1, 2]) await t.key(partner, 'sandbox');
    const env = { DATABASE_URL: t.base.url, WAYFARE_SECRET: secret, SHOP_DATA: folder.path };
    const { code, stderr } = await start(env);
    assert.equal(code, 1);
    assert.match(stderr, /^The demo partner already has as many sandbox keys/);
    assert.match(stderr, /WAYFARE_KEY=esk_test_… npm run shop/);
    assert.match(stderr, /key revoke KEY_ID/);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });
});
