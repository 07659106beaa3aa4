import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { testFolder } from '../../../support/database/folder.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { random } from '../../../support/random.ts';
import { type StripeApp, stripeApp } from '../../../support/sales/topups.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500);
const CONCURRENT = 25;
const LIMIT_MS = 60_000;

let simulated: TestApp;
let stripe: StripeApp;
const web = await testFolder(0o700);
before(async () => {
  await writeFile(join(web.path, 'index.html'), '<!doctype html>');
  [simulated, stripe] = await Promise.all([testApp({ config: { healthPort: 0, webDist: web.path } }), stripeApp()]);
});
after(async () => {
  await web[Symbol.asyncDispose]();
  await simulated[Symbol.asyncDispose]();
  await stripe[Symbol.asyncDispose]();
});

const pages = ['/', '/sign-in', '/welcome', '/index.html', '/assets/a.js', '/flags/tr.svg', '/flags/europe.svg'];
const health = ['/healthz', '/readyz', '/metrics'];
const secrets = ['/pay/sim_1_secret_2', '/qr/live-1-00.svg', '/webhooks/stripe'];
const signIn = ['/api/sign-in', '/api/sign-out', '/api/welcome', '/api/welcome/show', '/api/me', '/api/keys/1/revoke'];
const members = ['/api/live/v3/order/get', '/api/sandbox/webhooks/1', '/api/sandbox/clock/advance', '/api/nothing'];
const api = [
  '',
  '/',
  '/openapi.json',
  '/account/balance',
  '/order/usage/1',
  '/purchase/buy',
  '/catalog/product/a',
  '/x',
];

/** Every address that answers without a key, and the hosts it answers on. */
const addresses = [
  ...['sandbox.test', 'live.test'].flatMap((host) => api.map((path) => ({ host, path: `/v3${path}` }))),
  ...api.map((path) => ({ host: 'legacy.test', path })),
  ...[...pages, ...health, ...secrets, ...signIn, ...members].map((path) => ({ host: 'panel.test', path })),
  ...health.map((path) => ({ host: 'health', path })),
  { host: 'unknown.test', path: '/v3/account/balance' },
];

const verbs = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];
const odd = ['%00', '%', '%zz', '%ff', '%c3%28', '%ed%a0%80', '%2e%2e', '%2f', '%5c', '..', '.', '//', '/', '\\', '+'];
const odder = [
  '%0d%0a',
  '%25',
  '%25%30%30',
  '{*}',
  '{id}',
  '__proto__',
  'constructor',
  'ü',
  '\xff',
  '#',
  '?',
  ';a=1',
  '~',
];
const long = ['a'.repeat(300), '%41'.repeat(2_000), '/x'.repeat(2_000), '9'.repeat(40), `-${'0'.repeat(18)}`];
const inserts = [...odd, ...odder, ...long];
const queries = [
  '',
  '',
  '?',
  '?a=%00',
  '?a=%ff',
  '?api_key=x',
  '?a[]=1&a[]=2',
  `?a=${'b'.repeat(9_000)}`,
  '?limit=%2d1',
];
const types = [
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
  'multipart/form-data',
  '',
  'a/b/c;',
];
const bodies = [
  '',
  'do=pay',
  'do=%00&do=%ff',
  '{}',
  '{"token":"\\u0000"}',
  '{"token":"\\ud800","password":"\\udfff"}',
  '{"token":"wfl_x","password":"p"}',
  '{"email":"a@b.c","password":1}',
  '[1,2',
  'null',
  '{"__proto__":{"a":1},"token":{"toString":1}}',
  `{"token":"${'x'.repeat(20_000)}"}`,
  `a=${'b'.repeat(70_000)}`,
  '\xff\xfe\x00',
];
const headers = [
  '',
  '',
  'x-api-key: \xff\x01\r\n',
  `x-api-key: esk_${'0'.repeat(39)}\r\n`,
  'cookie: wayfare_session=%00; wayfare_session=\r\n',
  'cookie: wayfare_session=wfs_\xe4\r\n',
  'accept-encoding: br;q=x, *;q=-1\r\n',
  'accept: text/html\r\n',
  'if-none-match: W/"x", *\r\n',
  'stripe-signature: t=1,v1=00\r\n',
  'stripe-signature: t=x,,v1\r\n',
  'x-forwarded-for: %00, ::ffff:1.2.3.4%eth0\r\n',
  'expect: 100-continue\r\n',
  'upgrade: websocket\r\nconnection: upgrade\r\n',
  'content-encoding: br\r\n',
  'transfer-encoding: gzip\r\n',
  'origin: null\r\n',
];

const pick = <T>(below: (n: number) => number, list: readonly T[]): T => list[below(list.length)] as T;

interface Sent {
  readonly host: string;
  readonly bytes: string;
  /** Less arrives than was announced, and then the client hangs up. */
  readonly cutOff: boolean;
}

function someRequest(below: (n: number) => number): Sent {
  const { host, path } = pick(below, addresses);
  const at = below(path.length + 1);
  const mutated =
    below(4) === 0 ? path : `${path.slice(0, at)}${pick(below, inserts)}${path.slice(below(2) ? at : at + 1)}`;
  const verb = pick(below, verbs);
  const carries = verb !== 'GET' && verb !== 'HEAD' && verb !== 'TRACE';
  const body = carries ? pick(below, bodies) : '';
  const cutOff = carries && below(15) === 0;
  const length = body.length + (cutOff ? 5 : 0);
  const origin = below(2) ? 'origin: http://panel.test\r\n' : '';
  const type = carries ? `content-type: ${pick(below, types)}\r\ncontent-length: ${length}\r\n` : '';
  const head = `${verb} ${mutated}${pick(below, queries)} HTTP/1.1\r\nhost: ${host}\r\n${origin}${pick(below, headers)}`;
  return { host, cutOff, bytes: `${head}${type}connection: close\r\n\r\n${body}` };
}

/** What was received until the connection ended; a server may reset it if it refused a body without reading all of it. */
async function answerTo(port: number, { bytes, cutOff }: Sent): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  const ended = new Promise<void>((resolve, reject) => {
    socket.setTimeout(LIMIT_MS, () => reject(new Error('no answer')));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve() : reject(error),
    );
    socket.on('close', resolve);
  });
  socket.write(Buffer.from(bytes, 'latin1'));
  if (cutOff) socket.end();
  return ended.then(() => received).finally(() => socket.destroy());
}

test(`no address that needs no key answers 5xx or hangs, whatever it is sent (seed ${SEED})`, async () => {
  const below = random(SEED);
  const requests = Array.from({ length: REQUESTS }, () => someRequest(below));
  const answered = new Map<string, number>();
  const next = requests.values();
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      for (const sent of next) {
        const { host, bytes, cutOff } = sent;
        const longBody = bytes.length > 50_000;
        const { port: apiPort } = bytes.includes('/webhooks/s') ? stripe.t : simulated;
        const port = host === 'health' ? (simulated.healthPort ?? 0) : apiPort;
        const answer = await answerTo(port, sent).catch((error) => assert.fail(`${error.message}: ${show(bytes)}`));
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, ''))?.[1] ?? 'none';
        const hungUp = status === 'none' && (cutOff || longBody);
        assert.ok(/^[1-4]/.test(status) || hungUp, `${status}: ${show(bytes)}`);
        answered.set(status, (answered.get(status) ?? 0) + 1);
      }
    }),
  );
  for (const status of ['200', '301', '400', '401', '404'])
    assert.ok(answered.get(status), `nothing answered ${status}`);
  const errors = [...simulated.logged, ...stripe.t.logged].filter((line) => line.includes('"level":"error"'));
  assert.deepEqual(errors, []);
});

const show = (bytes: string): string => JSON.stringify(bytes.slice(0, 400));
