import { KeyDirectory } from './accounts/accounts.ts';
import { addressList } from './address-list.ts';
import { endpoints } from './api/endpoints.ts';
import { openapiAt } from './api/openapi.ts';
import { ReadyAnswers } from './api/ready.ts';
import type { Services } from './api/services.ts';
import type { Base } from './base.ts';
import { CATALOG_CHANNEL, openCatalog } from './catalog/catalog.ts';
import { SECOND } from './clock.ts';
import { listen as listenForNotifications } from './db/listen.ts';
import { isMigrated } from './db/migrate.ts';
import type { AnswerParts } from './edge/answer.ts';
import { type Environment, Hosts } from './edge/hosts.ts';
import type { RateLimiter } from './edge/rate-limit.ts';
import { MemoryRateLimiter } from './edge/rate-limit-memory.ts';
import { RedisRateLimiter } from './edge/rate-limit-redis.ts';
import { Router } from './edge/route.ts';
import { listen } from './edge/server.ts';
import { clientAddresses } from './http/client-address.ts';
import { FixedBody } from './http/fixed-body.ts';
import { type Job, runJobs } from './jobs/runner.ts';
import { Metrics } from './metrics.ts';
import { readQrToken } from './orders/orders.ts';
import { panelApiRoutes } from './panel/api/api.ts';
import { cardRoutes } from './panel/cards.ts';
import { flagRoutes } from './panel/flags.ts';
import { healthRoutes } from './panel/health.ts';
import { listenForHealth } from './panel/health-port.ts';
import { pageRoutes } from './panel/pages.ts';
import { qrRoutes } from './panel/qr.ts';
import { servePanel } from './panel/routes.ts';
import { ACCOUNTS_CHANNEL, openPricing, PRICING_CHANNEL } from './pricing/pricing.ts';
import { provisioningJobs } from './purchase/purchase.ts';
import { openRevenueShare, revenueShareJob } from './revenue-share/revenue-share.ts';
import { TOPUPS_CHANNEL } from './topups/topups.ts';
import { HINT_CHANNEL, webhookWork } from './webhooks/webhooks.ts';

const CHANNELS = [ACCOUNTS_CHANNEL, CATALOG_CHANNEL, PRICING_CHANNEL, HINT_CHANNEL, TOPUPS_CHANNEL];

export type Role = 'all' | 'api' | 'worker' | 'panel';

/** Which part of the work a process takes. */
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
  /** Where it answers for its health and nothing else. */
  readonly healthPort: number | undefined;
  /** Before it is ended: from now on it says that it is not ready, and closes each connection after its next answer. */
  drain(): void;
}

/** Wires everything; the only place that does. What is started here is ended here, in the opposite order. */
export async function startApp(base: Base, role: Role = 'all', served = endpoints): Promise<App> {
  const { config, clock, log } = base;
  await using undo = new AsyncDisposableStack();
  const metrics = new Metrics();
  describePools(base, metrics);
  describeSuppliers(base, metrics);

  const listener = await listenForNotifications(base.url, CHANNELS, log);
  undo.defer(() => listener.close());
  const directory = new KeyDirectory(base.db, listener, log);
  undo.defer(() => directory.close());

  const catalog = await openCatalog({ db: base.db, listener, log, imageBase: config.panelUrl.href.replace(/\/$/, '') });
  undo.defer(() => catalog.close());
  const pricing = openPricing({ db: base.db, listener, clock, catalog });
  const services: Services = { catalog, pricing, ready: new ReadyAnswers() };
  const { live } = base.worlds;
  if (base.cardProvider.simulated) log.warn('card payments are simulated: a top-up costs nobody anything');

  if (roles[role].works) {
    const work = webhookWork({
      worlds: Object.values(base.worlds),
      vault: base.vault,
      sender: base.sender,
      clock,
      log,
      listener,
      wake: (job) => runner.wake(job),
    });
    undo.defer(() => work.close());
    const jobs: Job[] = [
      ...work.jobs,
      ...Object.values(base.worlds).flatMap(provisioningJobs),
      revenueShareJob(openRevenueShare(live), clock),
      { name: 'topups', everyMs: 5 * SECOND, run: () => live.topups.reconcile(clock.now()) },
    ];
    const countBatch = metrics.counter(
      'wayfare_job_batches_total',
      'Looks for work by job and outcome',
      'job',
      'outcome',
    );
    const runner = runJobs(jobs, log, countBatch);
    listener.on(TOPUPS_CHANNEL, () => runner.wake('topups'));
    undo.defer(() => runner.close());
  }

  const hosts = new Hosts(config, roles[role].serves);
  const ground = {
    directory,
    limiter: await openLimiter(base, metrics, undo),
    worlds: base.worlds,
    services,
    clock,
    clientAddress: clientAddresses(config.trustedProxies),
  };
  const answer: AnswerParts = {
    ground,
    router: new Router(served),
    websiteUrl: config.websiteUrl.href,
    openapi: new Map(hosts.all.map(({ basePath }) => [basePath, new FixedBody(Buffer.from(openapiAt(basePath)))])),
    clock,
    log,
    countRequest: metrics.counter('wayfare_requests_total', 'API requests by tier and status', 'tier', 'status'),
  };
  let draining = false;
  const health = healthRoutes(async () => !draining && isReady(base), metrics);
  const server = await listen({
    hosts,
    answer,
    panel: servePanel(
      [
        ...health,
        ...flagRoutes,
        ...qrRoutes((token) => activationCodeAt(base, token)),
        ...cardRoutes(base.cardProvider, (hint) => live.topups.hear(hint, clock.now()), clock),
        ...panelApiRoutes(base, answer),
        ...(await pageRoutes(config.webDist)),
      ],
      log,
    ),
    limits: { ...config.connections, trusted: addressList(config.trustedProxies) },
    ports: hosts.all.length === 0 ? [] : (config.listenPorts ?? hosts.ports),
    log,
  });
  undo.defer(() => server.close());

  // Last, so that it is the first to close: whoever asks a process that is stopping finds it not ready.
  const own = config.healthPort === undefined ? undefined : await listenForHealth(health, config.healthPort, log);
  if (own) undo.defer(() => own.close());

  const owned = undo.move();
  return {
    served: roles[role].serves,
    ports: server.ports,
    healthPort: own?.ports[0],
    drain() {
      draining = true;
      server.drain();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** One process counts for itself; with `REDIS_URL` any number share the quotas. */
async function openLimiter({ config, log }: Base, metrics: Metrics, undo: AsyncDisposableStack): Promise<RateLimiter> {
  if (!config.redisUrl) return new MemoryRateLimiter();
  const limiter = await RedisRateLimiter.open(config.redisUrl, log);
  undo.defer(() => limiter.close());
  const name = 'wayfare_rate_limit_counted_alone_total';
  metrics.describe(name, 'counter', 'Calls counted in this process alone because Redis was away');
  metrics.read(name, {}, () => limiter.countedAlone);
  return limiter;
}

/** What the QR code at a signed address encodes. The token names the world. */
async function activationCodeAt({ vault, worlds }: Base, token: string): Promise<string | undefined> {
  const named = readQrToken(vault, token);
  return named && worlds[named.schema].orders.activationCode(named.orderId);
}

const isReady = (base: Base): Promise<boolean> => isMigrated(base.url).catch(() => false);

function describePools(base: Base, metrics: Metrics): void {
  const name = 'wayfare_database_connections';
  metrics.describe(name, 'gauge', 'Connections by pool: used, idle, and callers waiting for one');
  const pools = { shared: base.db, live: base.worlds.live.db, sandbox: base.worlds.sandbox.db };
  for (const [pool, db] of Object.entries(pools)) {
    for (const state of ['used', 'idle', 'waiting'] as const) {
      metrics.read(name, { pool, state }, () => db.load()[state]);
    }
  }
}

function describeSuppliers({ worlds }: Base, metrics: Metrics): void {
  const name = 'wayfare_silent_suppliers';
  metrics.describe(name, 'gauge', 'Suppliers whose orders are deferred because they do not answer');
  metrics.read(name, {}, () => worlds.live.provisioning.silentSuppliers());
}
