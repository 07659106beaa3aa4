import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { debianBinary } from '../../test/support/debian.ts';
import { benchDatabase, serving } from './database.ts';
import { pinnedServer } from './pinned.ts';

export interface Shop extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Where its database and key lie. */
  readonly folder: string;
  readonly pid: number;
  /** One per partner. */
  readonly keys: readonly string[];
  /** Lets so many clients buy with these keys for so long; returns purchases per second. */
  purchases(clients: number, buyers: readonly string[], seconds: number): Promise<number>;
  /** The same with batches of so many; returns eSIMs per second. */
  batches(clients: number, buyers: readonly string[], seconds: number, size: number): Promise<number>;
}

const run = promisify(execFile);

/** The whole program of a checkout, with a database of its own and partners who can pay for anything. */
export async function openShop(partners: number, checkout = join(import.meta.dirname, '../..')): Promise<Shop> {
  await using undo = new AsyncDisposableStack();
  const support = (file: string): URL => pathToFileURL(join(checkout, 'bench/support', file));
  const database = undo.use(await benchDatabase());
  const { port, env } = await serving('live', database);
  const { stockShop } = (await import(support('shop.ts').href)) as typeof import('./shop.ts');
  const { keys, product } = await stockShop(env, partners);
  const server = undo.use(await pinnedServer(support('shop-server.ts'), { env }, { core: undefined }));
  const wrk = await debianBinary('wrk');
  const kept = undo.move();

  async function called(
    path: string,
    { clients, seconds }: { clients: number; seconds: number },
    buyers: readonly string[],
    size: readonly string[],
  ) {
    const file = join(database.folder, `keys-${buyers.length}`);
    await writeFile(file, buyers.join('\n'));
    const seed = randomBytes(4).toString('hex');
    const script = join(import.meta.dirname, 'buy.lua');
    const url = `http://localhost:${port}/v3/purchase/${path}`;
    const args = ['-t1', `-c${clients}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url];
    const { stdout } = await run(wrk.path, [...args, '--', product, seed, file, ...size], {
      env: { ...process.env, ...wrk.env },
    });
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`not every purchase was answered:\n${stdout}`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  }

  return {
    databaseUrl: database.url,
    folder: database.folder,
    pid: server.pid,
    keys,
    purchases: (clients, buyers, seconds) => called('buy', { clients, seconds }, buyers, []),
    batches: async (clients, buyers, seconds, size) =>
      size * (await called('batch', { clients, seconds }, buyers, [String(size)])),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
