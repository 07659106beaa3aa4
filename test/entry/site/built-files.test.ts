import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const folder = resolve('web/dist/assets');

async function importsOf(file: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, name = '']) => name);
}

test('no built file imports itself by way of others: what is needed first would not be there yet', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  assert.ok(files.length > 20, 'the panel is built');
  const imports = new Map(await Promise.all(files.map(async (file) => [file, await importsOf(file)] as const)));
  assert.ok([...imports.values()].some((names) => names.length > 1));
  // What imports only files that are done is done; whatever is left then is part of a circle, or leads to one.
  const done = new Set<string>();
  for (let before = -1; done.size > before; ) {
    before = done.size;
    for (const [file, names] of imports) if (names.every((name) => done.has(name))) done.add(file);
  }
  assert.deepEqual(
    files.filter((file) => !done.has(file)),
    [],
  );
});
