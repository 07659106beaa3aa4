import { request } from 'undici';
import type { BareAnswer } from './bare-server.ts';
import { type Load, requestsPerSecond, type Target } from './load.ts';
import { pinnedServer } from './pinned.ts';

export interface Comparison {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
}

/** Node writes these by itself, in both servers. */
const ITS_OWN = new Set(['date', 'connection', 'keep-alive']);

/**
 * Measures `target`, served by a process on the server core, beside a bare `node:http` server on the same core that sends
 * the same bytes. The two take turns, so a machine that slows down slows both; the medians are compared.
 */
export async function besideBare(target: Target, rounds: number, load: Load): Promise<Comparison> {
  const answer = await recorded(target);
  await using server = await pinnedServer(new URL('bare-server.ts', import.meta.url), answer);
  const { pathname, search } = new URL(target.url);
  const bare: Target = { ...target, url: `http://127.0.0.1:${server.told}${pathname}${search}` };

  const rates = { ours: [] as number[], bare: [] as number[] };
  for (const warming of [target, bare]) await requestsPerSecond(warming, { ...load, seconds: 2 });
  for (let round = 0; round < rounds; round += 1) {
    rates.ours.push(await requestsPerSecond(target, load));
    rates.bare.push(await requestsPerSecond(bare, load));
  }
  const ours = median(rates.ours);
  const bareRate = median(rates.bare);
  const bytes = Buffer.byteLength(answer.body, answer.encoding);
  console.log(
    `${pathname}: ${bytes} bytes, ${load.connections} connections, ${rounds} rounds of ${load.seconds} s in turn`,
  );
  console.log(`  ours  ${row(rates.ours)}   median ${Math.round(ours)} requests/s`);
  console.log(`  bare  ${row(rates.bare)}   median ${Math.round(bareRate)} requests/s`);
  console.log(`  ratio ${((100 * ours) / bareRate).toFixed(1)} %`);
  return { ours, bare: bareRate, ratio: ours / bareRate };
}

async function recorded({ url, headers }: Target): Promise<BareAnswer> {
  const response = await request(url, { headers });
  const body = Buffer.from(await response.body.arrayBuffer());
  const encoding = response.headers['content-encoding'] === undefined ? 'utf8' : 'base64';
  const sent = Object.entries(response.headers).flatMap(([name, value]) =>
    ITS_OWN.has(name) || value === undefined ? [] : [name, String(value)],
  );
  return { status: response.statusCode, headers: sent, body: body.toString(encoding), encoding };
}

const row = (rates: readonly number[]): string => rates.map((rate) => String(Math.round(rate)).padStart(6)).join(' ');

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
