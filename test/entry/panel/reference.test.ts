import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { examplesOf } from '../../../openapi/recorded.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { type Call, type Language, sampleOf } from '../../../src/entry/public/reference/samples.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { tourPlans } from '../../support/browser/tour.ts';
import { keptText } from '../../support/browser/twice.ts';
import { testFolder } from '../../support/database/folder.ts';
import { type Browser, signedIn, signedInAs } from '../../support/program/panel.ts';
import { freePort } from '../../support/program/ports.ts';
import { batchOf, entry, type StockedApp, stockedApp } from '../../support/sales/catalog.ts';

let t: StockedApp;
let partner: number;
let key: string;
let ana: Browser;
let base: string;
before(async () => {
  const port = await freePort();
  base = `http://localhost:${port}/v3`;
  // Enough plans for an export that is too long to show.
  const many = Array.from({ length: 300 }, () => entry());
  const france = [
    entry({ code: 'fr-1', destination: 'FR', title: 'France 1 GB' }),
    entry({ code: 'fr-more', destination: 'FR', title: 'France more', refills: ['fr-1'] }),
  ];
  const plans = [...tourPlans(), ...france, ...many];
  t = await stockedApp([batchOf(plans)], { config: { listenPorts: [port], sandboxBaseUrl: new URL(base) } });
  partner = await t.partner();
  key = await t.key(partner, 'sandbox');
  ana = await signedIn(t, partner);
});
after(() => t[Symbol.asyncDispose]());

/** Runs a program to its end; undefined if it is not installed. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } });
  const started = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  if (!started) return undefined;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, `${command}: ${err}`);
  return out;
}

suite('samples', () => {
  const files: Record<Language, [file: string, command: string, args: string[]]> = {
    curl: ['sample.sh', 'bash', []],
    TypeScript: ['sample.mts', process.execPath, []],
    Python: ['sample.py', 'python3', []],
    PHP: ['sample.php', 'php', []],
    Go: ['sample.go', 'go', ['run']],
  };
  const write = async (folder: string, language: Language, calls: readonly Call[]) =>
    Promise.all(
      calls.map(async (call, n) => {
        const path = join(folder, `${n}-${files[language][0]}`);
        await writeFile(path, sampleOf(language, call));
        return path;
      }),
    );
  const play = async (folder: string, language: Language, call: Call) => {
    const [, command, args] = files[language];
    return run(command, [...args, ...(await write(folder, language, [call]))], {
      WAYFARE_KEY: call.key ? 'not this one' : key,
    });
  };
  /** Many samples in one process, because starting Python takes longer than all of them. */
  const inTurn = {
    curl: ['bash', '-c', 'for one; do . "$one"; printf "\\0"; done', 'samples'],
    Python: ['python3', '-c', 'import sys\nfor one in sys.argv[1:]:\n    exec(open(one).read())\n    print(end="\\0")'],
  } as const;

  test('every endpoint, in curl and Python, gets from the server what a direct call gets', async () => {
    await using folder = await testFolder(0o700);
    // An order or an eSIM of the recording may exist here as well, until the first reset. These never do.
    const elsewhere = (sent: string) => (/^(\d{4}|\d{19})$/.test(sent) ? `${sent.replace(/\d/g, '9')}99` : sent);
    // A file has no recorded answer.
    const asked = endpoints.filter(({ fileType }) => fileType === undefined);
    const calls = asked.map(({ path, verb }): Call => {
      const [example] = examplesOf(path);
      assert.ok(example, path);
      const param = example.param === undefined ? '' : `/${elsewhere(example.param)}`;
      const url = `${base}${path.replace('/{id}', '')}${param}`;
      return { verb, url, fields: Object.entries(example.fields).map(([name, sent]) => [name, elsewhere(sent)]) };
    });
    const expected: unknown[] = [];
    for (const { verb, url, fields } of calls) {
      const form = new URLSearchParams(Object.fromEntries(fields));
      const direct = await fetch(verb === 'GET' ? `${url}?${form}` : url, {
        method: verb,
        headers: { 'x-api-key': key },
        ...(verb === 'POST' && { body: form }),
      });
      const { code, error } = (await direct.json()) as { code: string; error?: string };
      expected.push({ url, code, error });
    }
    for (const language of ['curl', 'Python'] as const) {
      // The limits of a minute are for one round.
      t.clock.advance(60_000);
      const [command, ...args] = inTurn[language];
      const printed = await run(command, [...args, ...(await write(folder.path, language, calls))], {
        WAYFARE_KEY: key,
      });
      if (printed === undefined) continue;
      const answers = printed
        .split('\0')
        .slice(0, -1)
        .map((answer) => JSON.parse(answer));
      assert.deepEqual(
        answers.map(({ code, error }, n) => ({ url: calls[n]?.url, code, error })),
        expected,
        language,
      );
    }
  });

  test('every language that is installed sends awkward values as they are, and a key that is in the sample', async () => {
    const seen: { method: string; key: string; sent: readonly (readonly string[])[] }[] = [];
    const server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      const sent = request.method === 'GET' ? searchParams : new URLSearchParams(await text(request));
      seen.push({
        method: `${request.method} ${pathname}`,
        key: String(request.headers['x-api-key']),
        sent: byName([...sent]),
      });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/order/refund`;
    /** Fields have no order: Go's library, for one, sorts them by name. */
    const byName = (sent: readonly (readonly string[])[]) => sent.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
    const awkward: [string, string][] = [
      ['reason', `it's "so" \\ $HOME \`id\` & ü + 100% {x}`],
      ['order_id', '1042'],
    ];
    await using folder = await testFolder(0o700);
    for (const language of Object.keys(files) as Language[])
      for (const [verb, fields, own] of [
        ['POST', awkward],
        ['GET', awkward],
        ['GET', []],
        ['POST', []],
        ['POST', [], key],
      ] as const) {
        if ((await play(folder.path, language, { verb, url, fields, key: own })) === undefined) continue;
        assert.deepEqual(seen.pop(), { method: `${verb} /v3/order/refund`, key, sent: byName(fields) }, language);
      }
  });
});

suite('guides', () => {
  /** What the commands of each guide must print. */
  const printed: Readonly<Record<string, readonly RegExp[]>> = {
    'first-purchase': [
      /"products":\[/,
      /"can_buy":true/,
      /"delivery":"delivered"/,
      /"qrcode":"LPA:/,
      /"usage":\{"iccid"/,
    ],
    orders: [/"delivery":"deferred".*"status":"4"/, /"order":\[\{"id":"\d+".*"order":\[\]/s],
    money: [/"ledger":\[\{[^}]*"type":"purchase","amount":-/],
    webhooks: [signature(), /"no_subscription"/, /"deliveries":\[\]/],
    idempotency: [/"order_id":(\d+),.*"order_id":\1,/s],
    sandbox: [
      /"delivery":"deferred"/,
      /"delivery":"delivered"/,
      /"rate_limited"/,
      /"balance":1,/,
      /"deleted_orders":2/,
    ],
    'help-a-traveller': [
      /"country":"JP","covered":false/,
      /"state":"suspended".*"message":"The service is suspended/,
      /"message":"The service is on/,
      /"autorefill":\{"product_id":"esc_[^}]*"times":3,"done":0/,
      /"autorefill":null/,
      /"state":"deleted"/,
      /"replacement":\{"status":"requested"/,
    ],
    errors: [/"order_not_found"/, /x-request-id: /i, /"order_read_failed"/],
  };
  for (const [name, expected] of Object.entries(printed))
    test(`the commands of ${name} do what the guide says`, async () => {
      const guide = await readFile(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
      const commands = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
      const script = `set -eu -o pipefail\n${commands.replaceAll('http://localhost:4010/v3', base)}`;
      // A partner of its own, so that no other guide's orders are in the way.
      const own = await t.key(await t.partner(), 'sandbox');
      const output = (await run('bash', ['-c', script], { WAYFARE_KEY: own })) ?? '';
      for (const pattern of expected) assert.match(output, pattern);
    });
});

/** Of the body, the timestamp and the secret in the guide. */
function signature(): RegExp {
  const secret = `whsec_${'0'.repeat(64)}`;
  return new RegExp(`sha256=${createHmac('sha256', secret).update('1772366400.{"event":"order.test"}').digest('hex')}`);
}

suite('try it', () => {
  const send = (body: object, as: Browser = ana) => as.post('/api/sandbox/try', { key, fields: {}, ...body });

  test('a call with a sandbox key gets what the API answers, and counts towards that key', async () => {
    // Otherwise a slow machine gets one back between the two calls.
    t.clock.freeze();
    const answer = await send({ path: '/account/balance' });
    const { status, headers, body, is_cut } = answer.body;
    assert.deepEqual([answer.status, status, is_cut], [200, 200, false]);
    assert.equal(JSON.parse(body).livemode, false);
    const after = await t.get('/account/balance', { key, host: { authority: new URL(base).host } });
    assert.equal(Number(after.headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-remaining']) - 1);
  });

  test('it buys, reads and fails like any other call', async () => {
    const product_id = await t.alias('fr-1');
    const bought = JSON.parse((await send({ path: '/purchase/buy', fields: { product_id } })).body.body);
    assert.equal(bought.delivery, 'delivered');
    const read = JSON.parse((await send({ path: '/order/detail', param: bought.id })).body.body);
    assert.equal(read.order.id, bought.id);
    const refused = await send({
      path: '/purchase/buy',
      fields: { product_id, sandbox_error: 'insufficient_balance' },
    });
    assert.deepEqual([refused.status, refused.body.status], [200, 402]);
  });

  test('a signing secret it is answered with is shown once and not kept', async () => {
    const own = await t.partner();
    const managing = await t.key(own, 'sandbox', { permissions: ['webhooks'] });
    const bo = await signedIn(t, own);
    const headers = { 'idempotency-key': 'one-subscription' };
    const body = { key: managing, path: '/webhook/create', fields: { url: 'https://93.184.215.14/once' } };
    const subscribe = () => bo.post('/api/sandbox/try', body, { headers });
    const { secret } = JSON.parse((await subscribe()).body.body);
    assert.match(secret, /^whsec_/);
    assert.equal((await subscribe()).body.error.code, 'shown_once');
    const { sealed } = await t.base.db.one<{ sealed: Buffer }>(sql`
      select sealed from action_keys where key = 'one-subscription'`);
    assert.ok(!keptText(t, sealed).includes(secret));
  });

  test('a live key is refused before it is looked up, and so is anything that is not a key', async () => {
    const live = await t.key(partner);
    const before = t.logged.length;
    for (const wrong of [live, '', 'nonsense', `${key}\r\nx-evil: 1`, `${key}0`, ` ${key}`]) {
      const { status, body } = await send({ key: wrong, path: '/account/balance' });
      assert.deepEqual([status, body.error.code], [400, 'invalid_input'], JSON.stringify(wrong));
    }
    assert.ok(!t.logged.slice(before).some((line) => line.includes(live)));
  });

  test("another partner's key is answered like one that does not exist", async () => {
    const foreign = await t.key(await t.partner(), 'sandbox');
    const own = async (wrong: string) => {
      const { status, body } = await send({ key: wrong, path: '/account/balance' });
      // The second may change between two calls.
      const { 'x-request-id': _, 'x-ratelimit-reset': __, ...headers } = body.headers;
      return { status, body: { ...body, ms: 0, headers } };
    };
    assert.deepEqual(await own(foreign), await own(`esk_test_${'a'.repeat(40)}`));
    assert.equal((await own(foreign)).body.status, 401);
  });

  test('only endpoints of the API can be reached, and a parameter stays one segment', async () => {
    for (const path of [
      '/openapi.json',
      '/account',
      '/account/nothing',
      '//evil',
      '/../api/me',
      '/account/balance/',
      'x',
    ]) {
      const { status, body } = await send({ path });
      assert.deepEqual([status, body.error.code], [400, 'invalid_input'], path);
    }
    const { body } = await send({ path: '/order/detail', param: '../../account/balance?x=1#y' });
    assert.equal(JSON.parse(body.body).error, 'order_not_found');
  });

  test("the key's allow-list applies to the member's own address", async () => {
    const guarded = await t.key(partner, 'sandbox', { allowList: ['203.0.113.7'] });
    const { body } = await send({ key: guarded, path: '/account/balance' });
    assert.equal(JSON.parse(body.body).error, 'ip_not_allowed');
  });

  test('a role that may not develop, a stranger and another site are refused', async () => {
    for (const role of ['finance', 'read-only'] as const) {
      const member = await signedInAs(t, partner, role);
      assert.equal((await send({ path: '/account/balance' }, member)).status, 403, role);
    }
    const origin = 'https://evil.example';
    const cross = await ana.post(
      '/api/sandbox/try',
      { key, path: '/account/balance', fields: {} },
      { headers: { origin } },
    );
    assert.equal(cross.status, 403);
  });

  test('a long answer is cut, and says so', async () => {
    const { body } = await send({ path: '/catalog/export' });
    assert.deepEqual([body.status, body.is_cut], [200, true]);
    assert.ok(body.body.length > 100 * 1024 && body.body.length <= 128 * 1024);
  });
});

test("the panel serves the API's description, compressed and with an ETag", async () => {
  const plain = await t.get('/openapi.json', { host: 'panel' });
  assert.deepEqual([plain.status, plain.body.servers[0].url], [200, base]);
  const known = { headers: { 'if-none-match': String(plain.headers.etag) } };
  assert.equal((await t.get('/openapi.json', { host: 'panel', ...known })).status, 304);
});
