import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY, HOUR, SECOND } from './clock.ts';
import { badAddresses } from './http/address-list.ts';
import { type MailSettings, readMailSettings } from './settings/mail.ts';
import { withSecretFiles } from './settings/secret-files.ts';

/** Every setting, read from the environment once and checked before anything starts. */
export interface Config {
  sandboxBaseUrl: URL;
  liveBaseUrl: URL;
  legacyBaseUrl: URL;
  panelUrl: URL;
  websiteUrl: URL;
  /** The panel's built page. Not a setting, since it is part of the program. */
  webDist: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Connections this process opens at most, for each world and for what both share. */
  pools: { live: number; sandbox: number; shared: number };
  redisUrl: string | undefined;
  trustedProxies: readonly string[];
  connections: {
    /** Open connections in all. */
    max: number;
    /** Open connections of one client address; trusted proxies have no such limit. */
    maxPerAddress: number;
  };
  /** How long a request may take; past it the client is answered, whatever the request is waiting for. */
  requestMs: number;
  /** How long a process that was told to stop keeps serving while its readiness says 503, so that load balancers notice. */
  drainMs: number;
  webhookTrustedHosts: readonly string[];
  /** How long the delivery log keeps what was sent or given up. */
  deliveriesKeptMs: number;
  /** Hex key material; undefined: kept in the data folder and made on the first start. */
  secret: string | undefined;
  /** Former secrets, still needed to read what `secret rotate` has not yet sealed with the new one. */
  oldSecrets: readonly string[];
  /**
   * Whether the first start makes demo data: a catalog, and a partner with keys and money. Only by request with DATABASE_URL,
   * where it would be a live key that the operator never made.
   */
  demo: boolean;
  /** The address to listen on; undefined: all interfaces. */
  listenHost: string | undefined;
  /** Ports to listen on instead of those in the addresses. */
  listenPorts: readonly number[] | undefined;
  /** A separate port for health and metrics; undefined: they are on the panel's address, metrics for this machine only. */
  healthPort: number | undefined;
  /** The address that port is opened on; undefined: all interfaces. */
  healthHost: string | undefined;
  /** Where the simulated supplier runs; undefined: inside this program. */
  simulatedSupplierUrl: URL | undefined;
  /** The account at Airalo; undefined: its plans cannot be bought. */
  airalo: { clientId: string; clientSecret: string; url: URL } | undefined;
  /** The account at eSIM Access; undefined: its plans cannot be bought. */
  esimAccess:
    | {
        accessCode: string;
        secret: string;
        url: URL;
        /** The last segment of the address for its notifications; undefined: the address has none. */
        notifySecret?: string | undefined;
      }
    | undefined;
  provisioning: {
    /** How long a purchase waits for its eSIM before it is deferred. */
    budgetMs: number;
    /** How long a paid order may stay undelivered before it is reported to the operator. */
    overdueMs: number;
  };
  /** How old a supplier's list may become before a worker imports it again; 0: workers import nothing by themselves. */
  catalogSyncMs: number;
  /** The API key that developer commands use when none is given. */
  clientKey: string | undefined;
  logLevel: string;
  /**
   * Who takes card payments in live: Stripe when its key is set, otherwise the simulated provider if the database is the
   * embedded one. With DATABASE_URL set, strangers may hold live keys, so play money is never the default there. `off` refuses
   * top-ups.
   */
  cardPayments: 'stripe' | 'simulated' | 'off';
  stripe:
    | {
        secretKey: string;
        webhookSecret: string;
        /** For a partner's own page; not a secret. */
        publishableKey?: string | undefined;
        apiBase: string | undefined;
      }
    | undefined;
  /** The server that sends our mails; undefined: links are passed on by hand. */
  mail: MailSettings | undefined;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

export class ConfigError extends Error {}

export function readConfig(given: NodeJS.ProcessEnv = process.env): Config {
  const env = withSecretFiles(given);
  if (typeof env === 'string') throw new ConfigError(env);
  const url = (name: string, fallback: string): URL => {
    try {
      const parsed = new URL(env[name] || fallback);
      if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
    } catch {}
    throw new ConfigError(`${name} must be an http or https address`);
  };
  const base = (name: string, fallback: string): URL => {
    const parsed = url(name, fallback);
    parsed.pathname = parsed.pathname.replace(/\/+$/, '');
    if (!parsed.pathname.endsWith('/v3')) throw new ConfigError(`${name} must end in /v3`);
    return parsed;
  };
  const positive = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    if (!(value > 0)) throw new ConfigError(`${name} must be a number above zero`);
    return value;
  };
  const connections = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    // With a single one, every caller would wait for every other.
    if (!Number.isInteger(value) || value < 2 || value > 1_000)
      throw new ConfigError(`${name} is not a number of connections from 2 to 1000`);
    return value;
  };
  const days = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    if (!Number.isInteger(value) || value < 1 || value > 36_500)
      throw new ConfigError(`${name} must be a number of days from 1 to 36500`);
    return value;
  };
  const notNegative = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    if (!(value >= 0)) throw new ConfigError(`${name} is not a number of at least zero`);
    return value;
  };
  const requestSeconds = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    // Statements get half of it, those of jobs too; and what takes longer than five minutes is no request.
    if (!(value >= 4 && value <= 300)) throw new ConfigError(`${name} must be a number of seconds from 4 to 300`);
    return value;
  };
  const port = (name: string, given: string): number => {
    if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
      throw new ConfigError(`${name}: ${given} is not a port number`);
    return Number(given);
  };
  const bindTo = (name: string): string | undefined => {
    const given = env[name] || undefined;
    if (given && given !== 'localhost' && !isIP(given)) throw new ConfigError(`${name}: ${given} is not an IP address`);
    return given;
  };
  const both = (names: string, id: string | undefined, secret: string | undefined): boolean => {
    if (!id !== !secret) throw new ConfigError(`${names} must be set together`);
    return Boolean(id);
  };
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);

  const addresses = {
    SANDBOX_BASE_URL: base('SANDBOX_BASE_URL', 'http://localhost:4010/v3'),
    LIVE_BASE_URL: base('LIVE_BASE_URL', 'http://localhost:4020/v3'),
    LEGACY_BASE_URL: url('LEGACY_BASE_URL', 'http://localhost:4030'),
    PANEL_URL: url('PANEL_URL', 'http://localhost:4000'),
  };
  refuseSameAddress(addresses);
  const listenPorts = list('LISTEN_PORTS').map((given) => port('LISTEN_PORTS', given));
  const healthPort = env.HEALTH_PORT ? port('HEALTH_PORT', env.HEALTH_PORT) : undefined;
  const trustedProxies = list('TRUSTED_PROXIES');
  const [badProxy] = badAddresses(trustedProxies);
  if (badProxy) throw new ConfigError(`TRUSTED_PROXIES: ${badProxy} is not an address or CIDR block`);
  const logLevel = env.LOG_LEVEL || 'info';
  if (!LOG_LEVELS.includes(logLevel)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  const demo = env.WAYFARE_DEMO || (env.DATABASE_URL ? 'off' : 'on');
  if (demo !== 'on' && demo !== 'off') throw new ConfigError('WAYFARE_DEMO must be on or off');
  const stripeKey = env.STRIPE_SECRET_KEY;
  if (stripeKey && !env.STRIPE_WEBHOOK_SECRET)
    throw new ConfigError('STRIPE_SECRET_KEY also needs STRIPE_WEBHOOK_SECRET');
  // Partners get to see it, so a secret key in its place must not start.
  if (env.STRIPE_PUBLISHABLE_KEY && !env.STRIPE_PUBLISHABLE_KEY.startsWith('pk_'))
    throw new ConfigError('STRIPE_PUBLISHABLE_KEY must be a publishable key (pk_…)');
  if (env.ESIM_ACCESS_NOTIFY_SECRET && !/^[\w-]{16,128}$/.test(env.ESIM_ACCESS_NOTIFY_SECRET))
    throw new ConfigError('ESIM_ACCESS_NOTIFY_SECRET must be 16 to 128 letters, digits, - or _');
  const cardPayments = env.CARD_PAYMENTS || (stripeKey ? 'stripe' : env.DATABASE_URL ? 'off' : 'simulated');
  if (cardPayments !== 'stripe' && cardPayments !== 'simulated' && cardPayments !== 'off')
    throw new ConfigError('CARD_PAYMENTS must be stripe, simulated or off');
  if (cardPayments === 'stripe' && !stripeKey) throw new ConfigError('CARD_PAYMENTS=stripe needs STRIPE_SECRET_KEY');
  const mail = readMailSettings(env.SMTP_URL, env.MAIL_FROM);
  if (typeof mail === 'string') throw new ConfigError(mail);
  return {
    sandboxBaseUrl: addresses.SANDBOX_BASE_URL,
    liveBaseUrl: addresses.LIVE_BASE_URL,
    legacyBaseUrl: addresses.LEGACY_BASE_URL,
    panelUrl: addresses.PANEL_URL,
    websiteUrl: url('WEBSITE_URL', env.PANEL_URL || 'http://localhost:4000'),
    webDist: fileURLToPath(new URL('../web/dist', import.meta.url)),
    dataDir: resolve(env.WAYFARE_DATA || './data'),
    databaseUrl: env.DATABASE_URL || undefined,
    pools: {
      live: connections('POOL_LIVE', 10),
      sandbox: connections('POOL_SANDBOX', 10),
      shared: connections('POOL_SHARED', 5),
    },
    redisUrl: env.REDIS_URL || undefined,
    trustedProxies,
    connections: {
      max: positive('MAX_CONNECTIONS', 10_000),
      maxPerAddress: positive('MAX_CONNECTIONS_PER_ADDRESS', 1_000),
    },
    requestMs: requestSeconds('REQUEST_SECONDS', 20) * SECOND,
    drainMs: notNegative('DRAIN_SECONDS', env.DATABASE_URL ? 5 : 0) * SECOND,
    webhookTrustedHosts: list('WEBHOOK_TRUSTED_HOSTS').map((host) => host.toLowerCase()),
    deliveriesKeptMs: days('DELIVERY_RETENTION_DAYS', 90) * DAY,
    secret: env.WAYFARE_SECRET || undefined,
    oldSecrets: list('WAYFARE_SECRET_OLD'),
    demo: demo === 'on',
    listenHost: bindTo('LISTEN_HOST'),
    listenPorts: listenPorts.length > 0 ? listenPorts : undefined,
    healthPort,
    healthHost: bindTo('HEALTH_HOST'),
    simulatedSupplierUrl: env.SIMULATED_SUPPLIER_URL ? url('SIMULATED_SUPPLIER_URL', '') : undefined,
    airalo: both('AIRALO_CLIENT_ID and AIRALO_CLIENT_SECRET', env.AIRALO_CLIENT_ID, env.AIRALO_CLIENT_SECRET)
      ? {
          clientId: env.AIRALO_CLIENT_ID ?? '',
          clientSecret: env.AIRALO_CLIENT_SECRET ?? '',
          url: url('AIRALO_URL', 'https://partners-api.airalo.com'),
        }
      : undefined,
    esimAccess: both('ESIM_ACCESS_CODE and ESIM_ACCESS_SECRET', env.ESIM_ACCESS_CODE, env.ESIM_ACCESS_SECRET)
      ? {
          accessCode: env.ESIM_ACCESS_CODE ?? '',
          secret: env.ESIM_ACCESS_SECRET ?? '',
          url: url('ESIM_ACCESS_URL', 'https://api.esimaccess.com/api/v1/open'),
          notifySecret: env.ESIM_ACCESS_NOTIFY_SECRET || undefined,
        }
      : undefined,
    provisioning: {
      budgetMs: positive('PROVISION_BUDGET_SECONDS', 8) * SECOND,
      overdueMs: positive('PROVISION_OVERDUE_HOURS', 24) * HOUR,
    },
    catalogSyncMs: notNegative('CATALOG_SYNC_HOURS', 0) * HOUR,
    clientKey: env.WAYFARE_KEY || undefined,
    logLevel,
    cardPayments,
    stripe: stripeKey
      ? {
          secretKey: stripeKey,
          webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? '',
          publishableKey: env.STRIPE_PUBLISHABLE_KEY || undefined,
          apiBase: env.STRIPE_API_BASE ? url('STRIPE_API_BASE', '').href : undefined,
        }
      : undefined,
    mail,
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
