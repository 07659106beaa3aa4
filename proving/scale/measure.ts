import { Agent, request } from 'undici';
import type { Services } from '../../src/entry/api/endpoint.ts';
import { consoleActions } from '../../src/entry/console/api.ts';
import { panelActions } from '../../src/entry/panel/api.ts';
import type { Base } from '../../src/worlds/base.ts';
import { apiReads, filled, type Things } from './reads.ts';
import type { Served, Site } from './site.ts';

/** One call that is repeated at a site. */
export interface Measured {
  readonly name: string;
  run(): Promise<unknown>;
}

/** How much of a download is read: its length may grow with the data, but it must start at once and keep its pace. */
const FILE_BYTES = 100_000;

/** Everything partners, members and operators can ask for, one client. */
export function requestsOf(site: Site, { server, people }: Served, base: Base, things: Things): Measured[] {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  let turn = 0;
  async function get(url: string, headers: Record<string, string>): Promise<void> {
    const { statusCode, body } = await request(url, { headers, dispatcher });
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${(await body.text()).slice(0, 300)}`);
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (url.includes('.csv') && bytes > FILE_BYTES) break;
    }
  }
  const key = site.keys[0] ?? '';
  const page = (path: string, cookies: readonly string[]): Measured => ({
    name: path,
    run: () => get(`${server.urls.panel}${path}`, { cookie: cookies[turn++ % cookies.length] ?? '' }),
  });
  /** The declarations are only read: nothing is handled here. */
  const pathsOf = (actions: readonly { verb: string; path: string; signedIn?: boolean }[]): string[] =>
    actions.flatMap(({ verb, path, signedIn }) => (verb === 'GET' && signedIn ? filled(path, things) : []));
  return [
    ...apiReads(things).map(([name, path]) => ({
      name,
      run: () => get(`${server.urls.live}${path}`, { 'x-api-key': key }),
    })),
    {
      name: '/purchase/buy',
      async run() {
        const { statusCode, body } = await request(`${server.urls.live}/purchase/buy`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
          body: `product_id=${site.product}`,
          dispatcher,
        });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`purchase/buy: ${statusCode} ${text}`);
      },
    },
    ...pathsOf(panelActions(base, {} as Services)).map((path) => page(path, people.members)),
    ...pathsOf(consoleActions(base, {} as Services)).map((path) => page(path, people.operators)),
  ];
}

export interface Figure {
  /** From asking to the last byte, median. */
  readonly ms: number;
  /** Processor time of the program and its PostgreSQL for one call: says what work it was, however busy the machine is. */
  readonly cpuMs: number;
}

export interface Row {
  readonly name: string;
  readonly small: Figure;
  readonly large: Figure;
  /** Set: it could not be measured. */
  readonly failure?: string;
}

/** What is asked, and the processor time of those that answer so far, in microseconds. */
interface Answering {
  readonly one: Measured;
  used(): number;
}

const WARM_UP = 6;
/** Slow calls are repeated less often. */
const TURN_MS = 4_000;
const NOTHING: Figure = { ms: 0, cpuMs: 0 };

/** Alternates between both sites in short turns, so that other load on the machine affects both. */
export async function beside(sites: readonly [Answering, Answering], calls: number): Promise<Row> {
  const { name } = sites[1].one;
  const times: [number[], number[]] = [[], []];
  const cpu: [number, number] = [0, 0];
  const turns = 5;
  try {
    for (const { one } of sites) await forAWhile(WARM_UP, () => one.run());
    for (let turn = 0; turn < turns; turn++)
      for (const at of [0, 1] as const) {
        const { one, used } = sites[at];
        const before = used();
        await forAWhile(Math.ceil(calls / turns), async () => {
          const began = performance.now();
          await one.run();
          times[at].push(performance.now() - began);
        });
        cpu[at] += used() - before;
      }
  } catch (error) {
    return { name, small: NOTHING, large: NOTHING, failure: String(error) };
  }
  const figure = (at: 0 | 1): Figure => ({
    ms: times[at].sort((a, b) => a - b)[times[at].length >> 1] ?? 0,
    cpuMs: cpu[at] / 1000 / times[at].length,
  });
  return { name, small: figure(0), large: figure(1) };
}

async function forAWhile(times: number, work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + TURN_MS;
  for (let i = 0; i < times && performance.now() < until; i++) await work();
}
