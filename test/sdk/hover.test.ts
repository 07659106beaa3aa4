import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { outside, outsideMissing } from '../support/debian/outside.ts';

const sdk = fileURLToPath(new URL('../../sdk/', import.meta.url));

/** Fields that a program sends and reads. */
const program = `import { Wayfare } from './wayfare.ts';
declare const wayfare: Wayfare;
const { purchase } = wayfare;
void purchase.buy({ product_id: '', reference: '', idempotency_key: '' }).then((bought) => bought.order_id);
void wayfare.catalog.products({ country: '', all_variants: true }).then((found) => found.country);
void wayfare.order.detail(1).then((detail) => [detail.order, detail.esim, detail.refund, detail.operator_meta]);
void wayfare.order.get({ status: 'delivered', before_id: 1 }).then((page) => page.has_more);
void wayfare.webhook.delivery(1).then((one) => one.delivery);
void wayfare.order.usage('').withResponse().then(({ data, rateLimit }) => [data.usage, rateLimit]);`;
const fields = [
  ...['product_id', 'reference', 'idempotency_key', 'order_id', 'country', 'all_variants', 'order', 'esim', 'refund'],
  ...['operator_meta', 'status', 'before_id', 'has_more', 'delivery', 'usage', 'purchase', 'buy', 'withResponse'],
];

test('an editor shows what a field means, in calls and in answers', async (t) => {
  const missing = await outsideMissing();
  if (missing) return t.skip(missing);
  // The compiler of the project has no such service for programs.
  const ts = outside('typescript');
  const file = `${sdk}src/hovered.ts`;
  const read = (name: string) => (name === file ? program : ts.sys.readFile(name));
  const { config } = ts.readConfigFile(`${sdk}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, sdk);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name: string) => ts.ScriptSnapshot.fromString(read(name) ?? ''),
    getCurrentDirectory: () => sdk,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name: string) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const silent = fields.filter((field) => {
    const places = [...program.matchAll(new RegExp(`(?<=[.{ ])${field}\\b`, 'g'))];
    assert.ok(places.length > 0, field);
    return !places.every(({ index }) =>
      ts.displayPartsToString(service.getQuickInfoAtPosition(file, index)?.documentation),
    );
  });
  assert.deepEqual(silent, []);
});
