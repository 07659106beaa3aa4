import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { debianBinary } from '../../../test/support/debian/debian.ts';
import { benchDatabase, serving } from './database.ts';
import { pinnedServer } from './pinned.ts';
import { postgresIn } from './processor-time.ts';

export interface Shop extends AsyncDisposable {
  readonly databaseUrl: string;
  /** The folder with its database and key. */
  readonly folder: string;
  /** Of the processes that serve. */
  readonly pids: readonly number[];
  /** One per partner. */
  readonly keys: readonly string[];
  /** Buys with this many clients and these keys for this long; returns purchases per second. */
  purchases(clients: number, buyers: readonly string[], seconds: number): Promise<number>;
  /** The same with batches of this size; returns eSIMs per second. */
  batches(clients: number, buyers: readonly string[], seconds: number, size: number): Promise<number>;
  /** Reads this path with this many clients; returns reads per second. */
  reads(clients: number, path: string, seconds: number): Promise<number>;
  /** Halts its processes, PostgreSQL's too, until the result is disposed of: what they put off is not done in another shop's time. */
  halt(): Disposable;
}

const run = promisify(execFile);

/**
 * The whole program of a checkout, with a database of its own and partners who can pay for anything. Clients are spread evenly over
 * its processes.
 */
export async function openShop(
  partners: number,
  checkout = join(import.meta.dirname, '../../..'),
  processes = 1,
): Promise<Shop> {
  await using undo = new AsyncDisposableStack();
  // Checkouts from before `proving/` have the benches at the top.
  const folder = existsSync(join(checkout, 'proving')) ? 'proving/bench/support' : 'bench/support';
  const support = (file: string): URL => pathToFileURL(join(checkout, folder, file));
  const database = undo.use(await benchDatabase());
  const { port, env } = await serving('live', database);
  const { stockShop } = (await import(support('shop.ts').href)) as typeof import('./shop.ts');
  const { keys, product } = await stockShop(env, partners);
  const servers: { readonly port: number; readonly pid: number }[] = [];
  for (let i = 0; i < processes; i++) {
    const { port: own, env: its } = i === 0 ? { port, env } : await serving('live', database);
    const server = undo.use(await pinnedServer(support('shop-server.ts'), { env: its }, { core: undefined }));
    servers.push({ port: own, pid: server.pid });
  }
  const wrk = await debianBinary('wrk');
  const kept = undo.move();

  /** A wrk for each process; the sum of their rates. */
  async function load(
    { clients, seconds }: { clients: number; seconds: number },
    flags: readonly string[],
    path: string,
    args: (at: number) => readonly string[],
  ): Promise<number> {
    const rates = await Promise.all(
      servers.map(async ({ port: at }, i) => {
        const ours = ['-t1', `-c${clients / processes}`, `-d${seconds}s`, '--timeout', '30s', ...flags];
        const { stdout } = await run(wrk.path, [...ours, `http://localhost:${at}/v3${path}`, ...args(i)], {
          env: { ...process.env, ...wrk.env },
        });
        if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not every request was answered:\n${stdout}`);
        return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
      }),
    );
    return rates.reduce((sum, rate) => sum + rate, 0);
  }

  async function called(
    path: string,
    amount: { clients: number; seconds: number },
    buyers: readonly string[],
    size: readonly string[],
  ) {
    const file = join(database.folder, `keys-${buyers.length}`);
    await writeFile(file, buyers.join('\n'));
    const seed = randomBytes(4).toString('hex');
    const script = join(import.meta.dirname, 'buy.lua');
    return load(amount, ['-s', script], `/purchase/${path}`, (at) => ['--', product, `${seed}${at}`, file, ...size]);
  }

  return {
    databaseUrl: database.url,
    folder: database.folder,
    pids: servers.map(({ pid }) => pid),
    keys,
    purchases: (clients, buyers, seconds) => called('buy', { clients, seconds }, buyers, []),
    batches: async (clients, buyers, seconds, size) =>
      size * (await called('batch', { clients, seconds }, buyers, [String(size)])),
    reads: (clients, path, seconds) => load({ clients, seconds }, ['-H', `X-API-Key: ${keys[0]}`], path, () => []),
    halt() {
      const halted = [...servers.map(({ pid }) => pid), ...postgresIn(database.folder)].filter((pid) =>
        told(pid, 'SIGSTOP'),
      );
      return {
        [Symbol.dispose]() {
          for (const pid of halted) told(pid, 'SIGCONT');
        },
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Whether the process is still there. */
function told(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
