import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));

const NAMES = [
  'generate.ts',
  'generate',
  'src',
  'package.json',
  'tsconfig.json',
  'tsconfig.cjs.json',
  'tsconfig.commands.json',
  'README.md',
  'LICENSE',
];

/**
 * What the package is made from, in a folder `sdk` of its own with the description beside it: several tests pack it at the same time.
 */
export async function copySdk(folder: string): Promise<void> {
  for (const name of NAMES) await cp(join(root, 'sdk', name), join(folder, name), { recursive: true });
  for (const name of ['openapi.json', 'openapi/recorded.json']) await cp(join(root, name), join(folder, '..', name));
  await linkTypes(folder);
}

/** The types of Node, which a project installs itself. */
async function linkTypes(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
}

/** Makes the folder a project that has installed the SDK as the documents say: from the tarball that `npm pack` makes. */
export async function installSdk(folder: string): Promise<void> {
  await copySdk(join(folder, 'sdk'));
  const { stdout } = await run('npm', ['pack', '--silent', './sdk'], { cwd: folder });
  const filename = stdout.trim().split('\n').at(-1);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
  await linkTypes(folder);
}

/** The packages for PHP and Python, as `npm run sdk` makes them, in this folder. */
export async function packSdks(folder: string): Promise<{ php: string; wheel: string; source: string }> {
  const { stdout } = await run(process.execPath, [join(root, 'sdk/pack.ts'), folder]);
  const [php = '', wheel = '', source = ''] = stdout.split('\n').map((name) => join(folder, name));
  return { php, wheel, source };
}

export function unpackZip(zip: string, into: string): void {
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), bytes);
  }
}

/** The system's own programs: the lock file's Node comes first in the path while tests run. */
const withoutOurs = (path = ''): string =>
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
