import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { answersOf, type Description, entriesOf, fieldsOf } from '../../../src/entry/public/reference/description.ts';
import { outlineOf, pieceOf } from '../../../web/description.ts';

const whole = JSON.parse(await readFile('openapi.json', 'utf8')) as Description;

test('an endpoint reads the same in its piece of the description as in the whole', () => {
  for (const entry of entriesOf(whole)) {
    const piece = pieceOf(whole, entry.id) as Description;
    assert.deepEqual(entriesOf(piece), [entry]);
    assert.deepEqual(fieldsOf(piece, entry), fieldsOf(whole, entry), entry.id);
    assert.deepEqual(answersOf(piece, entry), answersOf(whole, entry), entry.id);
    for (const [, ref = ''] of JSON.stringify(piece).matchAll(/"\$ref":"#\/([^"]+)"/g))
      assert.ok(
        ref.split('/').reduce((at: unknown, step) => (at as Record<string, unknown>)?.[step], piece),
        ref,
      );
  }
});

test('the outline lists every endpoint and event, and has no room for the rest', () => {
  const listed = entriesOf(outlineOf(whole) as Description);
  assert.deepEqual(
    listed.map(({ id, verb, path, group }) => [id, verb, path, group]),
    entriesOf(whole).map(({ id, verb, path, group }) => [id, verb, path, group]),
  );
  assert.ok(JSON.stringify(outlineOf(whole)).length < JSON.stringify(whole).length / 10);
});
