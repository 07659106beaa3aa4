import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { proveBooks } from '../../src/domains/money/proof/prove.ts';
import { type Db, openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { worldRole } from '../../src/platform/db/migrate/rights.ts';
import { ServerProcess } from '../../test/support/program/server-process.ts';
import { benchDatabase } from '../bench/support/database.ts';
import type { ManyOrders } from '../bench/support/many-orders.ts';
import { stockShop } from '../bench/support/shop.ts';
import { type Built, build, since } from './build.ts';
import { type People, signIn } from './people.ts';

interface SiteOptions extends Omit<ManyOrders, 'like'> {
  /** Where its database is kept; undefined: it is removed at the end. */
  readonly dir: string | undefined;
  say(line: string): void;
}

/** A whole installation of one size: its database, and the program that serves it. */
export interface Site extends AsyncDisposable {
  readonly orders: number;
  /** As the owner, without limits. */
  readonly owner: Db;
  /** Planned as the program's own statements are. */
  readonly live: Db;
  /** As `audit` has it. */
  readonly auditor: Db;
  readonly env: NodeJS.ProcessEnv;
  /** Of the first partner, which has a fifth of the orders, and of the second, which has few. */
  readonly keys: readonly string[];
  readonly product: string;
  readonly built: Built;
  readonly proved: Proved;
  /** Where its database lies. */
  readonly folder: string;
  /** Starts the program. It does not run while orders are made: its jobs would count them meanwhile. */
  serve(): Promise<Served>;
}

export interface Served extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly people: People;
}

/** The time of a proof of its ledger, and the number of broken rules. */
export interface Proved {
  readonly seconds: number;
  readonly drift: number;
}

interface Kept {
  readonly secret: string;
  readonly keys: readonly string[];
  readonly product: string;
  /** The order that all the others are like. */
  readonly like?: string;
  readonly built?: Built;
  readonly proved?: Proved;
}

/** Opens the installation in its folder, and builds what is missing of it. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { orders, dir, say } = options;
  await using undo = new AsyncDisposableStack();
  const folder = dir ? join(dir, String(orders)) : await mkdtemp(join(tmpdir(), 'wayfare-scale-'));
  if (!dir) undo.defer(() => rm(folder, { recursive: true, force: true }));
  const file = await keptIn(folder);
  const begun = file.kept?.like ? file.kept : await firstOrder(folder, file);
  const filled: Kept = begun.built
    ? begun
    : await file.keep({ ...begun, built: await build({ ...options, folder, like: BigInt(begun.like ?? 0) }) });
  const database = undo.use(await benchDatabase(folder));
  await migrate(database.url);
  const open = (more: object): Db => {
    const db = openDatabase({
      url: database.url,
      name: 'scale',
      searchPath: 'live,shared',
      statementTimeoutMs: 0,
      ...more,
    });
    undo.defer(() => db.close());
    return db;
  };
  const owner = open({});
  const auditor = open({ role: worldRole.live });
  const live = open({ role: worldRole.live, inIndexOrder: true });
  const shop = filled.proved ? filled : await file.keep({ ...filled, proved: await proveLedger(auditor) });
  const { keys, product, built, proved, secret } = shop as Required<Kept>;
  say(
    `${orders.toLocaleString('en')} orders: ${gigabytes(built.bytes)}, proved in ${proved.seconds.toFixed(1)} s, ${proved.drift} drifted`,
  );
  const env = envOf(database, secret);
  const owned = undo.move();
  return {
    orders,
    owner,
    live,
    auditor,
    env,
    keys,
    product,
    built,
    proved,
    folder,
    async serve() {
      await using started = new AsyncDisposableStack();
      const server = started.use(await ServerProcess.start({ dataDir: folder, env }));
      const people = await signIn(env);
      const ends = started.move();
      return { server, people, [Symbol.asyncDispose]: () => ends.disposeAsync() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const envOf = ({ url, folder }: { readonly url: string; readonly folder: string }, secret: string) => ({
  DATABASE_URL: url,
  WAYFARE_DATA: folder,
  WAYFARE_SECRET: secret,
  WAYFARE_DEMO: 'off',
  LOG_LEVEL: 'silent',
});

/** An empty installation, and one real purchase: all the others are like it. */
async function firstOrder(folder: string, { kept, keep }: KeptFile): Promise<Kept> {
  await using database = await benchDatabase(folder);
  await migrate(database.url);
  const secret = kept?.secret ?? randomBytes(32).toString('hex');
  const env = envOf(database, secret);
  const shop = kept ?? (await keep({ secret, ...(await stockShop(env, 2)) }));
  return keep({ ...shop, like: await buyOne(env, shop) });
}

async function buyOne(env: NodeJS.ProcessEnv, { keys, product }: Kept): Promise<string> {
  await using server = await ServerProcess.start({ dataDir: env.WAYFARE_DATA ?? '', env });
  const { body } = await request(`${server.urls.live}/purchase/buy`, {
    method: 'POST',
    headers: { 'x-api-key': keys[0] ?? '', 'content-type': 'application/x-www-form-urlencoded' },
    body: `product_id=${product}`,
  });
  const answer = (await body.json()) as { id?: string; delivery?: string };
  if (answer.delivery !== 'delivered') throw new Error(`the first order was not delivered: ${JSON.stringify(answer)}`);
  return answer.id as string;
}

async function proveLedger(auditor: Db): Promise<Proved> {
  const began = performance.now();
  const { drift } = await proveBooks(auditor, () => {});
  return { seconds: since(began), drift: drift.length };
}

export const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** What is known of the installation in a folder. */
interface KeptFile {
  readonly kept: Kept | undefined;
  keep(now: Kept): Promise<Kept>;
}

async function keptIn(folder: string): Promise<KeptFile> {
  const file = join(folder, 'scale.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return {
    kept: text ? (JSON.parse(text) as Kept) : undefined,
    async keep(now) {
      await writeFile(file, JSON.stringify(now), { mode: 0o600 });
      return now;
    },
  };
}
