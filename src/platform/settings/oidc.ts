import { ConfigError, type Settings } from './environment.ts';

/** Where operators sign in with the accounts of their own company (OpenID Connect). */
export type OidcSettings = NonNullable<ReturnType<typeof readOidcSettings>>;

export function readOidcSettings(env: NodeJS.ProcessEnv, { url }: Pick<Settings, 'url'>) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLE_CLAIM, OIDC_ROLES } = env;
  const given = [OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET].filter(Boolean).length;
  if (given !== 0 && given !== 3)
    throw new ConfigError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  if (!OIDC_ROLE_CLAIM !== !OIDC_ROLES) throw new ConfigError('OIDC_ROLE_CLAIM and OIDC_ROLES must be set together');
  if (given === 0) return undefined;
  return {
    issuer: url('OIDC_ISSUER', ''),
    clientId: OIDC_CLIENT_ID ?? '',
    clientSecret: OIDC_CLIENT_SECRET ?? '',
    /** The claim that says what somebody may do; undefined: operators have to be invited, and keep the role they have. */
    roleClaim: OIDC_ROLE_CLAIM || undefined,
    /** What its values mean here, by value. */
    roles: rolesOf(OIDC_ROLES ?? ''),
  };
}

const ROLES = ['admin', 'finance', 'support', 'read-only'];

function rolesOf(text: string): ReadonlyMap<string, string> {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean);
  return new Map(
    pairs.map((pair) => {
      const [, value = '', role = ''] = /^(.+)=([a-z-]+)$/.exec(pair) ?? [];
      if (!ROLES.includes(role))
        throw new ConfigError(`OIDC_ROLES: ${pair} is not value=role, with ${ROLES.join(', ')}`);
      return [value.trim(), role];
    }),
  );
}
