import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import manifest from '../../../sdk/package.json' with { type: 'json' };
import { debianBinary } from '../debian/debian.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../sdk/', import.meta.url));

export interface Sdk {
  readonly name: 'TypeScript' | 'Python' | 'PHP';
  readonly userAgent: string;
  /** How to start `run.ts`, `run.py` or `run.php` of a folder, with the SDK in place. */
  readonly program: (folder: string) => Promise<{
    readonly path: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }>;
}

export const sdks: readonly Sdk[] = [
  {
    name: 'TypeScript',
    userAgent: `wayfare-sdk/${manifest.version}`,
    program: async (where) => ({ path: process.execPath, args: [`${where}run.ts`], env: {} }),
  },
  {
    name: 'Python',
    userAgent: `wayfare-sdk-python/${manifest.version}`,
    program: async (where) => ({
      path: 'python3',
      args: ['-W', 'error', `${where}run.py`],
      env: { PYTHONPATH: `${folder}python/src`, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
    }),
  },
  {
    name: 'PHP',
    userAgent: `wayfare-sdk-php/${manifest.version}`,
    async program(where) {
      const { path, env } = await debianBinary('php');
      return {
        path,
        args: ['-d', 'zend.assertions=1', `${where}run.php`],
        env: { ...env, WAYFARE_SDK: `${folder}php` },
      };
    },
  },
];

/** For a test that needs it: why it is skipped on a machine without the language. */
export async function noSdkFor(name: Sdk['name']): Promise<string | false> {
  if (name === 'Python') {
    const version = 'import sys; sys.exit(sys.version_info < (3, 9))';
    return run('python3', ['-c', version]).then(
      () => false,
      () => 'there is no Python 3.9 or later here',
    );
  }
  if (name === 'PHP') {
    const check = 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") && extension_loaded("json") ? 0 : 1);';
    return debianBinary('php')
      .then(({ path, env }) => run(path, ['-r', check], { env: { ...process.env, ...env } }))
      .then(
        () => false,
        () => 'there is no PHP 8.1 or later with ext-curl here',
      );
  }
  return false;
}
