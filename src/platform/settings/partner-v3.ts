import { ConfigError, type Settings } from './environment.ts';
import { SIGNING_SECRET } from './supplier-fields.ts';

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
