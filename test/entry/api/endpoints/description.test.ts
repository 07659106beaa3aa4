import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openapiAt } from '../../../../src/entry/api/gates/description.ts';
import { testFolder } from '../../../support/database/folder.ts';
import { outside, outsideFile, outsideMissing } from '../../../support/debian/outside.ts';

/** As an installation serves it. */
const served = openapiAt({
  servers: [
    { environment: 'sandbox', url: 'https://sandbox.wayfare.test/v3' },
    { environment: 'live', url: 'https://api.wayfare.test/v3' },
    { environment: 'legacy', url: 'https://legacy.wayfare.test' },
  ],
  website: 'https://www.wayfare.test/',
  siteName: 'Wayfare',
});

const missing = await outsideMissing();

suite('tools from outside read the description', { skip: missing ?? false }, () => {
  test('Redocly has nothing to say, error or warning', async () => {
    const { lintFromString, createConfig } = outside('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: served, absoluteRef: 'openapi.json', config });
    assert.deepEqual(problems.map(redoclyLine), []);
  });

  test('Spectral has nothing to say, error or warning', async () => {
    const { Spectral } = outside('@stoplight/spectral-core');
    const { oas } = outside('@stoplight/spectral-rulesets');
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas] });
    const problems: { code: string; path: string[]; message: string }[] = await spectral.run(JSON.parse(served));
    assert.deepEqual(
      problems.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`),
      [],
    );
  });

  test('openapi-typescript makes types of it that compile under nodenext and tell errors apart', async () => {
    await using folder = await testFolder(0o755);
    const { default: openapiTS, astToString } = await import(
      pathToFileURL(outsideFile('openapi-typescript/dist/index.mjs')).href
    );
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder.path, 'api.ts'), astToString(await openapiTS(served)));
    await writeFile(join(folder.path, 'use.ts'), USE);
    const compiler = outsideFile('typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false'];
    await promisify(execFile)(process.execPath, [compiler, ...options, 'use.ts'], { cwd: folder.path });
  });
});

const redoclyLine = (problem: { ruleId: string; message: string; location: { pointer?: string }[] }) =>
  `${problem.ruleId} at ${problem.location[0]?.pointer}: ${problem.message}`;

/** What a client wants to write. */
const USE = `
import type { components, operations, webhooks } from './api.js';
type Schemas = components['schemas'];
export const product = (row: Schemas['Product']): string => row.id + row.partner_price.toFixed(2);
export function refused(error: operations['purchase_buy']['responses'][402]['content']['application/json']): number {
  return error.error === 'insufficient_balance' ? error.required - error.balance : error.outstanding;
}
export function told(status: Schemas['Order']['status']): string {
  switch (status) {
    case '1': return 'delivered';
    case '2': return 'failed';
    case '3': return 'created';
    case '4': return 'paid';
  }
}
export const usage = (event: Schemas['EsimDepletedEvent']): number => event.usage.used_mb;
export type Delivered = webhooks['order.delivered']['post']['requestBody']['content']['application/json'];
export const code = (event: Delivered): 'order.delivered' => event.event;
`;
