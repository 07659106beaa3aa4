import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { testFolder } from '../../support/database/folder.ts';
import { getBalance } from '../../support/program/process.ts';
import { CHECKOUT, readableCheckout } from '../../support/program/readable-checkout.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const run = promisify(execFile);
/** Owns nothing, and has a name on every Debian: initdb looks its user up. */
const user = { uid: 65_534, gid: 65_534 };

const skip =
  process.getuid?.() !== 0 && 'only root can become another user; run by an ordinary user all tests show this';

test('an ordinary user who owns nothing but a home folder can run it', { skip }, async () => {
  await using folder = await testFolder(0o755);
  const home = join(folder.path, 'home');
  await mkdir(home, { mode: 0o700 });
  await chown(home, user.uid, user.gid);
  const checkout = await readableCheckout(user, join(folder.path, 'checkout'));

  const dataDir = join(home, 'data');
  await using server = await ServerProcess.start({ dataDir, user, checkout, env: { HOME: home, USER: 'visitor' } });
  const key = /\besk_test_[0-9a-f]{40}\b/.exec(await server.banner())?.[0] ?? '';
  assert.equal((await getBalance(server.urls.sandbox, key)).status, 200);
  assert.equal(await server.end('SIGTERM'), 0);

  // A data path too long for a socket: the socket's folder is then made where everybody may write.
  const long = join(home, 'a-long-name-'.repeat(9));
  const script = `
    import { runningPostgres, startPostgres } from '${join(checkout, 'src/platform/db/embedded/embedded.ts')}';
    const postgres = await startPostgres('${long}', console);
    console.log((await runningPostgres('${long}')) === postgres.url, new URL(postgres.url).searchParams.get('host'));
    await postgres.stop();`;
  const node = process.execPath.replace(CHECKOUT, checkout.replace(/\/?$/, '/'));
  const { stdout } = await run(node, ['--input-type=module', '-e', script], { ...user, env: { HOME: home } });
  assert.match(stdout, /^true \/tmp\/wayfare-\w{6}\n$/);
});
