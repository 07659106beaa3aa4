import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, readSources } from './support/sources.ts';

const sources = readSources('web/src');
const importsOf = new Map(sources.map(({ path, imports }) => [path, imports.map(({ of }) => of)]));

/** The rooms of web/src, and those each of them may import from. The two applications know nothing of each other. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  parts: ['parts'],
  subjects: ['parts', 'subjects'],
  panel: ['parts', 'subjects', 'panel'],
  console: ['parts', 'subjects', 'console'],
  /** What the server's own pages load, without what the applications are made of. */
  public: ['public'],
};

test('every file of the pages is in a room, and imports only from below it', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ of }) => !of.startsWith('..') && !rooms[folderOf(path)]?.includes(folderOf(of)))
      .map(({ of }) => `${path} imports ${of}`),
  );
  assert.deepEqual(
    sources.map(({ path }) => path).filter((path) => !(folderOf(path) in rooms)),
    [],
  );
  assert.deepEqual(wrong, []);
});

test('only our guides, and the preview the server makes, are shown as markup: everything else is text', () => {
  const markup = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcDoc/;
  assert.deepEqual(
    sources.filter(({ text }) => markup.test(text)).map(({ path }) => path),
    ['panel/pages/brand/Preview.tsx', 'panel/pages/reference/GuidePage.tsx'],
  );
});

test('there is one form, and one way for a page to change something', () => {
  const naming = (words: RegExp) => sources.filter(({ text }) => words.test(text)).map(({ path }) => path);
  assert.deepEqual(naming(/<form\b/), ['parts/Form.tsx']);
  assert.deepEqual(naming(/\buseMutation\(/), ['parts/server/useChange.ts']);
  // The panel's reference only reads with it. The public one has a button that cannot be pressed while a call is made.
  assert.deepEqual(naming(/\bfetch\(/).sort(), [
    'panel/pages/reference/TryIt.tsx',
    'parts/server/client.ts',
    'public/tryIt.ts',
  ]);
});

test('a subject is what both applications use; what only one of them needs is its own', () => {
  const reached = (start: string) => {
    const seen = new Set([start]);
    for (const path of seen) for (const of of importsOf.get(path) ?? []) seen.add(of);
    return seen;
  };
  const [panel, console] = [reached('panel/main.tsx'), reached('console/main.tsx')];
  const shared = sources.map(({ path }) => path).filter((path) => folderOf(path) === 'subjects');
  assert.ok(shared.length > 20);
  assert.deepEqual(
    shared.filter((path) => !panel.has(path) || !console.has(path)),
    [],
  );
});
