import { keyActor } from './actions/actor.ts';
import { endpoints } from './api/endpoints.ts';
import { PreparedAnswers } from './api/prepared.ts';
import { ReadyAnswers } from './api/ready.ts';
import type { Services } from './api/services.ts';
import type { Base } from './base.ts';
import { CATALOG_CHANNEL, type Catalog, openCatalog } from './catalog/catalog.ts';
import { consoleApiRoutes } from './console/api.ts';
import { listen as listenForNotifications } from './db/listen.ts';
import { createReadiness } from './db/readiness.ts';
import type { AnswerParts } from './edge/answer.ts';
import { description } from './edge/description.ts';
import { type Environment, Hosts } from './edge/hosts.ts';
import type { RateLimiter } from './edge/rate-limit.ts';
import { MemoryRateLimiter } from './edge/rate-limit-memory.ts';
import { Router } from './edge/route.ts';
import { listen } from './edge/server.ts';
import { addressList } from './http/address-list.ts';
import { clientAddresses } from './http/client-address.ts';
import { KeyDirectory } from './keys/keys.ts';
import { Budgets } from './limits/budget.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { connectionsOf, readDatabaseSettings, whyUnfit } from './measure/database-settings.ts';
import { measuredLimiter, measuredPurchases } from './measure/measure.ts';
import { startHeartbeat, writeNotes } from './measure/notes.ts';
import { watchProcess } from './measure/process-figures.ts';
import { readQrToken } from './order-lists/order-lists.ts';
import { panelApiRoutes } from './panel/api.ts';
import { ACCOUNTS_CHANNEL, openPricing, PRICING_CHANNEL } from './pricing/pricing.ts';
import { browserPages } from './public/browser-pages.ts';
import { openRoutes, ROUTES_CHANNEL } from './routes/routes.ts';
import { cardRoutes } from './site/cards.ts';
import { flagRoutes } from './site/flags.ts';
import { healthPanelRoutes, healthPortRoutes, listenForHealth } from './site/health.ts';
import { serveSite } from './site/routes.ts';
import { supplierRoutes } from './site/supplier-webhooks.ts';
import { SUPPLIERS_CHANNEL, type SupplierNotice } from './suppliers/suppliers.ts';
import { TOPUPS_CHANNEL } from './topups/topups.ts';
import { crowdReads } from './traveller/crowd.ts';
import { type FindQr, qrRoutes } from './traveller/qr.ts';
import { type FindLink, travellerRoutes } from './traveller/traveller.ts';
import { readLinkToken } from './traveller-links/traveller-links.ts';
import { HINT_CHANNEL } from './webhooks/webhooks.ts';
import { startWork } from './work.ts';
import type { World } from './worlds/world.ts';

const CHANNELS = [
  ACCOUNTS_CHANNEL,
  CATALOG_CHANNEL,
  PRICING_CHANNEL,
  ROUTES_CHANNEL,
  SUPPLIERS_CHANNEL,
  HINT_CHANNEL,
  TOPUPS_CHANNEL,
];

export type Role = 'all' | 'api' | 'worker' | 'panel';

/** Which part of the work a process does. */
const roles: Readonly<Record<Role, { serves: readonly Environment[]; works: boolean }>> = {
  all: { serves: ['sandbox', 'live', 'legacy', 'panel'], works: true },
  api: { serves: ['sandbox', 'live', 'legacy'], works: false },
  panel: { serves: ['panel'], works: false },
  worker: { serves: [], works: true },
};

export interface App extends AsyncDisposable {
  /** The environments it answers for. */
  readonly served: readonly Environment[];
  readonly ports: readonly number[];
  /** The address that serves health and metrics only. */
  readonly healthPort: number | undefined;
  /** Has each of its jobs look for work now, and resolves when they have. */
  work(): Promise<void>;
  /** Before stopping: from now on it reports not ready, and closes each connection after its next answer. */
  drain(): void;
}

/** Builds a serving process. What is started here is ended here, in the opposite order. */
export async function startApp(base: Base, role: Role = 'all', served = endpoints): Promise<App> {
  const { config, clock, log, metrics } = base;
  await using undo = new AsyncDisposableStack();
  watchProcess(base);

  const listener = await listenForNotifications(base.url, CHANNELS, log);
  undo.defer(() => listener.close());
  const directory = new KeyDirectory(base.db, listener, log);
  undo.defer(() => directory.close());
  base.supplierAccounts.follow(listener);

  const catalog = await openCatalog({ db: base.db, listener, log, imageBase: config.panelUrl.href.replace(/\/$/, '') });
  undo.defer(() => catalog.close());
  const routes = undo.use(await openRoutes({ db: base.db, listener, catalog, clock, log }));
  const pricing = openPricing({ db: base.db, listener, clock, catalog });
  const services: Services = {
    catalog,
    pricing,
    routes,
    ready: new ReadyAnswers(),
    prepared: new PreparedAnswers(),
    actorOf: (key) => keyActor(base, key),
    forgetKeys: () => directory.forget(),
  };
  const { live } = base.worlds;
  if (base.cardProvider.simulated) log.warn('card payments are simulated: top-ups give money away');

  const work = roles[role].works ? startWork(base, listener, routes, undo) : undefined;
  await startHeartbeat(base, role, work?.jobs ?? [], undo);
  for (const setting of await readDatabaseSettings(base.db, clock.now(), connectionsOf(config)))
    if (setting.isUnfit) log.warn({ setting: setting.setting, value: setting.value }, whyUnfit(setting));

  // Before the server starts, so that what it noted last is written after it has closed.
  writeNotes(base, undo);

  const hosts = new Hosts(config, roles[role].serves);
  const ground = {
    directory,
    limiter: measuredLimiter(await openLimiter(base, undo), metrics),
    worlds: base.worlds,
    services,
    clock,
    clientAddress: clientAddresses(config.trustedProxies),
  };
  const budgets = new Budgets(config.requestMs);
  undo.defer(() => budgets.close());
  const answer: AnswerParts = {
    ground,
    router: new Router(measuredPurchases(served, metrics)),
    websiteUrl: config.websiteUrl.href,
    panelUrl: config.panelUrl.href,
    openapi: description(config),
    budgets,
    clock,
    log,
    countRequest: metrics.countRequest,
  };
  let draining = false;
  const isReady = createReadiness({ pools: [base.db, base.pools.live, base.pools.sandbox], listener, clock });
  const health = {
    isReady: async () => !draining && (await isReady()),
    metrics: metrics.print,
    clientAddress: ground.clientAddress,
  };
  const { clientAddress } = ground;
  const read = crowdReads();
  const server = await listen({
    hosts,
    answer,
    panel: serveSite(
      [
        ...healthPanelRoutes(health, config.healthPort !== undefined),
        ...flagRoutes,
        ...qrRoutes(qrAt(base), read, clientAddress),
        ...travellerRoutes({
          findLink: linkAt(base, catalog),
          catalog,
          clock,
          read,
          clientAddress,
          panelUrl: config.panelUrl,
        }),
        ...cardRoutes(base.cardProvider, (hint) => live.topups.hear(hint, clock.now()), clock),
        ...supplierRoutes({
          settings: config,
          accounts: base.supplierAccounts,
          clock,
          hear: (kind, notice) => heed(live, kind, notice),
        }),
        ...panelApiRoutes(base, answer),
        ...mcpRoutes(base, answer),
        ...consoleApiRoutes(base, answer),
        ...(await browserPages(base, answer.openapi)),
      ],
      { log, budgets },
    ),
    host: config.listenHost,
    limits: { ...config.connections, trusted: addressList(config.trustedProxies) },
    requestMs: config.requestMs,
    ports: hosts.all.length === 0 ? [] : (config.listenPorts ?? hosts.ports),
    log,
  });
  undo.defer(() => server.close());

  // Last, so that it closes first and a stopping process no longer reports as healthy.
  const own =
    config.healthPort === undefined
      ? undefined
      : await listenForHealth(healthPortRoutes(health), { port: config.healthPort, host: config.healthHost }, log);
  if (own) undo.defer(() => own.close());

  const owned = undo.move();
  return {
    served: roles[role].serves,
    ports: server.ports,
    healthPort: own?.ports[0],
    work: async () => void (await work?.wakeAll()),
    drain() {
      draining = true;
      server.drain();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Without `REDIS_URL` each process counts by itself; with it, all share the quotas. */
async function openLimiter({ config, log, metrics }: Base, undo: AsyncDisposableStack): Promise<RateLimiter> {
  if (!config.redisUrl) return new MemoryRateLimiter();
  // Its client is loaded only where it is used.
  const { RedisRateLimiter } = await import('./edge/rate-limit-redis.ts');
  const limiter = await RedisRateLimiter.open(config.redisUrl, log);
  undo.defer(() => limiter.close());
  metrics.beforePrint(() => {
    metrics.countedAlone.reset();
    metrics.countedAlone.inc(limiter.countedAlone);
  });
  return limiter;
}

/** A supplier's notification brings forward an eSIM's next reading or an order's next attempt. */
async function heed({ usage, provisioning }: World, kind: string, notice: SupplierNotice): Promise<void> {
  if (notice.iccid !== undefined) await usage.hasten(kind, notice.iccid);
  if (notice.supplierOrder !== undefined) await provisioning.hasten(kind, notice.supplierOrder);
}

/** What the QR code at a signed address encodes. The token names the world. */
const qrAt =
  ({ vault, worlds }: Base): FindQr =>
  (token) => {
    const named = readQrToken(vault, token);
    return named && { activationCode: () => worlds[named.schema].orders.activationCode(named.orderId) };
  };

/** The traveller's page at a signed address. The token names the world. */
const linkAt =
  ({ vault, worlds }: Base, catalog: Catalog): FindLink =>
  (token) => {
    const named = readLinkToken(vault, token);
    if (!named) return undefined;
    const { travellerLinks } = worlds[named.schema];
    return { links: travellerLinks, open: () => travellerLinks.open(named, catalog) };
  };
