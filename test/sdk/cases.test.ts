import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Field, readModel } from '../../sdk/generate/calls.ts';
import { noSdkFor, type Sdk, sdks } from '../support/program/sdks.ts';
import { type Answer, type ScriptedServer, type Seen, scriptedServer } from '../support/servers/scripted.ts';
import type { Asked, Call, Done, Outcome, Settings, Webhook } from './cases/asked.ts';

/*
 * What every SDK does, in one table: sdk/cases.json. Each runs it as a program of its own against a real server, so what is compared
 * is what arrives there.
 */
interface Wanted {
  readonly verb: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}
interface CallCase {
  readonly name: string;
  readonly settings?: Settings;
  /** The address, if it is not `{base}`. */
  readonly base?: string;
  readonly calls: readonly Call[];
  readonly answers: readonly Answer[];
  readonly requests: readonly Wanted[];
  /** Milliseconds, or the least and the most of them. */
  readonly waits?: readonly (number | readonly [number, number])[];
  readonly outcomes: readonly Outcome[];
}
interface Table {
  readonly calls: readonly CallCase[];
  readonly webhooks: readonly (Webhook & { readonly name: string; readonly outcome: Outcome })[];
}

const table: Table = JSON.parse(readFileSync(new URL('../../sdk/cases.json', import.meta.url), 'utf8'));

async function runIn(sdk: Sdk, asked: Asked): Promise<Done> {
  const { path, args, env } = await sdk.program(fileURLToPath(new URL('cases/', import.meta.url)));
  const child = spawn(path, args, { env: { ...process.env, ...env, NODE_OPTIONS: '' } });
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(asked));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  assert.equal(code, 0, errors || out);
  return JSON.parse(out);
}

/** Keys that an SDK made, by the name a case gives them. */
function namedKey(keys: Map<string, string>, wanted: string | undefined, sent: string | undefined): string | undefined {
  if (wanted === undefined || !/^\{key \d\}$/.test(wanted)) return wanted;
  assert.match(sent ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'a random UUID');
  const isTaken = [...keys].some(([name, value]) => value === sent && name !== wanted);
  assert.ok(!isTaken, 'another purchase has another key');
  if (!keys.has(wanted)) keys.set(wanted, sent ?? '');
  return keys.get(wanted);
}

function compare(
  { name, requests, waits = [], outcomes }: CallCase,
  base: string,
  sdk: Sdk,
  seen: readonly Seen[],
  done: Done['calls'][0],
): void {
  const keys = new Map<string, string>();
  assert.equal(seen.length, requests.length, `${name}: ${JSON.stringify(done.outcomes)}`);
  for (const [i, wanted] of requests.entries()) {
    const { verb, path, fields, headers } = seen[i] as Seen;
    const idempotency_key = namedKey(keys, wanted.fields.idempotency_key, fields.idempotency_key);
    const sent = { ...wanted.fields, ...(idempotency_key && { idempotency_key }) };
    assert.deepEqual({ verb, path, fields }, { verb: wanted.verb, path: wanted.path, fields: sent }, name);
    for (const [header, value] of Object.entries(wanted.headers ?? {}))
      assert.equal(
        String(headers[header]).replace(/;\s*charset=utf-8$/i, ''),
        value.replace('{sdk}', sdk.userAgent),
        name,
      );
  }
  assert.equal(done.waits.length, waits.length, `${name}: waited for ${done.waits}`);
  for (const [i, wanted] of waits.entries()) {
    const [least, most] = typeof wanted === 'number' ? [wanted, wanted] : wanted;
    const ms = done.waits[i] ?? Number.NaN;
    assert.ok(ms >= least && ms <= most, `${name}: waited ${ms} ms, not ${least} to ${most}`);
  }
  assert.equal(done.outcomes.length, outcomes.length, name);
  for (const [i, wanted] of outcomes.entries()) {
    const text = JSON.stringify(wanted).replaceAll('{base}', base);
    assert.partialDeepStrictEqual(done.outcomes[i], JSON.parse(text), `${name}: ${JSON.stringify(done.outcomes[i])}`);
  }
}

/** A value for a field. */
function sample({ name, list, isFlag, schema: { type, enum: values } }: Field): unknown {
  if (list === 'events') return ['order.paid', 'order.failed'];
  if (list === 'items') return [{ product_id: 'esc_1', quantity: 2 }];
  if (isFlag) return true;
  if (type === 'integer') return 7;
  return type === 'number' ? 4.5 : (values?.[0] ?? `a ${name}`);
}

/** Every method with every field it has. */
async function everyMethod(): Promise<Call[]> {
  const { groups } = await readModel();
  return [...groups].flatMap(([group, methods]) =>
    methods.map(({ name, param, fields, list }): Call => {
      const sent = Object.fromEntries(fields.map((field) => [field.name, sample(field)]));
      return { method: `${group}.${name}`, ...(param && { id: '17' }), fields: sent, ...(list && { take: 1 }) };
    }),
  );
}

const empty = Object.fromEntries(
  ['products', 'order', 'esims', 'invoices', 'ledger', 'items'].map((name) => [name, []]),
);
const file: Answer = { status: 200, headers: { 'content-type': 'application/pdf' }, text: '%PDF' };
const answered: Answer = { status: 200, body: { result: 'ok', has_more: false, truncated: false, ...empty } };

let server: ScriptedServer;
before(async () => {
  server = await scriptedServer();
});
after(() => server.close());

/** What arrived from each SDK that runs here, for every method. */
const arrived = new Map<string, readonly (readonly Seen[])[]>();

for (const sdk of sdks)
  suite(sdk.name, async () => {
    const missing = await noSdkFor(sdk.name);

    test('sends, repeats and fails as the table says', { skip: missing }, async () => {
      const places = table.calls.map(({ answers }) => server.place(answers));
      const asked = table.calls.map(({ settings = {}, base = '{base}', calls }, i) => ({
        base_url: base.replace('{base}', places[i]?.base ?? ''),
        settings,
        calls,
      }));
      const done = await runIn(sdk, { calls: asked, webhooks: [] });
      for (const [i, one] of table.calls.entries())
        compare(one, places[i]?.base ?? '', sdk, places[i]?.seen ?? [], done.calls[i] as Done['calls'][0]);
    });

    test('trusts the webhooks that the table says', { skip: missing }, async () => {
      const done = await runIn(sdk, { calls: [], webhooks: table.webhooks });
      for (const [i, { name, outcome }] of table.webhooks.entries()) assert.deepEqual(done.webhooks[i], outcome, name);
    });

    test('sends every field of every method as the TypeScript SDK does', { skip: missing }, async () => {
      const calls = await everyMethod();
      const places = calls.map((call) => server.place([/^invoice\.(pdf|xml)$/.test(call.method) ? file : answered]));
      const done = await runIn(sdk, {
        calls: calls.map((call, i) => ({ base_url: places[i]?.base ?? '', calls: [call] })),
        webhooks: [],
      });
      for (const [i, { outcomes }] of done.calls.entries())
        assert.ok(outcomes[0] && 'answer' in outcomes[0], `${calls[i]?.method}: ${JSON.stringify(outcomes)}`);
      const sent = places.map(({ seen }) =>
        seen.map(({ verb, path, fields }) => ({ verb, path, fields, headers: {} })),
      );
      arrived.set(sdk.name, sent);
      assert.deepEqual(sent, arrived.get('TypeScript'));
    });
  });
