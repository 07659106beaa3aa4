import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';

const folder = new URL('../../../../src/entry/api/endpoints/', import.meta.url);

/** `{id}` cannot be in the name of a file: `/purchase/batch/{id}` is `purchase/batch-by-id.ts`. */
const fileOf = (path: string): string => `${path.slice(1).replaceAll(/\/\{(\w+)\}/g, '-by-$1')}.ts`;

test('every endpoint is exported by the file at its path, and by no other', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const exported = await Promise.all(
    files.map(async (file) => {
      const values: unknown[] = Object.values(await import(new URL(file, folder).href));
      return endpoints.filter((endpoint) => values.includes(endpoint)).map(({ path }) => `${path} in ${file}`);
    }),
  );
  assert.deepEqual(exported.flat().sort(), endpoints.map(({ path }) => `${path} in ${fileOf(path)}`).sort());
});
