import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
}

/** The project's own, and those of tools which are installed when they are first needed. */
const files = ['', 'test/lint/', 'test/outside/', 'test/generators/'].map((folder) => `${folder}package-lock.json`);
const packages = (
  await Promise.all(
    files.map(async (file) => {
      const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, Locked> };
      return Object.entries(lock.packages).filter(([path]) => path !== '');
    }),
  )
).flat();

// Without a hash npm installs whatever the registry sends. A platform the program does not run on is left out of the lock
// file altogether, in its own entry and in the `optionalDependencies` of the package that names it.
test('every package in the lock file is pinned by a hash', () => {
  assert.ok(packages.length > 50);
  assert.deepEqual(
    packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    [],
  );
});

test('the lock file names no registry: it installs from whichever one npm is set to', () => {
  assert.deepEqual(
    packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
