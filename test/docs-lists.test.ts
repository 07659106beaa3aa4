import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { actions } from '../src/actions/actions.ts';
import { contractEvents, eventNames } from '../src/domains/messages/events/events.ts';
import { debtMovementTypes, walletMovementTypes } from '../src/domains/money/ledger/wallet.ts';
import { states } from '../src/domains/sales/orders/transitions.ts';
import type { Services } from '../src/entry/api/endpoint.ts';
import { backupCommands } from '../src/entry/cli/backup.ts';
import { clientCommands } from '../src/entry/cli/client-commands.ts';
import { consoleActions } from '../src/entry/console/api.ts';
import { ownRefusals } from '../src/entry/mcp/tool.ts';
import { HOUR, MINUTE, SECOND } from '../src/platform/clock.ts';
import { errors } from '../src/platform/contract/errors.ts';
import { PRUNED_IN_LIVE } from '../src/platform/db/migrate/rights.ts';
import { sql } from '../src/platform/db/query/sql.ts';
import { readConfig } from '../src/platform/settings/config.ts';
import { jobText } from '../web/src/console/pages/system/job-words.ts';
import { eventGuide } from './support/event-guide.ts';
import { testApp } from './support/program/app.ts';
import { readSources } from './support/sources.ts';

// A list in a document is held to the code it lists. Settings are in docs.test.ts, those of deploy/ in deploy.test.ts.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = new Map(
  globSync(['*.md', 'docs/**/*.md', 'sdk/{,php/,python/}*.md', 'deploy/*.md'], { cwd: root }).map((name) => [
    name,
    read(name),
  ]),
);

const recorded = JSON.parse(read('openapi/recorded.json'));

/** What stands between a heading and the next one of any level. */
function section(page: string, heading: string): string {
  const [, part] = (pages.get(page) ?? '').split(new RegExp(`^#+ ${heading}\\n`, 'm'));
  assert.ok(part, `${page} has no section ${heading}`);
  return part.split(/^#+ /m)[0] ?? '';
}
/** The cells of a table's rows, without its head. */
const rows = (text: string): string[][] =>
  (text.match(/^\|.*\|$/gm) ?? []).slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
const block = (text: string): string => /^```\n(.*?)^```$/ms.exec(text)?.[1] ?? '';
const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter(
      (one) => one.isDirectory() && !one.name.startsWith('.') && !['node_modules', 'data', 'dist'].includes(one.name),
    )
    .map(({ name }) => name)
    .sort();

suite('folders', () => {
  const code = foldersIn('src');

  test("the README's tree has every folder", () => {
    const named = [...block(section('README.md', 'The tree')).matchAll(/(?:^| )((?:src\/)?[\w-]+)\/ /gm)];
    const wanted = [...foldersIn('.').filter((name) => name !== 'src'), ...code.map((name) => `src/${name}`)];
    assert.deepEqual(named.map(([, name = '']) => name).sort(), wanted.sort());
  });

  test('the tree of ARCHITECTURE.md has every floor, every way in, every district and every part of the platform', () => {
    const named = [...block(section('ARCHITECTURE.md', 'The tree')).matchAll(/(?<=[\s(])([\w-]+)\//gm)];
    const below = (floor: string) => foldersIn(`src/${floor}`);
    const wanted = [
      ...code,
      ...below('entry'),
      ...below('domains'),
      ...below('platform'),
      ...foldersIn('src/entry/api'),
    ];
    assert.deepEqual(named.map(([, name = '']) => name).sort(), wanted.sort());
  });
});

test('the jobs in docs/internals.md are those that run, each as often as it says', async () => {
  const { mail } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'post@wayfare.test' });
  await using t = await testApp({ config: { catalogSyncMs: HOUR, mail } });
  const { jobs } = await t.base.db.one<{ jobs: Record<string, number> }>(sql`select jobs from processes`);
  const units: Record<string, number> = { s: SECOND, min: MINUTE, h: HOUR };
  const described = rows(section('docs/internals.md', 'Jobs and leases')).flatMap(([names = '', every = '']) => {
    const [, count, unit = ''] = /^(\d+) (s|min|h)\b/.exec(every) ?? [];
    const each = quoted(names).flatMap((name) =>
      name.endsWith(' …') ? ['live', 'sandbox'].map((world) => name.replace('…', world)) : [name],
    );
    return each.map((name) => [name, Number(count) * (units[unit] ?? Number.NaN)] as const);
  });
  const byName = ([a]: readonly [string, number], [b]: readonly [string, number]) => (a < b ? -1 : 1);
  assert.deepEqual(described.toSorted(byName), Object.entries(jobs).toSorted(byName));
  const unexplained = Object.keys(jobs).filter((job) => jobText(job) === '');
  assert.deepEqual(unexplained, [], 'the console says what each of them does');
});

test('the tables in docs/internals.md are those that live may delete from', () => {
  const named = rows(section('docs/internals.md', 'What live may delete')).flatMap(([tables = '']) => quoted(tables));
  assert.deepEqual(named.sort(), [...PRUNED_IN_LIVE].sort());
});

test('every command is in the documentation', () => {
  const text = [...pages.values()].join('\n');
  const all = [...actions, ...backupCommands, ...clientCommands].map(({ name }) => name);
  assert.deepEqual(
    all.filter((words) => !new RegExp(`(wayfare (-- )?(\\\\\\n +)?|\`)${words}\\b`).test(text)),
    [],
  );
});

suite('events', () => {
  test('docs/contract-notes.md says of every event beyond the six when it is sent', () => {
    const inTable = rows(section('docs/contract-notes.md', 'Events of eSIMs and money')).flatMap(([name = '']) =>
      quoted(name),
    );
    const beyond = eventNames.filter((name) => !(contractEvents as readonly string[]).includes(name));
    // Described with the refunds they are about.
    const ofRefunds = ['order.refunded', 'order.refund_requested', 'order.refund_rejected'];
    assert.deepEqual([...inTable, ...ofRefunds].sort(), [...beyond].sort());
    assert.match(pages.get('docs/contract-notes.md') ?? '', /\*\*The event\*\* `order\.refunded`/);
    assert.match(
      section('docs/contract-notes.md', 'Refunds'),
      /`order\.refund_requested` when[\s\S]*`order\.refund_rejected` when/,
    );
  });

  test('docs/guides/events.md has every event, with the body that a running server sent', async () => {
    const { written, due } = await eventGuide(recorded.events);
    assert.equal(written, due, 'run `npm run examples`');
    const bodies = [...written.matchAll(/^### `([^`]+)`\n\n[^\n]+\n\n```json\n(.*?)^```$/gms)];
    assert.deepEqual(
      bodies.map(([, name = '', body = '']) => [name, JSON.parse(body).event]),
      eventNames.map((name) => [name, name]),
    );
  });

  test('no document names an unknown event', () => {
    // `esim.iccid` is a field of an answer.
    const { esim } = recorded.answers['/order/detail'][0].body;
    const known: readonly string[] = [...eventNames, ...Object.keys(esim).map((field) => `esim.${field}`)];
    const named = [...pages].flatMap(([name, text]) =>
      [...text.matchAll(/`((?:order|esim|account|topup)\.[a-z_]+)`/g)].map(([, event = '']) => `${name}: ${event}`),
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((one) => !known.includes(one.split(': ')[1] ?? '')),
      [],
    );
  });
});

suite('guides', () => {
  test('errors.md has every error code once, with its status, and whether to send the request again', () => {
    const table = rows(section('docs/guides/errors.md', 'Every code')).flatMap(([status, codes = '', again = '']) =>
      quoted(codes).map((code) => ({ code, status: Number(status), again })),
    );
    const known = Object.entries(errors).map(([code, { status }]) => `${code} ${status}`);
    assert.deepEqual(table.map(({ code, status }) => `${code} ${status}`).sort(), known.sort());
    assert.deepEqual([...new Set(table.map(({ again }) => again))].sort(), ['later', 'no', 'once', 'yes']);
    // The contract: 429 later, 500 once, and no other 4xx but this one.
    for (const { code, status, again } of table) {
      const due = status === 500 ? 'once' : status === 429 || status === 503 || code === 'charge_in_progress';
      assert.equal(due === true ? 'yes' : due || (again === 'later' ? again : 'no'), again, code);
    }
  });

  test('orders.md has every state of an order, with its status and delivery', () => {
    const table = rows(section('docs/guides/orders.md', 'Status and delivery')).slice(0, Object.keys(states).length);
    assert.deepEqual(
      table.map(([status = '', delivery = '']) => `${quoted(status)[0]} ${quoted(delivery)[0] ?? ''}`).sort(),
      Object.values(states)
        .map(({ status, delivery }) => `${status} ${delivery}`)
        .sort(),
    );
  });

  test('money.md has every type of both lists, and rows with the fields that the server answers with', () => {
    for (const [heading, types, path] of [
      ['The wallet', walletMovementTypes, '/account/history'],
      ['The debt', debtMovementTypes, '/account/statement'],
    ] as const) {
      const text = section('docs/guides/money.md', heading);
      assert.deepEqual(
        rows(text)
          .flatMap(([type = '']) => quoted(type))
          .sort(),
        types.toSorted(),
      );
      const sample = JSON.parse(/^```json\n(.*?)^```$/ms.exec(text)?.[1] ?? '');
      assert.deepEqual(Object.keys(sample), Object.keys(recorded.answers[path][0].body.ledger[0]));
    }
  });
});

test('docs/agents.md lists every refusal of the tools that the API does not have', () => {
  const named = rows(section('docs/agents.md', 'Refusals')).flatMap(([code = '']) => quoted(code));
  assert.deepEqual(named.sort(), [...ownRefusals].sort());
});

test('docs/console.md lists every change that is made without a command', async () => {
  await using t = await testApp();
  const addresses = consoleActions(t.base, {} as Services)
    .filter(({ verb, path }) => verb === 'POST' && !path.startsWith('/operator/api/run/'))
    .map(({ path }) => path.replace('/operator/api/', ''));
  assert.ok(addresses.length > 5);
  const named = rows(section('docs/console.md', 'Without a command')).flatMap(([, cell = '']) => quoted(cell));
  assert.deepEqual(named.sort(), addresses.sort());
});

test('docs/panel.md lists the files of the server that run in the browser, and these read nothing', () => {
  const values = globSync('web/src/**/*.{ts,tsx}', { cwd: root }).flatMap((name) =>
    [...read(name).matchAll(/^(?:import|export) (?!type )[^;]*? from '(?:\.\.\/)+(src\/[^']+)'/gms)].map(
      ([, path = '']) => path,
    ),
  );
  const shared = [...new Set(values)].filter((path) => !path.startsWith('src/pages')).sort();
  const table = rows(section('docs/panel.md', 'What the pages share with the server'));
  assert.deepEqual(table.flatMap(([files = '']) => quoted(files)).sort(), shared);
  // With all that they import in turn.
  const sources = new Map(readSources().map((source) => [source.path, source]));
  const reached = new Set(shared.map((path) => path.replace('src/', '')));
  for (const path of reached)
    for (const { of, typeOnly } of sources.get(path)?.imports ?? []) if (!typeOnly) reached.add(of);
  const waiting = [...reached].filter((path) => /^import (?!type ).* from '[^.]/m.test(sources.get(path)?.text ?? ''));
  assert.deepEqual(
    [...reached].filter((path) => /^platform\/(db|http|jobs)\//.test(path) || waiting.includes(path)),
    [],
  );
});

suite('what CONTRIBUTING.md says a new part has', () => {
  const text = pages.get('CONTRIBUTING.md') ?? '';
  /** The members that an interface declares, and which of them may be left out. */
  function members(path: string, name: string): { all: string[]; required: string[] } {
    const [, body = ''] = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}$`, 'ms').exec(read(path)) ?? [];
    const found = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(\??)[:(<]/gm)];
    assert.ok(found.length > 2, name);
    return {
      all: found.map(([, member = '']) => member),
      required: found.filter(([, , optional]) => !optional).map(([, member = '']) => member),
    };
  }
  const fieldsOf = (call: string): string[] =>
    (new RegExp(`\`${call}\\(\\{ ([^}]+?) \\}\\)\``).exec(text.replaceAll(/\s+/g, ' '))?.[1] ?? '').split(', ');

  test('an action: all it can have', () => {
    const { all } = members('src/actions/action.ts', 'Action');
    assert.deepEqual(fieldsOf('action').sort(), all.sort());
  });

  for (const [call, path, name, more] of [
    ['endpoint', 'src/entry/api/endpoint.ts', 'Endpoint', []],
    ['memberAction', 'src/entry/site/json/action.ts', 'JsonAction', ['may']],
  ] as const)
    test(`${call}: all that must be there, and nothing unknown`, () => {
      const { all, required } = members(path, name);
      const named = fieldsOf(call);
      assert.deepEqual(
        [...required, ...more].filter((field) => !named.includes(field)),
        [],
      );
      assert.deepEqual(
        named.filter((field) => ![...all, ...more].includes(field)),
        [],
      );
    });

  test('a job: its three members, and the file that lists jobs', () => {
    assert.match(text, new RegExp(`\`\\{ ${members('src/platform/jobs/runner.ts', 'Job').all.join(', ')} \\}\``));
    assert.match(text, /added to the list in `src\/work\.ts`/);
    assert.match(read('src/work.ts'), /const jobs: Job\[\] = \[/);
  });

  test('a supplier: each member of the port', () => {
    const page = read('docs/writing-a-supplier.md');
    const { all } = members('src/domains/supply/port/port.ts', 'Supplier');
    assert.deepEqual(
      all.filter((member) => !new RegExp(`\`${member}\\b`).test(page)),
      [],
    );
  });
});

test('the samples of getting started have the fields that the server answers with', () => {
  const samples = [...(pages.get('docs/getting-started.md') ?? '').matchAll(/^```\n(\{.*?\})\n```$/gms)].map(
    ([, text = '']) => JSON.parse(text),
  );
  const keys = (value: Record<string, unknown>): unknown[] =>
    Object.entries(value).map(([name, inner]) =>
      typeof inner === 'object' && inner !== null ? [name, keys(inner as Record<string, unknown>)] : name,
    );
  assert.deepEqual(samples.map(keys), [
    keys(recorded.answers['/purchase/buy'][0].body),
    keys(recorded.events['order.test']),
  ]);
});
