import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the package is made from. */
export const SDK_FILES = ['src', 'package.json', 'tsconfig.json', 'tsconfig.cjs.json', 'README.md', 'LICENSE'];

/** Makes the folder a project that has installed the SDK as the documents say: from the tarball that `npm pack` makes. */
export async function installSdk(folder: string): Promise<void> {
  // Of a copy: several tests do it at the same time.
  const sdk = join(folder, 'sdk');
  for (const name of SDK_FILES) await cp(join(root, 'sdk', name), join(sdk, name), { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', './sdk'], { cwd: folder });
  const filename = stdout.trim().split('\n').at(-1);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@types'));
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
}

/** The system's own programs: the lock file's Node comes first in the path while tests run. */
export const withoutOurs = (path = ''): string =>
  path
    .split(':')
    .filter((one) => !one.includes('node_modules'))
    .join(':');

/** The Node 20 of this machine; undefined where there is none. */
export async function node20(): Promise<string | undefined> {
  const env = { PATH: withoutOurs(process.env.PATH) };
  const { stdout } = await run('node', ['-p', 'process.version + process.execPath'], { env }).catch(() => ({
    stdout: '',
  }));
  return /^v20\.\d+\.\d+(\S+)/.exec(stdout)?.[1];
}
