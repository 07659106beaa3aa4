import { ConfigError, type Settings } from './environment.ts';
import { DEFAULT_URLS, MATCHING_ID_FIELDS, NOTIFY_SECRET, SIGNING_SECRET } from './supplier-fields.ts';

/** The accounts at suppliers that the environment gives. What belongs to an account is checked without the account, too. */
export function readSupplierAccounts(env: NodeJS.ProcessEnv, { url, both, credential }: Settings) {
  const notifySecret = (name: string): { notifySecret?: string } => {
    const given = env[name] || undefined;
    if (given && !NOTIFY_SECRET.test(given)) throw new ConfigError(`${name} must be 16 to 128 letters, digits, - or _`);
    return given ? { notifySecret: given } : {};
  };
  const [clientId = '', clientSecret = ''] = [credential('AIRALO_CLIENT_ID'), credential('AIRALO_CLIENT_SECRET')];
  const airalo = { clientId, clientSecret, url: url('AIRALO_URL', DEFAULT_URLS.airalo) };
  const [accessCode = '', secret = ''] = [credential('ESIM_ACCESS_CODE'), credential('ESIM_ACCESS_SECRET')];
  const esimAccess = {
    accessCode,
    secret,
    url: url('ESIM_ACCESS_URL', DEFAULT_URLS.esim_access),
    /** The last segment of the address for its notifications; undefined: the address has none. */
    ...notifySecret('ESIM_ACCESS_NOTIFY_SECRET'),
  };
  const esimGo = { key: credential('ESIM_GO_KEY') ?? '', url: url('ESIM_GO_URL', DEFAULT_URLS.esim_go) };
  const zendit = {
    apiKey: credential('ZENDIT_API_KEY') ?? '',
    url: url('ZENDIT_URL', DEFAULT_URLS.zendit),
    /** The field of a delivered purchase that has the eSIM's matching id. */
    matchingIdField: matchingIdField(env.ZENDIT_MATCHING_ID),
    /** The secret in a header of its notifications; undefined: they are not accepted. */
    ...notifySecret('ZENDIT_NOTIFY_SECRET'),
  };
  return {
    airalo: both('AIRALO_CLIENT_ID and AIRALO_CLIENT_SECRET', clientId, clientSecret) ? airalo : undefined,
    esimAccess: both('ESIM_ACCESS_CODE and ESIM_ACCESS_SECRET', accessCode, secret) ? esimAccess : undefined,
    esimGo: esimGo.key ? esimGo : undefined,
    zendit: zendit.apiKey ? zendit : undefined,
  };
}

function matchingIdField(given: string | undefined): (typeof MATCHING_ID_FIELDS)[number] {
  const wanted = given || MATCHING_ID_FIELDS[0];
  const field = MATCHING_ID_FIELDS.find((name) => name === wanted);
  if (!field) throw new ConfigError(`ZENDIT_MATCHING_ID must be ${MATCHING_ID_FIELDS.join(' or ')}`);
  return field;
}

/** The account whose settings have no slug in their names. */
export const FIRST_SLUG = 'partner-v3';
const SETTING = /^PARTNER_V3_(?:([A-Z0-9_]+)_)?(?:URL|KEY|SECRET)(?:_FILE)?$/;

/** `PARTNER_V3_KEY`, and `PARTNER_V3_ACME_ESIM_KEY` for the slug `acme-esim`. */
export const partnerV3Setting = (slug: string, of: 'URL' | 'KEY' | 'SECRET'): string =>
  slug === FIRST_SLUG ? `PARTNER_V3_${of}` : `PARTNER_V3_${slug.toUpperCase().replaceAll('-', '_')}_${of}`;

/** Slugs that the names of settings speak of, the first account's always among them. */
export function partnerV3Slugs(env: NodeJS.ProcessEnv): string[] {
  const named = Object.keys(env).flatMap((name) => SETTING.exec(name)?.[1] ?? []);
  return [FIRST_SLUG, ...[...new Set(named)].sort().map((name) => name.toLowerCase().replaceAll('_', '-'))];
}

/** Accounts at services that speak the partner API. */
export function readPartnerV3(env: NodeJS.ProcessEnv, { base, both, credential }: Settings) {
  return partnerV3Slugs(env).flatMap((slug) => {
    const [url, key, secret] = (['URL', 'KEY', 'SECRET'] as const).map((of) => partnerV3Setting(slug, of)) as [
      string,
      string,
      string,
    ];
    if (env[secret] && !SIGNING_SECRET.test(env[secret]))
      throw new ConfigError(`${secret} must be the secret of a webhook as it was shown: whsec_ and what follows it`);
    if (!both(`${url} and ${key}`, env[url], env[key])) return [];
    if (!/^[a-z0-9-]{2,40}$/.test(slug)) throw new ConfigError(`${url}: ${slug} is not a supplier's name`);
    // The secret signs its webhooks; without one none are accepted.
    return { slug, url: base(url, ''), key: credential(key) ?? '', secret: env[secret] || undefined };
  });
}
