import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { districts, doorOf, readSources, roomOf, rooms } from './support/sources.ts';

const sources = readSources();
const matches = (path: string, list: readonly string[]) =>
  list.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));

/** The floors from the bottom, and what belongs on each. A file imports from its own floor and from those below. */
const floors = {
  platform: 'what any service needs; it knows nothing of eSIMs, partners or orders',
  domains: 'the business, without HTTP and error codes',
  worlds: 'live and sandbox, put together from the domains',
  actions: 'what operators and members can do, each change with its audit entry',
  entry: 'requests, pages and commands; no rule of the business',
} as const;
const names = Object.keys(floors);
const floorOf = (path: string): string => path.split('/')[0] ?? '';
/** The files at the top fit all floors together. */
const heightOf = (path: string): number => (path.includes('/') ? names.indexOf(floorOf(path)) : names.length);

// Type imports count like any other: what a file names is what its reader has to know.
suite('imports point down the floors', () => {
  test('every file is on a floor, in one of its rooms', () => {
    const top = ['main.ts', 'program.ts', 'app.ts', 'work.ts'];
    const lost = sources
      .map(({ path }) => path)
      .filter(
        (path) =>
          !top.includes(path) && (heightOf(path) < 0 || (floorOf(path) === 'domains' && !rooms.includes(roomOf(path)))),
      );
    assert.deepEqual(
      lost,
      [],
      `it belongs in ${names.join('/, ')}/ or, in domains/, in a district of test/support/sources.ts`,
    );
  });

  test('entry → actions → worlds → domains → platform', () => {
    const climbing = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ of }) => !of.startsWith('..') && heightOf(of) > heightOf(path))
        .map(
          ({ of }) =>
            `${path} imports ${of}, but ${floorOf(path)}/ is for ${floors[floorOf(path) as keyof typeof floors]}: move what both need down, or state what is needed as an interface`,
        ),
    );
    assert.deepEqual(climbing, []);
  });

  test('between districts they point one way: billing, travellers, insight → sales → supply → catalog → messages → partners → money', () => {
    const order = Object.keys(districts);
    const side = ['billing', 'travellers', 'insight'];
    const rankOf = (district: string) => (side.includes(district) ? order.indexOf('billing') : order.indexOf(district));
    const districtOf = (path: string) => (floorOf(path) === 'domains' ? path.split('/')[1] : undefined);
    const wrong = sources.flatMap(({ path, imports }) => {
      const from = districtOf(path);
      return imports.flatMap(({ of }) => {
        const to = districtOf(of);
        if (from === undefined || to === undefined || from === to || rankOf(to) < rankOf(from)) return [];
        return `${path} imports ${of}: ${from} comes before ${to}, so it states what it needs as an interface, which worlds/ fits`;
      });
    });
    assert.deepEqual(wrong, []);
  });

  test('ways in do not import from each other: what two of them need is in site/, api/ or below', () => {
    const ways = ['entry/panel', 'entry/console', 'entry/mcp', 'entry/public', 'entry/cli'];
    const across = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ of }) => ways.includes(roomOf(path)) && ways.includes(roomOf(of)) && roomOf(of) !== roomOf(path))
        .map(({ of }) => `${path} imports ${of}`),
    );
    assert.deepEqual(across, []);
  });

  test('files do not import each other in a circle', () => {
    assert.deepEqual(circleIn(new Map(sources.map(({ path, imports }) => [path, imports.map(({ of }) => of)]))), []);
  });

  test('rooms do not import each other in a circle', () => {
    const graph = new Map<string, string[]>();
    for (const { path, imports } of sources) {
      const from = roomOf(path);
      const to = imports.map(({ of }) => roomOf(of)).filter((room) => room !== from && room !== '');
      if (from !== '') graph.set(from, [...(graph.get(from) ?? []), ...to]);
    }
    assert.deepEqual(circleIn(graph), []);
  });
});

/** The most files side by side in one folder; more are sorted into folders below it. */
const SIDE_BY_SIDE = 20;

test(`a folder has at most ${SIDE_BY_SIDE} files`, () => {
  const counted = Map.groupBy(sources, ({ path }) => path.split('/').slice(0, -1).join('/'));
  const crowded = [...counted].filter(([, files]) => files.length > SIDE_BY_SIDE);
  assert.deepEqual(
    crowded.map(([folder, files]) => `${folder} has ${files.length}`),
    [],
  );
});

test('entry and actions have no SQL: a query is in the domain that owns the table', () => {
  const above = sources.filter(({ path }) => ['entry', 'actions'].includes(floorOf(path)));
  assert.ok(above.length > 200);
  assert.deepEqual(
    above
      .filter(({ imports }) => imports.some(({ of }) => of.startsWith('platform/db/query/')))
      .map(({ path }) => path),
    [],
  );
});

test('a room of a domain is entered by its door', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ of }) => floorOf(of) === 'domains' && roomOf(of) !== roomOf(path) && of !== doorOf(roomOf(of)))
      .map(({ of }) => `${path} imports ${of} instead of ${doorOf(roomOf(of))}`),
  );
  assert.deepEqual(wrong, []);
});

/** The most names a door may offer, values and types together. */
const DOOR = 30;

test(`a door is small: at most ${DOOR} names, each of them used outside, and never a whole folder`, () => {
  for (const room of rooms) {
    const door = doorOf(room);
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
    const users = sources.filter(({ path, imports }) => roomOf(path) !== room && imports.some(({ of }) => of === door));
    const idle = names.filter((name) => !users.some((user) => new RegExp(`\\b${name}\\b`).test(user.text)));
    assert.deepEqual(idle, [], `${door} offers names that are unused`);
  }
});

test('code above the worlds never uses a world’s database directly', () => {
  const above = sources.filter(({ path }) => heightOf(path) > names.indexOf('worlds'));
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
    '../sdk/src/wayfare.ts': ['domains/supply/adapters/partner-v3/', 'domains/supply/accounts/notices.ts'],
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

test("the contract's vocabulary imports nothing of ours but the clock", () => {
  const words = sources.filter(({ path }) => path.startsWith('platform/contract/'));
  assert.ok(words.length >= 5);
  assert.deepEqual(
    words
      .flatMap(({ imports }) => imports.map(({ of }) => of))
      .filter((of) => !/^platform\/(contract\/|clock\.ts$)/.test(of)),
    [],
  );
});

test('a domain answers with outcomes: error codes are named in the API and above', () => {
  const named = sources.filter(
    ({ path, imports }) =>
      (['domains', 'worlds'].includes(floorOf(path)) || ['platform/db', 'platform/jobs'].includes(roomOf(path))) &&
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
  const naming = sources.filter(({ path, text }) => ['domains', 'worlds'].includes(floorOf(path)) && wire.test(text));
  assert.deepEqual(
    naming.map(({ path }) => path),
    [],
  );
});

test('pure rules import nothing that reads or waits', () => {
  const pure =
    /(formula|rules|schedule|variants|selection|channel|transitions|outcome|order-retry-schedule|share-tier|signature)\.ts$/;
  const rules = sources.filter(({ path }) => pure.test(path));
  assert.ok(rules.length >= 8);
  for (const { path, text, imports } of rules) {
    assert.doesNotMatch(text, /\bawait\b/, path);
    assert.deepEqual(
      imports.filter(({ of, typeOnly }) => !typeOnly && of.startsWith('platform/db/')),
      [],
      path,
    );
  }
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

test('below the worlds the sandbox is named only where keys, people and schemas of both are kept', () => {
  const named = [
    // A key, a view and a link are of one world or the other.
    'domains/partners/accounts/',
    'domains/partners/keys/',
    'domains/partners/people/',
    // Documents of play money say so.
    'domains/billing/invoices/documents/',
    // Kinds of changes, by name.
    'platform/audit/sentences.ts',
    // Addresses and pools of both.
    'platform/settings/config.ts',
    'platform/measure/database-figures.ts',
    // Both schemas, by name.
    'platform/db/migrate/migrations.ts',
    'platform/db/migrate/personal-columns.ts',
    'platform/db/migrate/rights.ts',
    'domains/money/ledger/transfers.ts',
    'platform/vault/secret-rotation.ts',
    'platform/privacy/',
    // The contract itself uses the word in codes, fields and its description.
    'platform/contract/',
  ];
  const below = sources.filter(({ path }) => ['domains', 'platform'].includes(floorOf(path)));
  const wrong = below.filter(({ path, text }) => /sandbox/i.test(text) && !matches(path, named));
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

test('no code asks which world it is in: the world passes in what differs', () => {
  const asksLivemode = /\blivemode\b[^:;\n]*(\?[^.:]|&&|\|\|)|if \([^\n]*livemode/;
  // A flag that only says which world it is.
  const flag = /\b(isScripted|isSandbox)\b/;
  const asksSchema = /\bschema === '(live|sandbox)'/;
  // Both schemas, by name: what each role may do.
  const rights = 'platform/db/migrate/rights.ts';
  const asking = sources.filter(
    ({ path, text }) =>
      (!path.startsWith('entry/api/gates/') && asksLivemode.test(text)) ||
      (path !== rights && asksSchema.test(text)) ||
      (['domains', 'platform'].includes(floorOf(path)) && flag.test(text)),
  );
  assert.deepEqual(
    asking.map(({ path }) => path),
    [],
  );
});

test('the time is an argument: only these read a clock themselves', () => {
  const readers = {
    'platform/limits/budget.ts': 'how long a request has taken',
    'platform/clock.ts': 'the clock',
    'platform/db/embedded/embedded.ts': 'how long a process of its own takes to start and stop',
    'platform/db/replicas.ts': 'how long a read has waited for a replica',
    'platform/db/query/walk.ts': 'how long it has looked for a page',
    'domains/catalog/prices/prices.ts': 'how long ago a price was quoted',
    'platform/http/call.ts': 'how long an answer took',
    'platform/http/draining.ts': 'how long the event loop has been quiet',
    'domains/sales/purchase/purchase.ts': 'how long a request has waited for an earlier one with the same key',
    'platform/limits/turns.ts': 'how long a slice has taken',
    'entry/api/airalo/orders.ts': 'how long a request has waited for its eSIMs',
    'entry/traveller/page.ts': 'in the browser: how old the figures are, and when to ask again',
    'domains/supply/adapters/connection.ts': 'how much of its limit an answer has left',
    'domains/insight/rollups/sales-by-day.ts': 'how long a pass has taken',
    'domains/messages/webhooks/send/send.ts': 'how long an answer took',
  };
  const found = sources.filter(({ text }) => /Date\.now\(\)|new Date\(\)|performance\.now\(\)|hrtime/.test(text));
  assert.deepEqual(
    found.map(({ path }) => path).filter((path) => !(path in readers)),
    [],
  );
});

test('the search path of a connection is set in one place, and so is how ids are written', () => {
  // An API key's beginning and end are typed into a search box; the middle of a table's id is no id.
  const once: Readonly<Record<string, RegExp>> = {
    'platform/db/search-path.ts': /search_path/,
    'platform/contract/ids.ts': /esc_\[|esk_test_\[|\^\\d\{(5|18),22\}|\[1-9\]\\{1,2}d\{0,17\}|\^\\d\{[01],(9|18)\}/,
  };
  for (const [place, pattern] of Object.entries(once))
    assert.deepEqual(
      sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path),
      [place],
    );
});

test('settings are read in one place', () => {
  // Who runs a command and where a cache may be are facts of the machine, not settings of the product.
  const allowed = ['platform/settings/config.ts', 'program.ts', 'platform/db/embedded/embedded-place.ts'];
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
