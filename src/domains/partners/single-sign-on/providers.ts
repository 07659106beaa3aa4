import { Refused } from '../../../platform/contract/refused.ts';
import { isDuplicate, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Registration } from '../../../platform/oidc/oidc.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { members } from '../people/people.ts';

const MAX_DOMAINS = 20;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

interface SsoProvider {
  readonly partnerId: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly isRequired: boolean;
}

interface SsoDomain {
  readonly partnerId: number;
  readonly domain: string;
  /** Null: an operator has yet to confirm whose it is, and until then it does not count. */
  readonly confirmedAt: Date | null;
}

export interface WantedProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: it stays. */
  readonly clientSecret: string | undefined;
  readonly domains: readonly string[];
}

const columns = sql`partner_id as "partnerId", issuer, client_id as "clientId", required as "isRequired"`;
const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Where the members of each partner sign in with their company's accounts, and which mail domains are whose. */
export const ssoProviders = {
  find: (db: Queryable, partnerId: number): Promise<SsoProvider | undefined> =>
    db.maybe(sql`select ${columns} from partner_sso where partner_id = ${partnerId}`),

  list: (db: Queryable): Promise<SsoProvider[]> =>
    db.query(sql`select ${columns} from partner_sso order by partner_id`),

  domains: (db: Queryable, partnerId?: number): Promise<SsoDomain[]> =>
    db.query(sql`
      select partner_id as "partnerId", domain, confirmed_at as "confirmedAt" from partner_domains
      where ${partnerId ?? null}::int is null or partner_id = ${partnerId ?? null} order by domain, partner_id`),

  async isAnySet(db: Queryable): Promise<boolean> {
    return (await db.maybe(sql`select from partner_sso limit 1`)) !== undefined;
  },

  /** The partner for whom the domain of this address is confirmed, if its members sign in with their company's accounts. */
  async ofAddress(db: Queryable, email: string): Promise<number | undefined> {
    const found = await db.maybe<{ partnerId: number }>(sql`
      select partner_id as "partnerId" from partner_domains join partner_sso using (partner_id)
      where domain = ${domainOf(email)} and confirmed_at is not null`);
    return found?.partnerId;
  },

  async isConfirmed(db: Queryable, partnerId: number, email: string): Promise<boolean> {
    return (await ssoProviders.ofAddress(db, email)) === partnerId;
  },

  /** Undefined: the partner has none, or is closed or disabled. */
  async registration(db: Queryable, vault: Vault, partnerId: number, panelUrl: URL): Promise<Registration | undefined> {
    const found = await db.maybe<{ issuer: string; clientId: string; secret: Buffer }>(sql`
      select issuer, client_id as "clientId", client_secret as secret from partner_sso
      join partners on partners.id = partner_id and not disabled and deleted_at is null
      where partner_id = ${partnerId}`);
    return (
      found && {
        issuer: new URL(found.issuer),
        clientId: found.clientId,
        clientSecret: vault.open(found.secret),
        redirectUri: ssoProviders.redirectUri(panelUrl, partnerId),
      }
    );
  },

  redirectUri: (panelUrl: URL, partnerId: number): URL => new URL(`/sso/${partnerId}`, panelUrl),

  /** Another issuer or client knows nobody yet: whom the old one knew is forgotten, and its sessions end. */
  async set(tx: Tx, vault: Vault, partnerId: number, wanted: WantedProvider, now: number): Promise<void> {
    const domains = [...new Set(wanted.domains.map((domain) => domain.trim().toLowerCase().replace(/^@/, '')))];
    if (domains.length > MAX_DOMAINS || !domains.every((domain) => DOMAIN.test(domain)))
      throw new Refused('invalid_domain');
    const known = await ssoProviders.find(tx, partnerId);
    const isSame = known?.issuer === wanted.issuer && known.clientId === wanted.clientId;
    if (wanted.clientSecret === undefined && !isSame) throw new Refused('invalid_client');
    const sealed = wanted.clientSecret === undefined ? null : vault.seal(wanted.clientSecret);
    await (known
      ? tx.run(sql`
          update partner_sso set issuer = ${wanted.issuer}, client_id = ${wanted.clientId},
            client_secret = coalesce(${sealed}, client_secret), set_at = ${new Date(now)} where partner_id = ${partnerId}`)
      : tx.run(sql`
          insert into partner_sso (partner_id, issuer, client_id, client_secret, set_at)
          values (${partnerId}, ${wanted.issuer}, ${wanted.clientId}, ${sealed}, ${new Date(now)})`));
    if (known && !isSame) await forget(tx, partnerId);
    await tx.run(sql`
      delete from partner_domains where partner_id = ${partnerId} and domain <> all(${domains}::text[])`);
    await tx.run(sql`
      insert into partner_domains (partner_id, domain, added_at)
      select ${partnerId}, unnest(${domains}::text[]), ${new Date(now)} on conflict do nothing`);
  },

  /** Its domains stay confirmed. */
  async remove(tx: Tx, partnerId: number): Promise<void> {
    await forget(tx, partnerId);
    await members.setBreakGlass(tx, partnerId, null);
    const removed = await tx.run(sql`delete from partner_sso where partner_id = ${partnerId}`);
    if (removed === 0) throw new Refused('sso_not_set');
  },

  /** Of two partners that claim a domain, it is whose the operator confirms first. */
  async confirm(tx: Tx, partnerId: number, domain: string, who: string, now: number): Promise<void> {
    try {
      const confirmed = await tx.run(sql`
        update partner_domains set confirmed_at = ${new Date(now)}, confirmed_by = ${who}
        where partner_id = ${partnerId} and domain = ${domain.trim().toLowerCase()} and confirmed_at is null`);
      if (confirmed === 0) throw new Refused('domain_not_found');
    } catch (error) {
      if (isDuplicate(error)) throw new Refused('domain_taken');
      throw error;
    }
  },

  /** From now on only single sign-on lets members in, and one owner with a password. Undefined: no longer. */
  async require(tx: Tx, partnerId: number, breakGlassId: number | undefined): Promise<void> {
    await tx.run(sql`select from partner_sso where partner_id = ${partnerId} for update`);
    if (breakGlassId !== undefined) {
      const tried = await tx.maybe(sql`select from member_identities where partner_id = ${partnerId} limit 1`);
      if (tried === undefined) throw new Refused('sso_not_tried');
      if (!(await members.withWayIn(tx, partnerId)).includes(breakGlassId)) throw new Refused('no_break_glass');
    }
    await members.setBreakGlass(tx, partnerId, breakGlassId ?? null);
    const changed = await tx.run(sql`
      update partner_sso set required = ${breakGlassId !== undefined} where partner_id = ${partnerId}`);
    if (changed === 0) throw new Refused('sso_not_set');
  },
};

async function forget(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`delete from member_identities where partner_id = ${partnerId}`);
  await members.endSsoSessionsAt(tx, partnerId);
}
