import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY, HOUR, SECOND } from '../clock.ts';
import { badAddresses } from '../http/address-list.ts';
import type { TraceSettings } from '../traces/traces.ts';
import { ConfigError, type Settings, settingsOf } from './environment.ts';
import { readInvoiceSettings } from './invoices.ts';
import { readMailSettings } from './mail.ts';
import { readOidcSettings } from './oidc.ts';
import { withSecretFiles } from './secret-files.ts';
import { readSignUp, readSiteSettings } from './site.ts';
import { readPartnerV3, readSupplierAccounts } from './supplier-accounts.ts';

function readCardSettings(env: NodeJS.ProcessEnv, { url, credential }: Settings) {
  const secretKey = credential('STRIPE_SECRET_KEY');
  const webhookSecret = credential('STRIPE_WEBHOOK_SECRET') ?? '';
  const publishableKey = credential('STRIPE_PUBLISHABLE_KEY');
  if (secretKey && !/^(sk|rk)_/.test(secretKey))
    throw new ConfigError('STRIPE_SECRET_KEY must be a secret or restricted key (sk_… or rk_…)');
  if (webhookSecret && !webhookSecret.startsWith('whsec_'))
    throw new ConfigError('STRIPE_WEBHOOK_SECRET must be the signing secret of the endpoint (whsec_…)');
  if (secretKey && !webhookSecret) throw new ConfigError('STRIPE_SECRET_KEY also needs STRIPE_WEBHOOK_SECRET');
  // Partners get to see it, so a secret key in its place must not start.
  if (publishableKey && !publishableKey.startsWith('pk_'))
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_…)');
  const cardPayments = env.CARD_PAYMENTS || (secretKey ? 'stripe' : env.DATABASE_URL ? 'off' : 'simulated');
  if (cardPayments !== 'stripe' && cardPayments !== 'simulated' && cardPayments !== 'off')
    throw new ConfigError('CARD_PAYMENTS must be stripe, simulated or off');
  if (cardPayments === 'stripe' && !secretKey) throw new ConfigError('CARD_PAYMENTS=stripe needs STRIPE_SECRET_KEY');
  const apiBase = env.STRIPE_API_BASE ? url('STRIPE_API_BASE', '').href : undefined;
  return {
    /**
     * Who takes card payments in live: Stripe when its key is set, otherwise the simulated provider if the database is the
     * embedded one. With DATABASE_URL set, strangers may hold live keys, so play money is never the default there. `off` refuses
     * top-ups.
     */
    cardPayments,
    /** The publishable key is for a partner's own page; it is not a secret. */
    stripe: secretKey ? { secretKey, webhookSecret, publishableKey, apiBase } : undefined,
  };
}

export { ConfigError } from './environment.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Every setting, read from the environment once and checked before anything starts. */
export type Config = ReturnType<typeof readConfig>;

export function readConfig(given: NodeJS.ProcessEnv = process.env) {
  const env = withSecretFiles(given);
  if (typeof env === 'string') throw new ConfigError(env);
  const settings = settingsOf(env);
  const { url, own, base, list } = settings;

  const addresses = {
    SANDBOX_BASE_URL: base('SANDBOX_BASE_URL', 'http://localhost:4010/v3'),
    LIVE_BASE_URL: base('LIVE_BASE_URL', 'http://localhost:4020/v3'),
    LEGACY_BASE_URL: own('LEGACY_BASE_URL', 'http://localhost:4030'),
    PANEL_URL: own('PANEL_URL', 'http://localhost:4000'),
  };
  refuseSameAddress(addresses);
  if (addresses.PANEL_URL.pathname !== '/') throw new ConfigError('PANEL_URL must be an address without a path');
  const listenPorts = list('LISTEN_PORTS').map((given) => settings.port('LISTEN_PORTS', given));
  const healthPort = env.HEALTH_PORT ? settings.port('HEALTH_PORT', env.HEALTH_PORT) : undefined;
  const portTwice = [...listenPorts, ...(healthPort ? [healthPort] : [])].find(
    (one, i, all) => one && all.indexOf(one) < i,
  );
  if (portTwice) throw new ConfigError(`LISTEN_PORTS and HEALTH_PORT name port ${portTwice} twice`);
  const trustedProxies = list('TRUSTED_PROXIES');
  const [badProxy] = badAddresses(trustedProxies);
  if (badProxy) throw new ConfigError(`TRUSTED_PROXIES: ${badProxy} is not an address or CIDR block`);
  const logLevel = env.LOG_LEVEL || 'info';
  if (!LOG_LEVELS.includes(logLevel)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const demo = settings.isOn('WAYFARE_DEMO', env.DATABASE_URL ? 'off' : 'on');
  const accounts = readSupplierAccounts(env, settings);
  const databaseUrl = settings.postgres('DATABASE_URL');
  const databaseReadUrl = settings.postgres('DATABASE_READ_URL');
  if (databaseReadUrl && !databaseUrl)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas');
  const mail = readMailSettings(env.SMTP_URL, env.MAIL_FROM);
  if (typeof mail === 'string') throw new ConfigError(mail);
  const site = readSiteSettings(env, settings);
  return {
    sandboxBaseUrl: addresses.SANDBOX_BASE_URL,
    liveBaseUrl: addresses.LIVE_BASE_URL,
    legacyBaseUrl: addresses.LEGACY_BASE_URL,
    panelUrl: addresses.PANEL_URL,
    websiteUrl: url('WEBSITE_URL', env.PANEL_URL || 'http://localhost:4000'),
    /** The panel's built page. Not a setting, since it is part of the program. */
    webDist: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
    dataDir: resolve(env.WAYFARE_DATA || './data'),
    databaseUrl,
    /** Replicas to read from; may name several servers. */
    databaseReadUrl,
    /** The most connections this process opens to each world and to the shared tables. */
    pools: {
      live: settings.connections('POOL_LIVE', 10),
      sandbox: settings.connections('POOL_SANDBOX', 10),
      shared: settings.connections('POOL_SHARED', 5),
    },
    redisUrl: settings.redis('REDIS_URL'),
    trustedProxies,
    connections: {
      /** Open connections in total. */
      max: settings.count('MAX_CONNECTIONS', 10_000, 1_000_000),
      /** Open connections of one client address; trusted proxies have no such limit. */
      maxPerAddress: settings.count('MAX_CONNECTIONS_PER_ADDRESS', 1_000, 1_000_000),
    },
    /** How long a request may take; then the client gets an answer, whatever the request is waiting for. */
    requestMs: settings.requestSeconds('REQUEST_SECONDS', 20) * SECOND,
    /** How long a stopping process keeps serving while its readiness says 503, so that load balancers notice. */
    drainMs: settings.notNegative('DRAIN_SECONDS', env.DATABASE_URL ? 5 : 0, 3_600) * SECOND,
    webhookTrustedHosts: settings.hostsWithPort('WEBHOOK_TRUSTED_HOSTS'),
    deliveriesKeptMs: settings.days('DELIVERY_RETENTION_DAYS', 90) * DAY,
    /** How long after its end the activation data of an eSIM is kept. */
    codesKeptMs: settings.days('CODE_RETENTION_DAYS', 90) * DAY,
    /** Hex key material; undefined: kept in the data folder and made on the first start. */
    secret: settings.secret('WAYFARE_SECRET'),
    /** Former secrets, still needed to read what `secret rotate` has not yet sealed with the new one. */
    oldSecrets: settings.secrets('WAYFARE_SECRET_OLD'),
    /**
     * Whether the first start makes demo data: a catalog, and a partner with keys and money. With DATABASE_URL only if asked for,
     * because it includes a live key that the operator did not create.
     */
    demo,
    /** The address to listen on; undefined: all interfaces. */
    listenHost: settings.bindTo('LISTEN_HOST'),
    /** Ports to listen on instead of those in the addresses. */
    listenPorts: listenPorts.length > 0 ? listenPorts : undefined,
    /** A separate port for health and metrics; undefined: they are on the panel's address, metrics for this machine only. */
    healthPort,
    /** The address that port is opened on; undefined: all interfaces. */
    healthHost: settings.bindTo('HEALTH_HOST'),
    /** Where the simulated supplier runs; undefined: inside this program. */
    simulatedSupplierUrl: env.SIMULATED_SUPPLIER_URL ? url('SIMULATED_SUPPLIER_URL', '') : undefined,
    airalo: accounts.airalo,
    esimAccess: accounts.esimAccess,
    esimGo: accounts.esimGo,
    zendit: accounts.zendit,
    /** Accounts at services that speak the partner API; the plans of each are bought under its slug. */
    partnerV3: readPartnerV3(env, settings),
    provisioning: {
      /** How long a purchase waits for its eSIM before it is deferred. */
      budgetMs: settings.positive('PROVISION_BUDGET_SECONDS', 8, 300) * SECOND,
      /** How long a paid order may stay undelivered before it is reported to the operator. */
      overdueMs: settings.positive('PROVISION_OVERDUE_HOURS', 24, 8_760) * HOUR,
    },
    /** How old a supplier's list may become before a worker imports it again; 0: workers import nothing automatically. */
    catalogSyncMs: settings.notNegative('CATALOG_SYNC_HOURS', 0, 8_760) * HOUR,
    /** The lengths in days for which plans sold by the day are imported. */
    dayPlanDays: settings.dayNumbers('DAY_PLAN_DAYS', '1,3,5,7,10,15,30'),
    clientKey: settings.credential('WAYFARE_KEY'),
    /** The API's address for them, if it is not that of this installation's sandbox. */
    clientUrl: env.WAYFARE_URL ? base('WAYFARE_URL', '').href : undefined,
    logLevel,
    /** Where spans are sent; undefined: there are none. */
    traces: readTraceSettings(env, settings),
    ...readCardSettings(env, settings),
    /** The server that sends our mails; undefined: links are passed on by hand. */
    mail: mail && { ...mail, from: { ...mail.from, name: mail.from.name || site.name } },
    site,
    /** What an operator moves or promises in the console above this needs a second operator; undefined: nothing does. */
    fourEyes: settings.usd('FOUR_EYES_USD'),
    /** Whether software made for Airalo may buy here, and whether the same order of it within a minute is one order. */
    airaloDoor: settings.isOn('AIRALO_DOOR'),
    airaloDedupes: settings.isOn('AIRALO_DOOR_DEDUPE'),
    invoicing: readInvoiceSettings(env, settings),
    /** Where operators sign in with the accounts of their company; undefined: only here. */
    oidc: readOidcSettings(env, settings),
    signUp: readSignUp(env.SIGN_UP, {
      panelUrl: addresses.PANEL_URL,
      isDemo: demo,
      mails: mail !== undefined,
    }),
  };
}

/** Two environments at one address could not be told apart. */
function refuseSameAddress(addresses: Readonly<Record<string, URL>>): void {
  const seen = new Map<string, string>();
  for (const [name, { host, pathname }] of Object.entries(addresses)) {
    const address = host + pathname.replace(/\/+$/, '');
    const other = seen.get(address);
    if (other) throw new ConfigError(`${other} and ${name} are the same address`);
    seen.set(address, name);
  }
}

/** Reads the settings that OpenTelemetry names; it reads the headers of its calls, which may hold a secret, from the environment itself. */
function readTraceSettings(env: NodeJS.ProcessEnv, { url }: Settings): TraceSettings | undefined {
  const ratio = env.OTEL_TRACES_SAMPLER_ARG ? Number(env.OTEL_TRACES_SAMPLER_ARG) : 1;
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', '');
  return { url: `${endpoint.href.replace(/\/+$/, '')}/v1/traces`, ratio };
}
