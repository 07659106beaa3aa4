import { formatCents } from '../../../platform/amounts/cents.ts';
import { DAY, HOUR, SECOND } from '../../../platform/clock.ts';
import { type Config, readConfig } from '../../../platform/settings/config.ts';
import type { SecretSetting } from '../../../platform/settings/secret-files.ts';
import { FIRST_SLUG, partnerV3Setting } from '../../../platform/settings/supplier-accounts.ts';

/*
 * The settings of this process as an operator may see them. Each is in one of the two tables below: `shown` with its value, or
 * `kept`, of which only whether it is set leaves the process. test/entry/console/settings.test.ts holds that every setting
 * `readConfig` reads is in exactly one, and that no value of the second gets out.
 */

/** Without user, password and query, which could be secrets. */
const place = (url: URL | string | undefined): string => {
  const parsed = typeof url === 'string' ? URL.parse(url) : url;
  return parsed ? `${parsed.origin}${parsed.pathname}` : '';
};
const list = (values: readonly (string | number)[] | undefined): string => (values ?? []).join(', ');

const firstPartnerV3 = ({ partnerV3 }: Config) => partnerV3.find(({ slug }) => slug === FIRST_SLUG);

const shown: Readonly<Record<string, (config: Config) => string | number | undefined>> = {
  SANDBOX_BASE_URL: (config) => place(config.sandboxBaseUrl),
  LIVE_BASE_URL: (config) => place(config.liveBaseUrl),
  LEGACY_BASE_URL: (config) => place(config.legacyBaseUrl),
  PANEL_URL: (config) => place(config.panelUrl),
  WEBSITE_URL: (config) => place(config.websiteUrl),
  PUBLIC_PRICES: (config) => (config.site.showsPrices ? 'on' : 'off'),
  PUBLIC_SITE: (config) => (config.site.isPublic ? 'on' : 'off'),
  SITE_NAME: (config) => config.site.name,
  SITE_TAGLINE: (config) => config.site.tagline,
  SITE_COLOR: (config) => config.site.color,
  SITE_LOGO: (config) => config.site.files.logo,
  SITE_TEXT: (config) => config.site.files.text,
  WAYFARE_DATA: (config) => config.dataDir,
  WAYFARE_DEMO: (config) => (config.demo ? 'on' : 'off'),
  POOL_LIVE: (config) => config.pools.live,
  POOL_SANDBOX: (config) => config.pools.sandbox,
  POOL_SHARED: (config) => config.pools.shared,
  LISTEN_HOST: (config) => config.listenHost,
  LISTEN_PORTS: (config) => list(config.listenPorts),
  HEALTH_HOST: (config) => config.healthHost,
  HEALTH_PORT: (config) => config.healthPort,
  TRUSTED_PROXIES: (config) => list(config.trustedProxies),
  MAX_CONNECTIONS: (config) => config.connections.max,
  MAX_CONNECTIONS_PER_ADDRESS: (config) => config.connections.maxPerAddress,
  REQUEST_SECONDS: (config) => config.requestMs / SECOND,
  DRAIN_SECONDS: (config) => config.drainMs / SECOND,
  WEBHOOK_TRUSTED_HOSTS: (config) => list(config.webhookTrustedHosts),
  DELIVERY_RETENTION_DAYS: (config) => config.deliveriesKeptMs / DAY,
  CODE_RETENTION_DAYS: (config) => config.codesKeptMs / DAY,
  PROVISION_BUDGET_SECONDS: (config) => config.provisioning.budgetMs / SECOND,
  PROVISION_OVERDUE_HOURS: (config) => config.provisioning.overdueMs / HOUR,
  CATALOG_SYNC_HOURS: (config) => config.catalogSyncMs / HOUR,
  DAY_PLAN_DAYS: (config) => list(config.dayPlanDays),
  CARD_PAYMENTS: (config) => config.cardPayments,
  SIMULATED_SUPPLIER_URL: (config) => place(config.simulatedSupplierUrl),
  AIRALO_URL: (config) => place(config.airalo?.url),
  ESIM_ACCESS_URL: (config) => place(config.esimAccess?.url),
  ESIM_GO_URL: (config) => place(config.esimGo?.url),
  ZENDIT_URL: (config) => place(config.zendit?.url),
  ZENDIT_MATCHING_ID: (config) => config.zendit?.matchingIdField,
  PARTNER_V3_URL: (config) => place(firstPartnerV3(config)?.url),
  STRIPE_API_BASE: (config) => place(config.stripe?.apiBase),
  MAIL_FROM: (config) => config.mail?.from.address,
  SELLER_NAME: ({ invoicing }) => invoicing.seller?.name,
  SELLER_ADDRESS: ({ invoicing }) => invoicing.seller?.address.join(' | '),
  SELLER_COUNTRY: ({ invoicing }) => invoicing.seller?.country,
  SELLER_VAT_ID: ({ invoicing }) => invoicing.seller?.vatId || undefined,
  SELLER_ID: ({ invoicing }) => invoicing.seller?.id || undefined,
  SELLER_TAX_RATE: ({ invoicing }) => invoicing.seller?.taxRate,
  INVOICE_PREFIX: ({ invoicing }) => invoicing.prefix,
  INVOICE_TEXT: ({ invoicing }) => invoicing.text || undefined,
  OVERDUE_SUSPEND_DAYS: ({ invoicing }) => invoicing.suspendDays,
  OVERDUE_MIN_USD: ({ invoicing }) => formatCents(invoicing.minOverdue),
  FOUR_EYES_USD: ({ fourEyes }) => (fourEyes === undefined ? undefined : formatCents(fourEyes)),
  AIRALO_DOOR: ({ airaloDoor }) => (airaloDoor ? 'on' : 'off'),
  AIRALO_DOOR_DEDUPE: ({ airaloDedupes }) => (airaloDedupes ? 'on' : 'off'),
  SIGN_UP: (config) => config.signUp,
  LOG_LEVEL: (config) => config.logLevel,
  OIDC_ISSUER: (config) => place(config.oidc?.issuer),
  OIDC_CLIENT_ID: (config) => config.oidc?.clientId,
  OIDC_ROLE_CLAIM: (config) => config.oidc?.roleClaim,
  OIDC_ROLES: (config) => list(config.oidc && [...config.oidc.roles].map((pair) => pair.join('='))),
  OTEL_EXPORTER_OTLP_ENDPOINT: (config) => config.traces?.url,
  OTEL_TRACES_SAMPLER_ARG: (config) => config.traces?.ratio,
  WAYFARE_URL: (config) => config.clientUrl,
};

const kept: Readonly<Record<SecretSetting, (config: Config) => unknown>> = {
  DATABASE_URL: (config) => config.databaseUrl,
  DATABASE_READ_URL: (config) => config.databaseReadUrl,
  REDIS_URL: (config) => config.redisUrl,
  WAYFARE_SECRET: (config) => config.secret,
  WAYFARE_SECRET_OLD: (config) => config.oldSecrets.length > 0,
  WAYFARE_KEY: (config) => config.clientKey,
  AIRALO_CLIENT_ID: (config) => config.airalo?.clientId,
  AIRALO_CLIENT_SECRET: (config) => config.airalo?.clientSecret,
  ESIM_ACCESS_CODE: (config) => config.esimAccess?.accessCode,
  ESIM_ACCESS_SECRET: (config) => config.esimAccess?.secret,
  ESIM_ACCESS_NOTIFY_SECRET: (config) => config.esimAccess?.notifySecret,
  ESIM_GO_KEY: (config) => config.esimGo?.key,
  ZENDIT_API_KEY: (config) => config.zendit?.apiKey,
  ZENDIT_NOTIFY_SECRET: (config) => config.zendit?.notifySecret,
  OIDC_CLIENT_SECRET: (config) => config.oidc?.clientSecret,
  PARTNER_V3_KEY: (config) => firstPartnerV3(config)?.key,
  PARTNER_V3_SECRET: (config) => firstPartnerV3(config)?.secret,
  STRIPE_SECRET_KEY: (config) => config.stripe?.secretKey,
  STRIPE_WEBHOOK_SECRET: (config) => config.stripe?.webhookSecret,
  STRIPE_PUBLISHABLE_KEY: (config) => config.stripe?.publishableKey,
  SMTP_URL: (config) => config.mail,
};

export const settingNames = { shown: Object.keys(shown), kept: Object.keys(kept) } as const;

/** Only whether it is set is shown. */
const hidden = (name: string, value: unknown) => ({ name, value: null, isSet: Boolean(value), otherwise: null });

/** With the default as `otherwise`, if it has one and the value differs from it. */
export function settingsInForce(config: Config) {
  // Some defaults depend on whether the database is the program's own, and on which accounts there are.
  const usual = readConfig({
    ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
    ...(config.stripe && { STRIPE_SECRET_KEY: 'sk_set', STRIPE_WEBHOOK_SECRET: 'whsec_set' }),
    ...(config.airalo && { AIRALO_CLIENT_ID: 'set', AIRALO_CLIENT_SECRET: 'set' }),
    ...(firstPartnerV3(config) && { PARTNER_V3_URL: firstPartnerV3(config)?.url.href, PARTNER_V3_KEY: 'set' }),
    ...(config.esimAccess && { ESIM_ACCESS_CODE: 'set', ESIM_ACCESS_SECRET: 'set' }),
    ...(config.esimGo && { ESIM_GO_KEY: 'set' }),
    ...(config.zendit && { ZENDIT_API_KEY: 'set' }),
  });
  const usualOf = (name: string, read: (config: Config) => string | number | undefined) =>
    String((name === 'WEBSITE_URL' ? place(config.panelUrl) : read(usual)) ?? '');
  const readable = Object.entries(shown).map(([name, read]) => {
    const [value, otherwise] = [String(read(config) ?? ''), usualOf(name, read)];
    return { name, value, isSet: value !== '', otherwise: value === otherwise ? null : otherwise };
  });
  const secret = Object.entries(kept).map(([name, read]) => hidden(name, read(config)));
  const further = config.partnerV3.filter(({ slug }) => slug !== FIRST_SLUG);
  const accounts = further.flatMap(({ slug, url, key, secret: signing }) => [
    { name: partnerV3Setting(slug, 'URL'), value: place(url), isSet: true, otherwise: null },
    hidden(partnerV3Setting(slug, 'KEY'), key),
    hidden(partnerV3Setting(slug, 'SECRET'), signing),
  ]);
  return [...readable, ...secret, ...accounts].sort((a, b) => a.name.localeCompare(b.name));
}
