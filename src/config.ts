import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { HOUR, SECOND } from './clock.ts';

/** Everything the environment can say, read once and checked before anything starts. */
export interface Config {
  sandboxBaseUrl: URL;
  liveBaseUrl: URL;
  legacyBaseUrl: URL;
  panelUrl: URL;
  websiteUrl: URL;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  trustedProxies: readonly string[];
  webhookTrustedHosts: readonly string[];
  /** Hex key material; undefined: kept in the data folder, made on first run. */
  secret: string | undefined;
  /** Former secrets, still read with until `secret rotate` has sealed everything anew. */
  oldSecrets: readonly string[];
  /** First-run demo data: a partner with keys and a catalog. */
  demo: boolean;
  /** Ports to listen on instead of those the addresses name. */
  listenPorts: readonly number[] | undefined;
  /** Where the simulated supplier runs; undefined: inside this program. */
  simulatedSupplierUrl: URL | undefined;
  provisioning: {
    /** How long a purchase waits for its eSIM before it is deferred. */
    budgetMs: number;
    /** How long a paid order may stay undelivered before the operator hears of it. */
    overdueMs: number;
  };
  logLevel: string;
  /** Who takes card payments in live: Stripe when its key is set, else the simulated provider; `off` refuses top-ups. */
  cardPayments: 'stripe' | 'simulated' | 'off';
  stripe: { secretKey: string; webhookSecret: string; apiBase: string | undefined } | undefined;
}

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const url = (name: string, fallback: string): URL => {
    try {
      const parsed = new URL(env[name] || fallback);
      if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
    } catch {}
    throw new ConfigError(`${name} is not an http(s) address`);
  };
  const base = (name: string, fallback: string): URL => {
    const parsed = url(name, fallback);
    parsed.pathname = parsed.pathname.replace(/\/+$/, '');
    if (!parsed.pathname.endsWith('/v3')) throw new ConfigError(`${name} must end in /v3`);
    return parsed;
  };
  const positive = (name: string, fallback: number): number => {
    const value = env[name] ? Number(env[name]) : fallback;
    if (!(value > 0)) throw new ConfigError(`${name} is not a number above zero`);
    return value;
  };
  const list = (name: string): string[] =>
    (env[name] ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);

  const trustedProxies = list('TRUSTED_PROXIES');
  for (const cidr of trustedProxies) {
    if (!isIP(cidr.split('/')[0] ?? ''))
      throw new ConfigError(`TRUSTED_PROXIES: ${cidr} is not an address or CIDR block`);
  }
  const stripeKey = env.STRIPE_SECRET_KEY;
  if (stripeKey && !env.STRIPE_WEBHOOK_SECRET)
    throw new ConfigError('STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET too');
  const cardPayments = env.CARD_PAYMENTS || (stripeKey ? 'stripe' : 'simulated');
  if (cardPayments !== 'stripe' && cardPayments !== 'simulated' && cardPayments !== 'off')
    throw new ConfigError('CARD_PAYMENTS is not stripe, simulated or off');
  if (cardPayments === 'stripe' && !stripeKey) throw new ConfigError('CARD_PAYMENTS=stripe needs STRIPE_SECRET_KEY');
  return {
    sandboxBaseUrl: base('SANDBOX_BASE_URL', 'http://localhost:4010/v3'),
    liveBaseUrl: base('LIVE_BASE_URL', 'http://localhost:4020/v3'),
    legacyBaseUrl: url('LEGACY_BASE_URL', 'http://localhost:4030'),
    panelUrl: url('PANEL_URL', 'http://localhost:4000'),
    websiteUrl: url('WEBSITE_URL', env.PANEL_URL || 'http://localhost:4000'),
    dataDir: resolve(env.WAYFARE_DATA || './data'),
    databaseUrl: env.DATABASE_URL || undefined,
    redisUrl: env.REDIS_URL || undefined,
    trustedProxies,
    webhookTrustedHosts: list('WEBHOOK_TRUSTED_HOSTS').map((host) => host.toLowerCase()),
    secret: env.WAYFARE_SECRET || undefined,
    oldSecrets: list('WAYFARE_SECRET_OLD'),
    demo: env.WAYFARE_DEMO !== 'off',
    listenPorts: env.LISTEN_PORTS ? list('LISTEN_PORTS').map(Number) : undefined,
    simulatedSupplierUrl: env.SIMULATED_SUPPLIER_URL ? url('SIMULATED_SUPPLIER_URL', '') : undefined,
    provisioning: {
      budgetMs: positive('PROVISION_BUDGET_SECONDS', 8) * SECOND,
      overdueMs: positive('PROVISION_OVERDUE_HOURS', 24) * HOUR,
    },
    logLevel: env.LOG_LEVEL || 'info',
    cardPayments,
    stripe: stripeKey
      ? {
          secretKey: stripeKey,
          webhookSecret: env.STRIPE_WEBHOOK_SECRET ?? '',
          apiBase: env.STRIPE_API_BASE ? url('STRIPE_API_BASE', '').href : undefined,
        }
      : undefined,
  };
}
