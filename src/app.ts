import { keyActor } from './actions/actor.ts';
import { TOPUPS_CHANNEL } from './domains/billing/topups/topups.ts';
import { CATALOG_CHANNEL, type Catalog, openCatalog } from './domains/catalog/catalog.ts';
import { ACCOUNTS_CHANNEL, openPricing, PRICING_CHANNEL } from './domains/catalog/prices/prices.ts';
import { HINT_CHANNEL } from './domains/messages/webhooks/webhooks.ts';
import { byClient, KeyDirectory } from './domains/partners/keys/keys.ts';
import { readQrToken } from './domains/sales/order-lists/order-lists.ts';
import { openRoutes, ROUTES_CHANNEL } from './domains/supply/routes/routes.ts';
import { SUPPLIERS_CHANNEL, type SupplierNotice } from './domains/supply/supply.ts';
import { readLinkToken } from './domains/travellers/travellers.ts';
import { openDoor } from './entry/api/airalo/door.ts';
import type { Services } from './entry/api/endpoint.ts';
import { endpoints } from './entry/api/endpoints.ts';
import type { AnswerParts } from './entry/api/gates/answer.ts';
import { description } from './entry/api/gates/description.ts';
import { type Environment, Hosts } from './entry/api/gates/hosts.ts';
import { Router } from './entry/api/gates/route.ts';
import { serveHosts } from './entry/api/gates/server.ts';
import { measuredLimiter, measuredPurchases } from './entry/api/measured.ts';
import { PreparedAnswers, ReadyAnswers } from './entry/api/ready.ts';
import { consoleApiRoutes } from './entry/console/api.ts';
import { mcpRoutes } from './entry/mcp/routes.ts';
import { panelApiRoutes } from './entry/panel/api.ts';
import { browserPages } from './entry/public/public.ts';
import { healthPanelRoutes, healthPortRoutes, listenForHealth } from './entry/site/health.ts';
import { cardRoutes } from './entry/site/pages/cards.ts';
import { flagRoutes } from './entry/site/pages/files.ts';
import { serveSite } from './entry/site/routes.ts';
import { supplierRoutes } from './entry/site/supplier-webhooks.ts';
import { crowdReads } from './entry/traveller/crowd.ts';
import { type FindQr, qrRoutes } from './entry/traveller/qr.ts';
import { type FindLink, travellerRoutes } from './entry/traveller/traveller.ts';
import { listenForNotifications } from './platform/db/notifications.ts';
import { createReadiness } from './platform/db/readiness.ts';
import { addressList } from './platform/http/address-list.ts';
import { clientAddresses } from './platform/http/client-address.ts';
import { Budgets } from './platform/limits/budget.ts';
import { MemoryRateLimiter, type RateLimiter } from './platform/limits/rate-limit.ts';
import { connectionsOf, readDatabaseSettings, whyUnfit } from './platform/measure/database-figures.ts';
import { version } from './platform/settings/version.ts';
import { startTraces } from './platform/traces/traces.ts';
import { startWork } from './work.ts';
import type { Base } from './worlds/base.ts';
import { startHeartbeat, watchProcess, writeNotes } from './worlds/process-notes.ts';
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

export type App = Awaited<ReturnType<typeof startApp>>;

/** Builds a serving process. What is started here is ended here, in the opposite order. */
export async function startApp(base: Base, role: Role = 'all', served = endpoints) {
  const { config, clock, log, metrics } = base;
  await using undo = new AsyncDisposableStack();
  undo.use(await startTraces(config.traces, { version, log }));
  watchProcess(base);

  const listener = await listenForNotifications(base.url, CHANNELS, log);
  undo.defer(() => listener.close());
  const directory = new KeyDirectory(base.db, listener, log);
  undo.defer(() => directory.close());
  const clients = config.airaloDoor ? new KeyDirectory(base.db, listener, log, byClient) : undefined;
  if (clients) undo.defer(() => clients.close());
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
    forgetKeys() {
      directory.forget();
      clients?.forget();
    },
  };
  const { live } = base.worlds;
  if (base.cardProvider.simulated) log.warn('card payments are simulated: top-ups give money away');

  const work = roles[role].works ? startWork(base, listener, services, undo) : undefined;
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
  const router = new Router(measuredPurchases(served, metrics));
  const { vault, sender, guard } = base;
  const shop = { router, budgets, sender, guard, clock, log, dedupes: config.airaloDedupes };
  const answer: AnswerParts = {
    ground,
    router,
    door: clients && openDoor({ clients, vault }, shop),
    websiteUrl: config.websiteUrl.href,
    panelUrl: config.panelUrl.href,
    openapi: description(config),
    budgets,
    clock,
    log,
    countRequest: metrics.countRequest,
  };
  let draining = false;
  const whyNotReady = createReadiness({ pools: [base.db, base.pools.live, base.pools.sandbox], listener, clock });
  const health = {
    whyNotReady: async () => (draining ? 'this process is stopping' : whyNotReady()),
    metrics: metrics.print,
    clientAddress: ground.clientAddress,
  };
  const { clientAddress } = ground;
  const read = crowdReads();
  const server = await serveHosts({
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
          routes,
          budgets,
        }),
        ...cardRoutes(base.cardProvider, (hint) => live.topups.notify(hint, clock.now()), clock, config.site),
        ...supplierRoutes({
          settings: config,
          accounts: base.supplierAccounts,
          clock,
          onNotice: (kind, notice) => bringForward(live, kind, notice),
        }),
        ...panelApiRoutes(base, answer),
        ...mcpRoutes(base, answer),
        ...consoleApiRoutes(base, answer),
        ...(await browserPages(base, answer.openapi, catalog)),
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
    /** The environments it answers for. */
    served: roles[role].serves,
    ports: server.ports,
    /** The address that serves health and metrics only. */
    healthPort: own?.ports[0],
    /** Has each of its jobs, or only these, look for work now, and resolves when they have. */
    work: async (...only: string[]) => void (await work?.wakeAll(only.length > 0 ? only : undefined)),
    /** Before stopping: from now on it reports not ready, and closes each connection after its next answer. */
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
  const { RedisRateLimiter } = await import('./platform/limits/rate-limit-redis.ts');
  const limiter = await RedisRateLimiter.open(config.redisUrl, log);
  undo.defer(() => limiter.close());
  metrics.beforePrint(() => {
    metrics.countedAlone.reset();
    metrics.countedAlone.inc(limiter.countedAlone);
  });
  return limiter;
}

/** A supplier's notification reports on an eSIM on the phone, and brings forward its next reading or an order's next attempt. */
async function bringForward({ usage, provisioning }: World, kind: string, notice: SupplierNotice): Promise<void> {
  if (notice.iccid !== undefined && notice.profile) await usage.noteProfile(kind, notice.iccid, notice.profile);
  if (notice.iccid !== undefined) await usage.expedite(kind, notice.iccid);
  if (notice.supplierOrder !== undefined) await provisioning.expedite(kind, notice.supplierOrder);
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
    const { travellerLinks, help } = worlds[named.schema];
    return { links: travellerLinks, help, open: () => travellerLinks.open(named, catalog) };
  };
