import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCards } from '../domains/billing/topups/topups.ts';
import { openMail } from '../domains/messages/mail/mail.ts';
import { openOutgoing } from '../domains/messages/webhooks/webhooks.ts';
import { createStock } from '../domains/supply/stock/stock.ts';
import { createSupplierFigures, type ObserveCall, openSuppliers } from '../domains/supply/supply.ts';
import { type Clock, SECOND } from '../platform/clock.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../platform/db/database.ts';
import { runningPostgres, startPostgres } from '../platform/db/embedded/embedded.ts';
import { migrate } from '../platform/db/migrate/migrate.ts';
import { worldRole } from '../platform/db/migrate/rights.ts';
import { requireMigrated } from '../platform/db/migrate/schema-state.ts';
import { type Readers, readsOn } from '../platform/db/replicas.ts';
import { searchPathOf } from '../platform/db/search-path.ts';
import { requireKnownProcesses, watchVersions } from '../platform/jobs/processes.ts';
import type { Log } from '../platform/log.ts';
import { createMetrics } from '../platform/measure/metrics.ts';
import type { Config } from '../platform/settings/config.ts';
import { addressesIn } from '../platform/settings/environment.ts';
import { lockFolder, requireDataFolder } from '../platform/start/requirements.ts';
import { checkVault, newSecret, openVault } from '../platform/vault/secrets.ts';
import { liveWorld } from './live.ts';
import { sandboxWorld } from './sandbox.ts';

/** What both the server and the command line stand on: the database with its two worlds, and the vault. */
export type Base = Awaited<ReturnType<typeof openBase>>;

interface BaseOptions {
  config: Config;
  clock: Clock;
  log: Log;
  /**
   * `server` owns the data folder; the others work beside a running server, or start the database for themselves. A `guest` leaves
   * the schema alone and refuses one that is not current: an upgrade must not begin because somebody listed partners.
   */
  as: 'server' | 'migrator' | 'guest';
  /** Called when our own database has begun to start, which takes a while and leaves this process nothing to do. */
  meanwhile?: () => void;
}

export async function openBase({ config, clock, log, as, meanwhile }: BaseOptions) {
  await using undo = new AsyncDisposableStack();
  const url = config.databaseUrl ?? (await ownDatabase(config.dataDir, as, log, undo, meanwhile));
  // A server that has started the database itself is its only user; rows of others are of processes that were killed.
  const others = config.databaseUrl || as !== 'server' ? { requireOthers: requireKnownProcesses } : {};
  await (as === 'guest' ? requireMigrated(url) : migrate(url, log, others));
  const open = (name: string, more: Partial<DatabaseOptions> & { searchPath: string }): Db => {
    const onIdleError = (error: Error) => log.warn({ err: error, pool: name }, 'an idle database connection ended');
    const db = openDatabase({ url, name, onIdleError, statementTimeoutMs: statementLimitMs(config), ...more });
    undo.defer(() => db.close());
    return db;
  };
  const db = open('shared', { searchPath: 'shared', maxConnections: config.pools.shared });
  const ofWorld = (world: 'live' | 'sandbox'): Readers => {
    const session = { role: worldRole[world], searchPath: searchPathOf(world), inIndexOrder: true };
    const maxConnections = config.pools[world];
    const primary = open(world, { ...session, maxConnections });
    const replicas = config.databaseReadUrl ? addressesIn(config.databaseReadUrl) : [];
    const followers = replicas.map((replica) => open(`${world} reads`, { ...session, maxConnections, url: replica }));
    return { db: primary, reads: readsOn(primary, followers, (by) => metrics.reads.inc({ world, answered_by: by })) };
  };
  const metrics = createMetrics();
  const live = ofWorld('live');
  const sandbox = ofWorld('sandbox');
  const { isAlone } = undo.use(await watchVersions(db, clock));
  const vault = openVault(config.secret ?? (await secretOf(config.dataDir)), config.oldSecrets, isAlone);
  await checkVault(db, vault);
  const { guard, sender, prober, fetch } = openOutgoing({ trustedHosts: config.webhookTrustedHosts, log });
  undo.defer(() => sender.close());
  const supplierFigures = createSupplierFigures(db, clock, log);
  const observe: ObserveCall = (...call) => {
    metrics.supplierCall(...call);
    supplierFigures.count(...call);
  };
  const stock = createStock({ db: live.db, vault, clock, log });
  const own = { stock: stock.supplier };
  const ofSuppliers = undo.use(openSuppliers(config, { db, url, clock, log, vault, observe, own }));
  const { suppliers, kinds: supplierKinds, accounts: supplierAccounts } = ofSuppliers;
  undo.defer(() => supplierFigures.flush());
  const mail = openMail(config.mail, { vault, sender: { siteName: config.site.name, panelUrl: config.panelUrl } });
  const parts = {
    vault,
    prober,
    clock,
    log,
    panelUrl: config.panelUrl,
    mail,
    invoicing: config.invoicing,
    look: config.site,
    ...config.provisioning,
    countChargeDifference: (supplier: string, direction: 'higher' | 'lower') =>
      metrics.chargeDifferences.inc({ supplier, direction }),
    countRouted: (from: string, to: string, reason: string) => metrics.routedOrders.inc({ from, to, reason }),
  };
  const cardProvider = await openCards(config, live.db);
  const owned = undo.move();
  return {
    config,
    clock,
    log,
    url,
    /** The owner's connection, for what both worlds share: partners, keys, catalog, settings, the audit log. */
    db,
    /** Kinds of supplier the environment of this process has settings for. */
    supplierKinds,
    supplierAccounts,
    stock,
    supplierFigures,
    worlds: {
      live: liveWorld({ ...parts, ...live, suppliers, cards: cardProvider.cards }),
      sandbox: sandboxWorld({ ...parts, ...sandbox }),
    },
    pools: { shared: db, live: live.db, sandbox: sandbox.db },
    vault,
    guard,
    /** The only sender to addresses that partners choose. */
    sender,
    fetch,
    cardProvider,
    mail,
    metrics,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const LONGEST_STATEMENT_MS = 10 * SECOND;

/** A request whose statement waits for a lock must still have time to answer. */
const statementLimitMs = ({ requestMs }: Config): number => Math.min(LONGEST_STATEMENT_MS, requestMs / 2);

/** The address of the embedded database. `undo` stops it, if it had to be started for us. */
export async function ownDatabase(
  dataDir: string,
  as: BaseOptions['as'],
  log: Log,
  undo: AsyncDisposableStack,
  meanwhile?: () => void,
): Promise<string> {
  await requireDataFolder(dataDir);
  const running = as !== 'server' ? await runningPostgres(dataDir) : undefined;
  if (running) return running;
  const lock = await lockFolder(dataDir);
  undo.defer(() => lock.release());
  const postgres = await startPostgres(dataDir, log, [], undefined, meanwhile);
  undo.defer(() => postgres.stop());
  return postgres.url;
}

export const keptSecret = async (dataDir: string): Promise<string | undefined> =>
  (await readFile(join(dataDir, 'secret'), 'utf8').catch(() => undefined))?.trim();

/** The secret in the data folder, made on first use. It appears there whole or not at all: without it nothing could be read. */
async function secretOf(dataDir: string): Promise<string> {
  const kept = await keptSecret(dataDir);
  if (kept) return kept;
  const file = join(dataDir, 'secret');
  await requireDataFolder(dataDir);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${newSecret()}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    // Another process was quicker: its secret is the one.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(file, 'utf8')).trim();
}
