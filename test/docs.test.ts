import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pkg from '../package.json' with { type: 'json' };
import { actions } from '../src/actions/actions.ts';
import { backupCommands } from '../src/entry/cli/backup.ts';
import { clientCommands } from '../src/entry/cli/client-commands.ts';
import { type Command, wordsOf } from '../src/entry/cli/help.ts';
import { settingNames } from '../src/entry/console/system/settings-in-force.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/{,php/,python/}*.md', '.github/**/*.md'], { cwd: root }).map(
  (name) => ({
    name,
    text: readFileSync(join(root, name), 'utf8'),
  }),
);
const all = (pattern: RegExp) =>
  pages.flatMap(({ name, text }) => [...text.matchAll(pattern)].map(([, found = '']) => ({ name, found })));

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const headings = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading));

test('every link in the documentation leads somewhere', () => {
  for (const { name, found } of all(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(found)) continue;
    const [path = '', anchor] = found.split('#');
    const file = path === '' ? join(root, name) : resolve(root, dirname(name), path);
    assert.ok(existsSync(file), `${name}: ${found}`);
    if (anchor) assert.ok(headings(readFileSync(file, 'utf8')).includes(anchor), `${name}: ${found}`);
  }
});

test('every page is linked from another one', () => {
  const linked = new Set(
    all(/\]\(([^)\s#]+)/g).map(({ name, found }) => join(dirname(name), found).replace(/\/$/, '')),
  );
  const unlinked = pages
    .map(({ name }) => name)
    .filter((name) => name !== 'README.md' && !name.startsWith('.github/'))
    .filter((name) => !linked.has(name) && !linked.has(dirname(name)));
  assert.deepEqual(unlinked, []);
});

test('a key and the address of the API have one name each, in documents, examples and pages: WAYFARE_KEY and WAYFARE_URL', () => {
  const files = ['examples/**/*.{ts,mjs,sh,py,php,go}', 'src/entry/public/**/*.ts', 'web/src/**/*.{ts,tsx}'];
  const programs = globSync(files, { cwd: root }).map((name) => ({
    name,
    text: readFileSync(join(root, name), 'utf8'),
  }));
  const other =
    /\$\{?(KEY|API|API_KEY|API_URL|LIVE|URL)\b|(?:process\.env\.|[Gg]etenv\(['"]|environ(?:\[|\.get\()['"])(KEY|API|API_KEY)\b/;
  assert.deepEqual(
    [...pages, ...programs]
      .filter(({ text }) => other.test(text))
      .map(({ name, text }) => [name, other.exec(text)?.[0]]),
    [],
  );
});

test('getting started quotes every example word for word', () => {
  const page = pages.find(({ name }) => name === 'docs/getting-started.md')?.text ?? '';
  const quoted = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text]) => text);
  // The folders beside them hold functions to paste, not programs to run.
  const examples = globSync('*.*', { cwd: join(root, 'examples') });
  assert.ok(examples.length >= 2);
  for (const name of examples)
    assert.ok(
      quoted.includes(readFileSync(join(root, 'examples', name), 'utf8')),
      `examples/${name} is not in docs/getting-started.md`,
    );
});

test('the guide quotes the shop word for word', () => {
  const guide = pages.find(({ name }) => name === 'docs/guides/build-a-shop.md')?.text ?? '';
  const quoted = [...guide.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)];
  assert.equal(quoted.length, guide.match(/^```ts$/gm)?.length);
  for (const [, file = '', text = ''] of quoted)
    assert.ok(readFileSync(join(root, file), 'utf8').includes(text), `${file} does not have:\n${text}`);
});

suite('what installs a server is quoted', () => {
  for (const [page, script] of [
    ['docs/production.md', 'deploy/install.sh'],
    ['docs/cluster.md', 'deploy/ha/install.sh'],
  ] as const)
    test(`${page} has every part of ${script} under its heading, in the order in which it runs them`, () => {
      const text = readFileSync(join(root, script), 'utf8');
      const parts = [...text.matchAll(/^(\w+)\(\) \{\n(.*?)^\}$/gms)].filter(([, name]) => name !== 'fill');
      const quoted = [
        ...(pages.find(({ name }) => name === page)?.text ?? '').matchAll(/^### (\w+)\n\n```sh\n(.*?)^```$/gms),
      ];
      assert.deepEqual(
        quoted.map(([, heading = '', block]) => [heading.toLowerCase(), block]),
        parts.map(([, name, body = '']) => [name, body.replaceAll(/^ {2}/gm, '')]),
      );
      assert.ok(parts.length >= 5);
    });

  test('every file of ours that they install exists', () => {
    const scripts = ['deploy/install.sh', 'deploy/ha/install.sh'].map((name) => readFileSync(join(root, name), 'utf8'));
    for (const [, file = ''] of scripts.join('\n').matchAll(/(?<!\/)\b(deploy\/[\w./*-]+)/g))
      assert.ok(globSync(file, { cwd: root }).length > 0, file);
  });
});

test('every file the documentation names exists', () => {
  // `entry/api/gates/edge.ts` is short for `src/entry/api/gates/edge.ts`.
  const files = [
    ...all(/`((?:migrations|docs)\/[\w./-]+)`/g),
    ...all(/`([\w-]+\/[\w./-]+\.(?:ts|tsx|mjs|lua))`/g),
    ...all(/\b((?:test|examples)\/[\w./-]+\.(?:ts|mjs|sh))\b/g),
  ];
  assert.ok(files.length > 100);
  for (const { name, found } of files) {
    assert.ok(existsSync(join(root, found)) || existsSync(join(root, 'src', found)), `${name}: ${found}`);
  }
});

test('every npm script, bench and command the documentation names exists', () => {
  for (const { name, found } of all(/\bnpm run (?:-s )?([a-z]+)/g)) {
    assert.ok(found in pkg.scripts, `${name}: npm run ${found}`);
  }
  for (const { name, found } of all(/npm run bench ([a-z-]+)/g)) {
    assert.ok(existsSync(join(root, `proving/bench/${found}.ts`)), `${name}: bench ${found}`);
  }
  const known = [['start'], ['migrate'], ...[...actions, ...backupCommands, ...clientCommands].map(wordsOf)];
  for (const { name, found } of all(/(?:wayfare -- (?:\\\n\s*)?|[`$] ?(?:\w+=\S+ )?wayfare )([a-z][a-z -]*)/g)) {
    const words = found.split(' ');
    assert.ok(
      known.some((path) => path.every((word, i) => word === words[i])),
      `${name}: wayfare ${found}`,
    );
  }
});

test('docs/console.md names every command that asks for the password again, and every one the console does not have', () => {
  const text = pages.find(({ name }) => name === 'docs/console.md')?.text ?? '';
  const named = (heading: string): string[] => {
    const [, part = ''] = text.split(`## ${heading}\n`);
    const rows = part.split('\n## ')[0]?.match(/^\|.*$/gm) ?? [];
    return rows.flatMap((row) => [...row.matchAll(/`([a-z -]+)`/g)].map(([, words = '']) => words)).sort();
  };
  const wordsOf = (isMeant: (rule: Command['console']) => boolean): string[] =>
    [...actions, ...backupCommands, ...clientCommands]
      .filter((command) => isMeant(command.console))
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(
    named('What asks for the password again'),
    wordsOf((rule) => typeof rule === 'object' && 'fresh' in rule),
  );
  assert.deepEqual(
    named('Only on the command line'),
    wordsOf((rule) => typeof rule === 'object' && 'never' in rule),
  );
});

test('every setting is in docs/operating.md once, and no other', () => {
  const operating = pages.find(({ name }) => name === 'docs/operating.md')?.text ?? '';
  const table = operating.slice(0, operating.indexOf('## The data folder'));
  const described = [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[A-Z][A-Z0-9_]{3,}/g) ?? [],
  );
  // test/entry/console/settings.test.ts holds that these are the settings that are read.
  assert.deepEqual(described.sort(), [...settingNames.shown, ...settingNames.kept].sort());
});

test('the table of disk use names every log of live, and its lines add up', () => {
  const page = pages.find(({ name }) => name === 'docs/scaling.md')?.text ?? '';
  const [table = ''] = /^\| Table .*?(?=\n\n)/ms.exec(page) ?? [];
  const rows = [
    ...table.matchAll(/^\| (?:`([\w.]+)`|\*\*all\*\*) +\| +([\d,]+) +\| +([\d,]+) +\| +([\d,]+) +\|/gm),
  ].map(([, name = 'all', ...figures]) => ({
    name,
    figures: figures.map((figure) => Number(figure.replaceAll(',', ''))),
  }));
  const schema = readFileSync(join(root, 'schema.sql'), 'utf8');
  const logs = [...schema.matchAll(/^create table (live\.\w*_(?:log|calls|attempts|deliveries))\b/gm)].map(
    ([, one]) => one,
  );
  assert.ok(logs.length >= 4, logs.join());
  assert.deepEqual(
    logs.filter((log) => !rows.some(({ name }) => name === log)),
    [],
  );
  const sum = rows.find(({ name }) => name === 'all')?.figures ?? [];
  for (const [i, due] of sum.entries()) {
    const found = rows
      .filter(({ name }) => name !== 'all')
      .reduce((total, { figures }) => total + (figures[i] ?? 0), 0);
    assert.ok(due - found >= 0 && due - found <= 10, `${found} of ${due}`);
  }
});
