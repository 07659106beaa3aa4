import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { benchDatabase } from '../../../bench/support/database.ts';
import { fillOrders, fillPartners, type ManyOrders } from '../../../bench/support/many-orders.ts';
import { stockShop } from '../../../bench/support/shop.ts';
import { systemClock } from '../../../src/clock.ts';
import { type Db, openDatabase } from '../../../src/db/database.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { worldRole } from '../../../src/db/rights.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { countOrders, countPlans, countSales } from '../../../src/insight/count.ts';
import { proveBooks } from '../../../src/proof/prove.ts';
import { ServerProcess } from '../../../test/support/server-process.ts';
import { type People, signIn } from './people.ts';

export interface SiteOptions extends Omit<ManyOrders, 'like'> {
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
  /** Starts the program. It is not there while orders are made: its jobs would count them meanwhile. */
  serve(): Promise<Served>;
}

export interface Served extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly people: People;
}

/** What building it took. */
export interface Built {
  readonly seconds: number;
  readonly countedSeconds: number;
  readonly bytes: number;
}

/** What proving its ledger took, all of it and then nothing that is new; and how many rules were broken. */
export interface Proved {
  readonly seconds: number;
  readonly newSeconds: number;
  readonly drift: number;
}

interface Kept {
  readonly secret: string;
  readonly keys: readonly string[];
  readonly product: string;
  readonly like?: string;
  readonly built?: Built;
}

/** Figures are counted in larger steps than the job's: nobody waits for these. */
const COUNTED_AT_ONCE = 500_000;

/** Opens the installation in its folder, and builds what is missing of it. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const { orders, dir, say } = options;
  await using undo = new AsyncDisposableStack();
  const database = undo.use(await benchDatabase(dir && join(dir, String(orders))));
  await migrate(database.url);
  const { kept, keep } = await keptIn(database.folder);
  const secret = kept?.secret ?? randomBytes(32).toString('hex');
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_DATA: database.folder,
    WAYFARE_SECRET: secret,
    WAYFARE_DEMO: 'off',
    LOG_LEVEL: 'silent',
  };
  let shop: Kept = kept ?? (await keep({ secret, ...(await stockShop(env, 2)) }));
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
  if (!shop.like) shop = await keep({ ...shop, like: await firstOrder(env, shop) });
  if (!shop.built) shop = await keep({ ...shop, built: await build(owner, options, BigInt(shop.like ?? 0)) });
  const { keys, product, built } = shop as Required<Kept>;
  const proved = await proveLedger(auditor);
  say(
    `${orders.toLocaleString('en')} orders: ${gigabytes(built.bytes)}, proved in ${proved.seconds.toFixed(1)} s, ${proved.drift} drifted`,
  );
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
    folder: database.folder,
    async serve() {
      await using started = new AsyncDisposableStack();
      const server = started.use(await ServerProcess.start({ dataDir: database.folder, env }));
      const people = await signIn(env);
      const ends = started.move();
      return { server, people, [Symbol.asyncDispose]: () => ends.disposeAsync() };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** One real purchase: all the others are like it. */
async function firstOrder(env: NodeJS.ProcessEnv, { keys, product }: Kept): Promise<string> {
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

async function build(db: Db, options: SiteOptions, like: bigint): Promise<Built> {
  const { orders, partners, say } = options;
  const began = performance.now();
  await fillPartners(db, partners);
  await db.run(sql`update wallets set opened_at = now() where opened_at is null`);
  let first: number | undefined;
  let told = 0;
  await fillOrders(db, { ...options, like }, (made) => {
    first ??= made;
    const spent = (performance.now() - began) / 1000;
    if (made < orders && made < told + orders / 20) return;
    told = made;
    const left = made > first ? (spent / (made - first)) * (orders - made) : 0;
    say(`${made.toLocaleString('en')} orders made in ${spent.toFixed()} s, about ${(left / 60).toFixed(1)} min left`);
  });
  const seconds = since(began);
  const counting = performance.now();
  await db.run(sql`analyze`);
  for (const count of [countOrders, countPlans, countSales])
    while ((await count(db, systemClock, COUNTED_AT_ONCE)) > 0);
  const countedSeconds = since(counting);
  say(`figures counted in ${countedSeconds.toFixed()} s`);
  for (const table of ['live.orders', 'live.movements', 'live.transfers', 'live.webhook_deliveries', 'live.refunds'])
    await db.run(sql`vacuum analyze ${raw(table)}`);
  await db.run(sql`analyze`);
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select pg_database_size(current_database())::float8 as bytes`);
  return { seconds, countedSeconds, bytes };
}

async function proveLedger(auditor: Db): Promise<Proved> {
  const began = performance.now();
  const { drift } = await proveBooks(auditor, () => {}, { kind: 'whole', at: new Date() });
  const seconds = since(began);
  const beganNew = performance.now();
  const { drift: ofNew } = await proveBooks(auditor, () => {}, { kind: 'new', at: new Date() });
  return { seconds, newSeconds: since(beganNew), drift: drift.length + ofNew.length };
}

const since = (began: number): number => (performance.now() - began) / 1000;

export const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** What is known of the installation in this folder. */
async function keptIn(folder: string): Promise<{ kept: Kept | undefined; keep(now: Kept): Promise<Kept> }> {
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
