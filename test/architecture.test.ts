import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { folderOf, readSources } from './support/sources.ts';

const sources = readSources();
const matches = (path: string, list: readonly string[]) =>
  list.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));

/** Folders with a door: the file named like the folder. Everything else in them is private. */
const domains = [
  'applications',
  'books',
  'catalog',
  'esims',
  'events',
  'import-format',
  'insight',
  'keys',
  'mail',
  'money',
  'notes',
  'order-lists',
  'orders',
  'partners',
  'people',
  'pricing',
  'proof',
  'purchase',
  'refunds',
  'request-log',
  'retail',
  'revenue-share',
  'routes',
  'saved-views',
  'status',
  'stock',
  'supplier-log',
  'suppliers',
  'supply',
  'topups',
  'traveller-links',
  'traveller-texts',
  'usage',
  'webhooks',
];

test('a domain is entered by its door', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ of }) => domains.includes(folderOf(of)) && folderOf(of) !== folderOf(path))
      .filter(({ of }) => of !== `${folderOf(of)}/${folderOf(of)}.ts`)
      .map(({ of }) => `${path} imports ${of}`),
  );
  assert.deepEqual(wrong, []);
});

/** The most names a door may offer, values and types together. */
const DOOR = 30;

test(`a door is small: at most ${DOOR} names, each of them used outside, and never a whole folder`, () => {
  for (const domain of domains) {
    const door = `${domain}/${domain}.ts`;
    const text = sources.find(({ path }) => path === door)?.text ?? '';
    const handedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      names
        .split(',')
        .map((name) => name.trim().replace('type ', ''))
        .filter((name) => name !== ''),
    );
    const own = [
      ...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm),
    ].map(([, name = '']) => name);
    const names = [...handedOn, ...own];
    assert.ok(names.length <= DOOR, `${door} offers ${names.length} names`);
    assert.doesNotMatch(text, /^export \*/m, door);
    const users = sources.filter(
      ({ path, imports }) => folderOf(path) !== domain && imports.some(({ of }) => of === door),
    );
    const idle = names.filter((name) => !users.some((user) => new RegExp(`\\b${name}\\b`).test(user.text)));
    assert.deepEqual(idle, [], `${door} offers names that are unused`);
  }
});

test('above the worlds nobody takes the database of a world: its domains answer', () => {
  const above = sources.filter(
    ({ path }) => !matches(path, [...domains.map((one) => `${one}/`), 'worlds/', 'base.ts']),
  );
  const world = String.raw`(?:\bworld|\blive|\bsandbox|\bworlds\.\w+|\bworlds\[[^\]]*\])`;
  const taken = [
    `(?<!pools\\.)${world}\\.db\\b`,
    `\\{[^{}]*\\bdb\\b[^{}]*\\} = [\\w.]*${world}`,
    String.raw`\bdb\b[^{}]*\}: (?:Pick<)?World\b`,
  ];
  assert.deepEqual(
    above.filter(({ text }) => taken.some((one) => new RegExp(one).test(text))).map(({ path }) => path),
    [],
  );
});

test('from outside the folder nothing is imported but the SDK: by its entry file, to buy from a server like ours, and its commands, which are offered here, too', () => {
  const outside = sources.flatMap(({ path, imports }) =>
    imports.filter(({ of }) => of.startsWith('..') && of !== '../package.json').map(({ of }) => ({ path, of })),
  );
  const users: Readonly<Record<string, readonly string[]>> = {
    '../sdk/src/wayfare.ts': ['suppliers/partner-v3/', 'domains/supply/accounts/notices.ts'],
    '../sdk/src/commands/commands.ts': ['entry/cli/client-commands.ts'],
  };
  assert.deepEqual(
    outside.filter(({ path, of }) => !matches(path, users[of] ?? [])),
    [],
  );
});

test('the SDK imports nothing of the server, and only its commands import anything of Node', () => {
  const imported = readSources('sdk/src').flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, from = '']) => ({ path, from })),
  );
  assert.ok(imported.length > 30);
  assert.deepEqual(
    imported.filter(({ path, from }) =>
      from.startsWith('.')
        ? /^\.\.\/\.\./.test(from) || (from.startsWith('..') && !path.startsWith('commands/'))
        : !(path.startsWith('commands/') && from.startsWith('node:')),
    ),
    [],
  );
  // Those who import the client must not load Node's modules with it.
  assert.deepEqual(
    imported.filter(({ path, from }) => from.includes('commands/') && !path.startsWith('commands/')),
    [],
  );
});

// Type imports count like any other: what a file names is what its reader has to know.
suite('imports point one way', () => {
  const order: readonly (readonly string[])[] = [
    ['clock.ts', 'amounts/'],
    ['contract/'],
    [
      'config.ts',
      'log.ts',
      'metrics.ts',
      'limits/',
      'settings/',
      'http/',
      'platform/vault/secrets.ts',
      'platform/measure/quick-histogram.ts',
    ],
    ['db/', 'jobs/', 'audit/'],
    [
      'money/',
      'vault/',
      'platform/measure/database-figures.ts',
      'platform/measure/database-settings.ts',
      'platform/measure/database-size.ts',
    ],
    domains.map((domain) => `${domain}/`),
    ['worlds/'],
    ['base.ts'],
    ['actions/', 'api/', 'start/'],
    ['edge/'],
    ['measure/', 'site/', 'traveller/'],
    ['work.ts'],
    ['cli/'],
    ['panel/', 'console/', 'mcp/', 'public/'],
    ['app.ts'],
    ['program.ts'],
    ['main.ts'],
  ];
  const rankOf = (path: string) => order.findIndex((names) => matches(path, names));

  test('every file has its place in the order', () => {
    assert.deepEqual(
      sources.map(({ path }) => path).filter((path) => rankOf(path) < 0),
      [],
    );
  });

  test('main → program → app → panel, console, mcp, public → cli → work → site, traveller → edge → api, actions → base → worlds → domains → money → db → contract', () => {
    const climbing = sources.flatMap(({ path, imports }) =>
      imports.filter(({ of }) => rankOf(of) > rankOf(path)).map(({ of }) => `${path} imports ${of}`),
    );
    assert.deepEqual(climbing, []);
  });

  test('panel, console, mcp and public do not import from each other: what two of them need is in a room below', () => {
    const rooms = ['panel', 'console', 'mcp', 'public'];
    const across = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ of }) => rooms.includes(folderOf(path)) && rooms.includes(folderOf(of)))
        .filter(({ of }) => folderOf(of) !== folderOf(path))
        .map(({ of }) => `${path} imports ${of}`),
    );
    assert.deepEqual(across, []);
  });

  test('no circle of files', () => {
    assert.deepEqual(circleIn(new Map(sources.map(({ path, imports }) => [path, imports.map(({ of }) => of)]))), []);
  });

  test('no circle of folders', () => {
    const folders = new Map<string, string[]>();
    for (const { path, imports } of sources) {
      const from = folderOf(path);
      const to = imports.map(({ of }) => folderOf(of)).filter((folder) => folder !== from && folder !== '');
      if (from !== '') folders.set(from, [...(folders.get(from) ?? []), ...to]);
    }
    assert.deepEqual(circleIn(folders), []);
  });

  test("the contract's vocabulary imports nothing of ours but the clock", () => {
    const words = sources.filter(({ path }) => path.startsWith('contract/'));
    assert.ok(words.length >= 5);
    assert.deepEqual(
      words.flatMap(({ imports }) => imports.map(({ of }) => of)).filter((of) => !/^(contract\/|clock\.ts$)/.test(of)),
      [],
    );
  });

  test('a domain answers with outcomes: error codes are named in the API and above', () => {
    const named = sources.filter(
      ({ path, imports }) =>
        [...domains, 'worlds', 'db', 'jobs'].includes(folderOf(path)) &&
        imports.some(({ of }) =>
          ['platform/contract/errors.ts', 'platform/contract/failure.ts', 'platform/contract/fields.ts'].includes(of),
        ),
    );
    assert.deepEqual(
      named.map(({ path }) => path),
      [],
    );
  });

  test('a domain hands over values: the fields of events, refunds and usage are named in the contract', () => {
    const wire = /^\s+(sale_id|occurred_at|event_id|qr_code|percent_remaining|requested_at):/m;
    const naming = sources.filter(
      ({ path, text }) => [...domains, 'worlds'].includes(folderOf(path)) && wire.test(text),
    );
    assert.deepEqual(
      naming.map(({ path }) => path),
      [],
    );
  });

  test('pure rules import nothing that reads or waits', () => {
    const pure =
      /(formula|rules|schedule|variants|selection|channel|transitions|outcome|next-move|share-tier|signature)\.ts$/;
    const rules = sources.filter(({ path }) => pure.test(path) && !path.startsWith('cli/'));
    assert.ok(rules.length >= 8);
    for (const { path, text, imports } of rules) {
      assert.doesNotMatch(text, /\bawait\b/, path);
      assert.deepEqual(
        imports.filter(({ of, typeOnly }) => !typeOnly && of.startsWith('db/')),
        [],
        path,
      );
    }
  });
});

/** The first circle found, from its first member to the same one again; empty when there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): string[] => {
    const at = trail.indexOf(node);
    if (at >= 0) return [...trail.slice(at), node];
    if (done.has(node)) return [];
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test('the sandbox is named where worlds are told apart, and in no domain', () => {
  const named = [
    'worlds/',
    'edge/',
    'keys/',
    'partners/',
    'people/',
    'cli/',
    'actions/',
    'panel/',
    'entry/site/json/action.ts',
    'entry/site/json/filters.ts',
    'entry/site/pages/guides.ts',
    'console/',
    // Kinds of changes, by name.
    'platform/audit/sentences.ts',
    'mcp/',
    'public/',
    'config.ts',
    // Wiring, and what is shown or seeded at the start.
    'base.ts',
    'app.ts',
    'platform/measure/database-figures.ts',
    'start/',
    // Both schemas, by name.
    'platform/db/migrate/migrations.ts',
    'platform/db/migrate/rights.ts',
    'platform/db/migrate/schema-dump.ts',
    'domains/money/ledger/wallet-terms.ts',
    'platform/vault/secret-rotation.ts',
    // The contract itself uses the word in codes, fields and its description.
    'contract/',
    'entry/api/endpoints.ts',
    'entry/api/endpoint.ts',
    'entry/api/endpoints/purchase/batch.ts',
    'entry/api/endpoints/purchase/refill.ts',
    'entry/api/endpoints/purchase/sale.ts',
    'entry/api/endpoints/purchase/sale-reply.ts',
    'entry/api/endpoints/purchase/script.ts',
    'entry/api/endpoints/account/paging.ts',
    'entry/api/endpoints/account/statement.ts',
    'entry/api/endpoints/account/sandboxBalance.ts',
    'entry/api/endpoints/account/sandboxReset.ts',
    'entry/api/endpoints/account/topupConfirm.ts',
    'entry/api/endpoints/sandbox/clock.ts',
    'entry/api/endpoints/webhook/test.ts',
  ];
  const wrong = sources.filter(({ path, text }) => /sandbox/i.test(text) && !matches(path, named));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('below the edge nobody asks which world it is in', () => {
  const asking = sources.filter(
    ({ path, text }) =>
      !path.startsWith('edge/') && /\blivemode\b[^:;\n]*(\?[^.:]|&&|\|\|)|if \([^\n]*livemode/.test(text),
  );
  assert.deepEqual(
    asking.map(({ path }) => path),
    [],
  );
});

test('the time is an argument: only these read a clock themselves', () => {
  const readers = {
    'platform/limits/budget.ts': 'how long a request has taken',
    'clock.ts': 'the clock',
    'platform/db/embedded/embedded.ts': 'how long a process of its own takes to start and stop',
    'platform/db/replicas.ts': 'how long a read has waited for a replica',
    'platform/db/query/walk.ts': 'how long it has looked for a page',
    'domains/catalog/prices/stale-quote.ts': 'how long ago a price was quoted',
    'platform/http/call.ts': 'how long an answer took',
    'platform/http/draining.ts': 'how long the event loop has been quiet',
    'domains/sales/purchase/purchase.ts': 'how long a request has waited for its twin',
    'platform/limits/slices.ts': 'how long a slice has taken',
    'entry/traveller/script.ts': 'in the browser: how old the figures are, and when to ask again',
    'domains/supply/adapters/deadline.ts': 'how much of its limit an answer has left',
    'domains/messages/webhooks/send/send.ts': 'how long an answer took',
  };
  const found = sources.filter(({ text }) => /Date\.now\(\)|new Date\(\)|performance\.now\(\)|hrtime/.test(text));
  assert.deepEqual(
    found.map(({ path }) => path).filter((path) => !(path in readers)),
    [],
  );
});

test('settings are read in one place', () => {
  // Who runs a command and where a cache may be are facts of the machine, not settings of the product.
  const allowed = ['config.ts', 'program.ts', 'platform/db/embedded/embedded-place.ts'];
  // Programs that readers copy are text.
  const samples = ['entry/public/reference/samples.ts', 'entry/public/tools-page.ts'];
  const found = sources.filter(
    ({ path, text }) => text.includes('process.env') && ![...allowed, ...samples].includes(path),
  );
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  );
});

test('no utils, helpers, common or index: a file is named for its job', () => {
  const vague = sources.filter(({ path }) => /(^|\/)(utils?|helpers?|common|misc|index|types)(\/|\.ts$)/.test(path));
  assert.deepEqual(
    vague.map(({ path }) => path),
    [],
  );
});
