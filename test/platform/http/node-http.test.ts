import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const APP = new URL('../../../src/app.ts', import.meta.url).href;

/** Names of Node's own modules that a program has loaded. */
async function loadedBy(program: string): Promise<string> {
  const text = `${program}; console.log(process.moduleLoadList.join(' '))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text]);
  return stdout;
}

test('a server does not load what is behind fetch, which an import of node:http does', async () => {
  assert.match(await loadedBy(`await import('node:http')`), /deps\/undici/);
  assert.doesNotMatch(await loadedBy(`await import(${JSON.stringify(APP)})`), /deps\/undici/);
});
