import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testFolder } from '../../support/database/folder.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = `import { word } from './word.ts';

export async function main(words: readonly string[]): Promise<number> {
  console.log(word, import.meta.filename.includes('/dist/') ? 'built' : 'sources', import.meta.url);
  if (words.length > 0) throw new Error('on line 5');
  return 3;
}
`;

/** A small program with our build and our `main.ts`, built. */
async function builtCheckout(folder: string): Promise<void> {
  await mkdir(join(folder, 'src/platform/start'), { recursive: true });
  for (const name of [
    'build',
    'package.json',
    'src/main.ts',
    'src/platform/start/built-program.ts',
    'src/platform/start/built-program.ts',
  ])
    await cp(join(CHECKOUT, name), join(folder, name), { recursive: true });
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'src/program.ts'), PROGRAM);
  await writeFile(join(folder, 'src/word.ts'), "export const word: string = 'one';\n");
  await run(folder, 'build/program.ts');
}

async function run(folder: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const ended = promisify(execFile)(process.execPath, words, { cwd: folder });
  return ended.then(
    (out) => ({ code: 0, ...out }),
    (failed) => failed,
  );
}

test('the build is used only while it matches the sources, and resolves paths as the sources do', async () => {
  await using temporary = await testFolder(0o700);
  const [made, folder] = [join(temporary.path, 'made'), join(temporary.path, 'moved')];
  await builtCheckout(made);
  await rename(made, folder);
  const said = async () => {
    const { code, stdout } = await run(folder, 'src/main.ts');
    assert.equal(code, 3);
    return stdout.replace(`file://${folder}`, '').trim();
  };
  assert.equal(await said(), 'one built /src/program.ts');

  // As long as before, and as old.
  const file = join(folder, 'src/word.ts');
  const { atime, mtime } = await stat(file);
  await writeFile(file, "export const word: string = 'two';\n");
  await utimes(file, atime, mtime);
  assert.equal(await said(), 'two sources /src/program.ts');
  await writeFile(file, "export const word: string = 'one';\n");
  assert.equal(await said(), 'one built /src/program.ts');
  await writeFile(file, "export const word: string = 'one';\n// More.\n");
  assert.equal(await said(), 'one sources /src/program.ts');

  await run(folder, 'build/program.ts');
  assert.equal(await said(), 'one built /src/program.ts');
  await rm(join(folder, 'dist/made-from.json'));
  assert.equal(await said(), 'one sources /src/program.ts');
});

test('a stack trace from the build names the sources and their lines', async () => {
  await using temporary = await testFolder(0o700);
  await builtCheckout(temporary.path);
  const { stdout, stderr } = await run(temporary.path, 'src/main.ts', 'fail');
  assert.match(stdout, /^one built /);
  assert.match(stderr, /^Error: on line 5\n {4}at (Module\.)?main \(file:.*\/src\/program\.ts:5:\d+\)$/m);
});
