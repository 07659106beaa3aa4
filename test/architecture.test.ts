import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { folderOf, readSources, type Source } from './support/sources.ts';

const sources = readSources();
const matches = (path: string, list: readonly string[]) =>
  list.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));

/**
 * What may be imported of a domain from outside it: the file named like the folder, and what is listed beside it with the
 * reason it stands at the door too.
 */
const doors: Record<string, readonly string[]> = {
  accounts: [],
  catalog: [],
  pricing: [],
  usage: [],
  webhooks: [],
  'revenue-share': [],
  // The port that each world implements for itself.
  topups: ['cards.ts'],
  // Bringing a paid order to its end, which worlds and jobs do without buying anything.
  purchase: ['provision.ts'],
  // Pure vocabulary of an order: which state may follow which, and how its reference is written.
  orders: ['transitions.ts', 'reference.ts'],
  // The port, the registry of those who implement it, those, and of the simulated one what the operator directs by hand.
  suppliers: [
    'supplier.ts',
    'registry.ts',
    'iccid.ts',
    'airalo.ts',
    'esim-access.ts',
    'simulated.ts',
    'simulated/embedded.ts',
    'simulated/store.ts',
  ],
  // Not a domain behind a door but what money is made of; each file is one operation on it.
  money: ['balance.ts', 'books.ts', 'funds.ts', 'ledger.ts', 'proof.ts', 'refund.ts'],
};

test('a domain is entered by its door', () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ of }) => folderOf(of) in doors && folderOf(of) !== folderOf(path))
      .filter(({ of }) => {
        const domain = folderOf(of);
        return ![`${domain}.ts`, ...(doors[domain] ?? [])].includes(of.slice(domain.length + 1));
      })
      .map(({ of }) => `${path} imports ${of}`),
  );
  assert.deepEqual(wrong, []);
});

test('every door that is listed is used: the list does not outlive its reasons', () => {
  const used = new Set(
    sources.flatMap(({ path, imports }) =>
      imports.filter(({ of }) => folderOf(of) !== folderOf(path)).map(({ of }) => of),
    ),
  );
  const listed = Object.entries(doors).flatMap(([domain, more]) => more.map((file) => `${domain}/${file}`));
  assert.deepEqual(
    listed.filter((path) => !used.has(path)),
    [],
  );
});

suite('imports point one way', () => {
  /** The contract's own words, for everyone; they import nothing but each other. */
  const vocabulary = ['contract/errors.ts', 'contract/tiers.ts', 'contract/fields.ts'];
  const order: readonly (readonly string[])[] = [
    ['clock.ts', 'log.ts', 'address-list.ts', 'metrics.ts', 'secrets.ts', 'config.ts', ...vocabulary],
    ['db/', 'jobs/runner.ts'],
    ['money/', 'vault-mark.ts', 'secret-rotation.ts'],
    Object.keys(doors)
      .filter((domain) => domain !== 'money')
      .map((domain) => `${domain}/`),
    ['worlds/'],
    ['actions/', 'api/'],
    ['edge/', 'panel/', 'operator/', 'jobs/'],
    ['base.ts', 'demo.ts', 'banner.ts'],
    ['app.ts'],
    ['main.ts'],
  ];
  const rankOf = (path: string) => order.findIndex((names) => matches(path, names));

  test('every file has its place in the order', () => {
    assert.deepEqual(
      sources.map(({ path }) => path).filter((path) => rankOf(path) < 0),
      [],
    );
  });

  // A type may be named from further up (a purchase takes a `World`); code may not be called from there.
  test('main → app → base → edge → api → worlds → domains → money → db, and nothing imports back', () => {
    const back = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ of, typeOnly }) => !typeOnly && rankOf(of) > rankOf(path))
        .map(({ of }) => `${path} imports ${of}`),
    );
    assert.deepEqual(back, []);
  });

  test("the contract's words import nothing but each other", () => {
    const words = sources.filter(({ path }) => vocabulary.includes(path));
    assert.equal(words.length, vocabulary.length);
    assert.deepEqual(
      words.flatMap(({ imports }) => imports.map(({ of }) => of)).filter((of) => !vocabulary.includes(of)),
      [],
    );
  });

  test('no file is imported by what it imports', () => {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const done = new Set<string>();
    const visit = ({ path, imports }: Source, trail: readonly string[]): void => {
      assert.ok(!trail.includes(path), [...trail, path].join(' → '));
      if (done.has(path)) return;
      for (const { of, typeOnly } of imports) {
        const next = byPath.get(of);
        if (next && !typeOnly) visit(next, [...trail, path]);
      }
      done.add(path);
    };
    for (const source of sources) visit(source, []);
  });

  test('pure rules import nothing that reads or waits', () => {
    const pure = /(formula|rules|schedule|variants|selection|channel|transitions|outcome|share-tier|signature)\.ts$/;
    const rules = sources.filter(({ path }) => pure.test(path) && !path.startsWith('operator/'));
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

test('the sandbox is named where worlds are told apart, and in no domain', () => {
  const named = [
    'worlds/',
    'edge/',
    'accounts/',
    'operator/',
    'actions/',
    'panel/api/',
    'config.ts',
    // Wiring, and what is shown or seeded at the start.
    'base.ts',
    'app.ts',
    'demo.ts',
    'banner.ts',
    // Both schemas, by name.
    'db/migrate.ts',
    'db/schema-dump.ts',
    'secret-rotation.ts',
    // The contract itself uses the word in codes, fields and its description.
    'contract/errors.ts',
    'api/endpoints.ts',
    'api/endpoint.ts',
    'api/openapi.ts',
    'api/purchase/buy.ts',
    'api/account/sandboxBalance.ts',
    'api/account/sandboxReset.ts',
    'api/account/topupConfirm.ts',
    'api/webhook/test.ts',
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
    'clock.ts': 'the clock',
    'db/embedded.ts': 'how long a process of its own takes to start and stop',
    'purchase/purchase.ts': 'how long a request has waited for its twin',
    'suppliers/deadline.ts': 'how much of its limit an answer has left',
    'webhooks/send.ts': 'how long an answer took',
  };
  const found = sources.filter(({ text }) => /Date\.now\(\)|new Date\(\)|performance\.now\(\)|hrtime/.test(text));
  assert.deepEqual(
    found.map(({ path }) => path).filter((path) => !(path in readers)),
    [],
  );
});

test('settings are read in one place', () => {
  // Who runs a command and where a cache may be are facts of the machine, not settings of the product.
  const allowed = ['config.ts', 'main.ts', 'db/embedded-place.ts'];
  const found = sources.filter(({ path, text }) => text.includes('process.env') && !allowed.includes(path));
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

test('files are short: a median near 60 lines, almost none above 250', () => {
  const lengths = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const long = lengths.filter(({ lines }) => lines > 250).map(({ path, lines }) => `${path} ${lines}`);
  assert.ok(median <= 80, `median ${median}`);
  assert.ok(long.length <= sources.length / 50, long.join(', '));
});
