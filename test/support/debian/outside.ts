import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Tools from outside that judge the API's description. They weigh 200 MB, so they are no dependencies of the project: they have a
 * lock file of their own in test/outside, and the first test that needs them installs them there.
 */
const folder = fileURLToPath(new URL('../../outside/', import.meta.url));

let installed: Promise<string | undefined> | undefined;

/** Undefined once they are there; otherwise why they are not. */
export function outsideMissing(): Promise<string | undefined> {
  installed ??= installIn(folder);
  return installed;
}

/** Installs what the lock file of a folder says, unless that has been done. Undefined once it is there; otherwise why it is not. */
export async function installIn(folder: string): Promise<string | undefined> {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return undefined;
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: folder, timeout: 240_000 });
    return undefined;
  } catch (error) {
    return `the tools in ${folder} could not be installed: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** Loads one of them. */
export const outside = (name: string) => createRequire(`${folder}package.json`)(name);
export const outsideFile = (path: string): string => `${folder}node_modules/${path}`;
