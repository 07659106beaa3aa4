import { request } from 'undici';
import type { BareAnswer } from './bare-server.ts';
import { type Load, type Measured, measure, type Target } from './load.ts';
import { pinnedServer } from './pinned.ts';

interface Comparison {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
}

/** Node writes these by itself, in both servers. */
const ITS_OWN = new Set(['date', 'connection', 'keep-alive']);

const LONG = 4096;
const WARM_REQUESTS = 20_000;
const WARM_TURNS = 8;

/**
 * Measures `target`, served by a process on the server core, beside a bare `node:http` server on the same core that sends
 * the same bytes. The two take turns, so a machine that slows down slows both; the medians are compared.
 */
export async function besideBare(target: Target, rounds: number, load: Load): Promise<Comparison> {
  const answer = await recorded(target);
  await using server = await pinnedServer<{ port: number }>(new URL('bare-server.ts', import.meta.url), answer);
  const { pathname, search } = new URL(target.url);
  const bare: Target = { ...target, url: `http://localhost:${server.told.port}${pathname}${search}`, pid: server.pid };

  const measured = { ours: [] as Measured[], bare: [] as Measured[] };
  for (const warming of [target, bare]) await warm(warming, load);
  for (let round = 0; round < rounds; round += 1) {
    measured.ours.push(await measure(target, load));
    measured.bare.push(await measure(bare, load));
  }
  const bytes = Buffer.byteLength(answer.body, answer.encoding);
  console.log(
    `${pathname}: ${bytes} bytes, ${load.connections} connections, ${rounds} rounds of ${load.seconds} s in turn`,
  );
  const ours = summary('ours', measured.ours);
  const yardstick = summary('bare', measured.bare);
  const ratio = ours.requestsPerSecond / yardstick.requestsPerSecond;
  // On a machine that others use, the rates say little; where the two differ much, measure again when it is quiet.
  const byProcessor = yardstick.cpuMicroseconds / ours.cpuMicroseconds;
  console.log(
    `  ratio of the rates: ${(100 * ratio).toFixed(1)} % (by processor time ${(100 * byProcessor).toFixed(1)} %)`,
  );
  return { ours: ours.requestsPerSecond, bare: yardstick.requestsPerSecond, ratio };
}

/** Until what is hot is compiled, which takes a number of requests, not of seconds. */
async function warm(target: Target, load: Load): Promise<void> {
  let requests = 0;
  for (let turn = 0; turn < WARM_TURNS && requests < WARM_REQUESTS; turn += 1)
    requests += 2 * (await measure(target, { ...load, seconds: 2 })).requestsPerSecond;
}

async function recorded({ url, headers }: Target): Promise<BareAnswer> {
  const response = await request(url, { headers });
  const body = Buffer.from(await response.body.arrayBuffer());
  // A short text is sent fastest as a string; a long one as bytes, or the yardstick would encode it for every answer.
  const isText = response.headers['content-encoding'] === undefined && body.length < LONG;
  const encoding = isText ? 'utf8' : 'base64';
  const sent = Object.entries(response.headers).flatMap(([name, value]) =>
    ITS_OWN.has(name) || value === undefined ? [] : [name, String(value)],
  );
  return { status: response.statusCode, headers: sent, body: body.toString(encoding), encoding };
}

function summary(name: string, rounds: readonly Measured[]): Measured {
  const rates = rounds.map((round) => round.requestsPerSecond);
  const requestsPerSecond = median(rates);
  const cpuMicroseconds = median(rounds.map((round) => round.cpuMicroseconds));
  const row = rates.map((rate) => String(Math.round(rate)).padStart(7)).join('');
  const figures = `${Math.round(requestsPerSecond)} requests/s, ${cpuMicroseconds.toFixed(1)} µs of processor time each`;
  console.log(`  ${name}${row}   median ${figures}`);
  return { requestsPerSecond, cpuMicroseconds };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
