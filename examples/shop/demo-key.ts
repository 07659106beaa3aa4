import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Wayfare, WayfareError } from './sdk.ts';
import { SettingsError } from './settings.ts';

const tree = fileURLToPath(new URL('../..', import.meta.url));
const NAME = 'key';
const TOO_MANY_KEYS = `The demo partner already has as many sandbox keys as an account may have, so none could be made for the shop.
Start it with one of them:

  WAYFARE_KEY=esk_test_… npm run shop

If you no longer have them, revoke one, and start the shop again:

  npm run -s wayfare -- key list --partner 1
  npm run -s wayfare -- key revoke KEY_ID`;

/**
 * Saves a newcomer from copying a key: the shop runs in the tree of the server, so it can ask the operator's command line for a
 * sandbox key of the demo partner. It is kept in a file, because it is shown only once. A shop of your own has WAYFARE_KEY.
 */
export async function demoKey(folder: string, baseUrl: string | undefined): Promise<string> {
  const file = join(folder, NAME);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept !== '' && (await isKnown(kept, baseUrl))) return kept;
  const words = ['key', 'create', '--partner', '1', '--mode', 'sandbox', '--name', 'Example shop', '--json'];
  const may = ['--permissions', 'read,buy,money,webhooks'];
  const made = promisify(execFile)(process.execPath, ['src/main.ts', ...words, ...may], { cwd: tree });
  const { stdout } = await made.catch(({ stdout: said, stderr }: { stdout: string; stderr: string }) => {
    if (said.includes('"key_limit_reached"')) throw new SettingsError(TOO_MANY_KEYS);
    throw new SettingsError(
      `Set WAYFARE_KEY to a sandbox key. No key could be made for the demo partner: ${said}${stderr}`.trim(),
    );
  });
  const { key } = JSON.parse(stdout) as { key: string };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

/** Not after the server was started anew with another database. */
const isKnown = (key: string, baseUrl: string | undefined): Promise<boolean> =>
  new Wayfare({ key, baseUrl }).account.balance().then(
    () => true,
    (error) => !(error instanceof WayfareError && error.code === 'invalid_api_key'),
  );
