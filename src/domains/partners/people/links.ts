import type { AuditKind } from '../../../platform/audit/sentences.ts';
import { DAY, HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isTokenOf, newToken, type Register, tokenHash } from './register.ts';

const LINK_MS = 7 * DAY;
/** Of a link that anybody who knows an address can have sent to it. */
const FORGOTTEN_LINK_MS = 1 * HOUR;

export interface LinkHolder {
  readonly holderId: number;
  /** Null until the invitation is accepted. */
  readonly personId: number | null;
  readonly email: string;
}

/** Where the links are that set a password: those of holders, or others that first make the holder they let in. */
export interface LinkBook<H> {
  /** What the audit log calls the use of one. */
  readonly what: AuditKind;
  /** Whom a link is for. Throws the refusal of a link that does not work. */
  require(db: Queryable, token: string, now: number): Promise<Pick<LinkHolder, 'email' | 'personId'>>;
  /** Uses it up and returns its holder, who is locked. */
  use(tx: Tx, token: string, now: number): Promise<H>;
}

/** One-time links: an invitation, or a way back in for somebody who forgot their password. */
export class Links<H extends LinkHolder> {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  get what(): AuditKind {
    return `${this.#register.prefix}password set by link`;
  }

  /** A new link; an older one stops working. */
  async create(tx: Tx, holderId: number, now: number): Promise<string> {
    const token = newToken('link');
    await this.#write(tx, holderId, token, new Date(now + LINK_MS), nothing);
    return token;
  }

  /**
   * A link for somebody who asked for one without signing in. It replaces only a link that would not outlive it: a stranger must
   * not be able to end an invitation or a link from the operator. Then the answer is until when the other link works.
   */
  async createForgotten(
    tx: Tx,
    holderId: number,
    now: number,
  ): Promise<{ readonly token: string } | { readonly otherUntil: Date }> {
    const { links, holder } = this.#register;
    const token = newToken('link');
    const unlessLonger = sql`where ${links}.used_at is not null or ${links}.expires_at <= excluded.expires_at`;
    const made = await this.#write(tx, holderId, token, new Date(now + FORGOTTEN_LINK_MS), unlessLonger);
    if (made > 0) return { token };
    return tx.one(sql`select expires_at as "otherUntil" from ${links} where ${holder} = ${holderId}`);
  }

  #write(tx: Tx, holderId: number, token: string, expiresAt: Date, unless: Sql): Promise<number> {
    const { links, holder } = this.#register;
    return tx.run(sql`
      insert into ${links} (${holder}, hash, expires_at) values (${holderId}, ${tokenHash(token)}, ${expiresAt})
      on conflict (${holder}) do update set hash = excluded.hash, expires_at = excluded.expires_at, used_at = null
      ${unless}`);
  }

  /** The token is the fragment, which browsers send to no server, so it cannot end up in a log or a referrer. */
  address(panelUrl: URL, token: string): string {
    return new URL(`${this.#register.welcome}#${token}`, panelUrl).href;
  }

  /**
   * Whose link this is. The refusal is the same for a link that was used, has expired, was replaced, never existed, or is of a
   * closed or disabled partner. The answer does not depend on whether the address is known elsewhere: the inviter holds the link,
   * too.
   */
  async require(db: Queryable, token: string, now: number, lock?: 'lock'): Promise<H> {
    const { links, holders, holder, person, ifOpen, holderColumns, needsSso } = this.#register;
    const found =
      isTokenOf('link', token) &&
      (await db.maybe<H & { needsSso: boolean }>(sql`
        select ${holders}.id as "holderId", ${holders}.${person} as "personId", ${holders}.email, ${needsSso} as "needsSso" ${holderColumns}
        from ${links} join ${holders} on ${holders}.id = ${holder} ${ifOpen}
        where ${works(token, now)} ${lock ? sql`for no key update of ${holders}` : nothing}`));
    if (!found) throw new Refused('link_not_valid');
    if (found.needsSso) throw new Refused('sso_required');
    return found;
  }

  /** Of two uses at once, the second waits for the holder's row and then finds the link used. */
  async use(tx: Tx, token: string, now: number): Promise<H> {
    const found = await this.require(tx, token, now, 'lock');
    const used = await tx.run(sql`
      update ${this.#register.links} set used_at = ${new Date(now)} where ${works(token, now)}`);
    if (used === 0) throw new Refused('link_not_valid');
    return found;
  }

  async dropUnused(tx: Tx, personId: number): Promise<void> {
    const { links, holders, holder, person } = this.#register;
    await tx.run(sql`
      delete from ${links} where ${holder} in (select id from ${holders} where ${person} = ${personId}) and used_at is null`);
  }
}

const works = (token: string, now: number): Sql =>
  sql`hash = ${tokenHash(token)} and used_at is null and expires_at > ${new Date(now)}`;
