import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes the folder a project that has installed the SDK as it is published: its manifest and its built files, nothing else. */
export async function installSdk(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const installed = join(modules, '@wayfare/sdk');
  await mkdir(installed, { recursive: true });
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    '-p',
    join(root, 'sdk'),
    '--outDir',
    join(installed, 'dist'),
  ]);
  await cp(join(root, 'sdk/package.json'), join(installed, 'package.json'));
  await mkdir(join(modules, '@types'));
  for (const name of ['@types/node', 'undici-types'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}
