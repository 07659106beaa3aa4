import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { piecesOf } from '../../../src/entry/public/highlight.ts';
import {
  answersOf,
  type Description,
  type Entry,
  entriesOf,
  fieldsOf,
  groupTitles,
} from '../../../src/entry/public/reference/description.ts';
import { glance } from '../../../src/entry/public/reference/words.ts';
import { outlineOf, pieceOf } from '../../../web/description.ts';

const whole = JSON.parse(await readFile('openapi.json', 'utf8')) as Description;

test('an endpoint reads the same in its piece of the description as in the whole', () => {
  for (const entry of entriesOf(whole)) {
    const piece = pieceOf(whole, entry.id) as Description;
    const { text, outcomes, facts } = glance(entry.operation.description);
    const [
      {
        operation: { responses: _, ...operation },
        ...own
      },
      ...others
    ] = entriesOf(piece) as [Entry, ...Entry[]];
    const { responses: __, ...told } = entry.operation;
    assert.deepEqual([{ ...own, operation }, others], [{ ...entry, operation: { ...told, description: text } }, []]);
    assert.deepEqual(piece.glance, { outcomes, facts }, 'a table says what the text leaves out');
    assert.deepEqual(fieldsOf(piece, entry), fieldsOf(whole, entry), entry.id);
    assert.deepEqual(answersOf(piece, entry), answersOf(whole, entry), entry.id);
    for (const [, ref = ''] of JSON.stringify(piece).matchAll(/"\$ref":"#\/([^"]+)"/g))
      assert.ok(
        ref.split('/').reduce((at: unknown, step) => (at as Record<string, unknown>)?.[step], piece),
        ref,
      );
  }
});

test('every group of endpoints and events has a title and a place', () => {
  const groups = new Set(entriesOf(whole).map(({ group }) => group));
  assert.deepEqual([...groups].sort(), Object.keys(groupTitles).sort());
});

test('the outline lists every endpoint and event, and has no room for the rest', () => {
  const listed = entriesOf(outlineOf(whole) as Description);
  assert.deepEqual(
    listed.map(({ id, verb, path, group }) => [id, verb, path, group]),
    entriesOf(whole).map(({ id, verb, path, group }) => [id, verb, path, group]),
  );
  assert.ok(JSON.stringify(outlineOf(whole)).length < JSON.stringify(whole).length / 10);
});

test('colouring code changes none of its text, and marks comments, strings, numbers and keywords', () => {
  const code = `# a comment\nconst key = 'it''s'; // "not a string"\nif (x > 42) curl "https://a.example/#part" \\\n  $WAYFARE_KEY \`a\${b}\`\n`;
  const pieces = piecesOf(code);
  assert.equal(pieces.map(({ text }) => text).join(''), code);
  const kindOf = (text: string) => pieces.find((piece) => piece.text === text)?.kind;
  assert.deepEqual(
    ['# a comment', 'const', "'it'", '// "not a string"', '42', '"https://a.example/#part"', '$WAYFARE_KEY'].map(
      kindOf,
    ),
    ['c', 'k', 's', 'c', 'n', 's', 'v'],
  );
});

test('outcomes, rate and permission are told apart from the text, and nothing of a description is lost', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
  type Operation = { readonly description: string };
  const operations = Object.values<Record<string, Operation>>(paths).flatMap((methods) => Object.values(methods));
  const wordsOf = (text: string) => text.toLowerCase().match(/[a-z_]{4,}|\d+/g) ?? [];
  assert.ok(operations.length > 40);
  for (const { description } of operations) {
    const { text, outcomes, facts } = glance(description);
    assert.doesNotMatch(text, /^(Rate tier|A restricted key needs|Errors it can simulate|\*\*2)/m);
    assert.ok(
      facts.some(([name]) => name === 'Rate'),
      description,
    );
    const kept = new Set(wordsOf([text, ...[...outcomes, ...facts].flat()].join(' ')));
    const form = ['restricted', 'needs', 'permission', 'errors', 'simulate', 'beyond', 'rate'];
    assert.deepEqual(
      wordsOf(description).filter((word) => !kept.has(word) && !form.includes(word)),
      [],
    );
  }
  const { outcomes } = glance(paths['/purchase/buy'].post.description);
  assert.deepEqual(
    outcomes.map(([answer]) => answer),
    ['200 `delivered`', '202 `deferred`', '200 `failed`'],
  );
});
