import { MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isTokenOf, newToken, type Register, type SignedIn, tokenHash, tokenLookUp } from './register.ts';

/** How long after the password was entered a session may do what requires it. */
export const FRESH_MS = 5 * MINUTE;
/** How precisely we record when a session was last seen. */
const SEEN_MS = MINUTE;
const MAX_USER_AGENT = 300;

export interface Device {
  readonly address: string;
  readonly userAgent?: string;
  /** An issuer says who they are (`sso-operators.ts`). */
  readonly isSso?: boolean;
  /** Told of a sign-in past the single sign-on that is required (`Register.isBreakGlass`), in its transaction. */
  readonly onBreakGlass?: (tx: Tx, holderId: number) => Promise<void>;
}

export interface OpenSession extends Required<Pick<Device, 'address' | 'userAgent'>> {
  readonly sessionId: bigint;
  readonly partnerName?: string;
  readonly openedAt: Date;
  readonly lastSeenAt: Date;
  /** The one the list is read in. */
  readonly isThis: boolean;
}

/** The sessions of one register; `S` is what is known about who is signed in. */
export class Sessions<S extends SignedIn> {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  /** Opens a session; the token is in the answer and nowhere else. Also deletes the person's expired sessions. */
  async open(
    tx: Tx,
    holderId: number,
    now: number,
    { address, userAgent = '', isSso = false, onBreakGlass }: Device = { address: '' },
  ): Promise<string> {
    const { sessions, holders, holder, person, sessionMs, idleMs, maxSessions } = this.#register;
    const [at, idleSince] = [new Date(now), new Date(now - idleMs)];
    const token = newToken(this.#register.token);
    const own = sql`${holder} in (
      select same.id from ${holders} as held join ${holders} as same on same.${person} = held.${person}
      where held.id = ${holderId})`;
    await tx.run(sql`
      delete from ${sessions} where ${own} and (expires_at <= ${at} or last_seen_at <= ${idleSince}
        or hash not in (select hash from ${sessions} where ${own} order by last_seen_at desc limit ${maxSessions - 1}))`);
    await tx.run(sql`
      insert into ${sessions} (hash, ${holder}, created_at, last_seen_at, expires_at, confirmed_at, address, user_agent, sso)
      values (${tokenHash(token)}, ${holderId}, ${at}, ${at}, ${new Date(now + sessionMs)}, ${at}, ${address},
        ${userAgent.slice(0, MAX_USER_AGENT)}, ${isSso})`);
    await tx.run(sql`update ${holders} set last_sign_in_at = ${at} where id = ${holderId}`);
    if (onBreakGlass && !isSso && (await this.#isBreakGlass(tx, holderId))) await onBreakGlass(tx, holderId);
    return token;
  }

  async #isBreakGlass(tx: Tx, holderId: number): Promise<boolean> {
    const { holders, isBreakGlass } = this.#register;
    return (await tx.maybe(sql`select from ${holders} where id = ${holderId} and ${isBreakGlass}`)) !== undefined;
  }

  /** Reads the holder each time: a change of role or a disabled partner takes effect on the next request. */
  lookUp(db: Db): (token: string, now: number) => Promise<S | undefined> {
    const { sessions, token: kind, idleMs } = this.#register;
    const find = tokenLookUp(kind, (hashes) => this.#read(db, hashes));
    return async (token, now) => {
      const row = await find(token);
      if (!row) return undefined;
      const { hash: _, seen, expires, ...session } = row;
      if (expires.getTime() <= now || seen.getTime() <= now - idleMs) return undefined;
      if (seen.getTime() <= now - SEEN_MS)
        await db.run(sql`update ${sessions} set last_seen_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
      return session as unknown as S;
    };
  }

  #read(db: Db, hashes: readonly Buffer[]): Promise<(S & { hash: string; seen: Date; expires: Date })[]> {
    const { sessions, holders, holder, person, factors, passkeys, id, ifOpen, needsSso, sessionColumns } =
      this.#register;
    return db.query(sql`
      select encode(hash, 'hex') as hash, ${holders}.${person} as "personId", ${holders}.email, role,
        last_seen_at as seen, expires_at as expires, confirmed_at as "confirmedAt", sso as "isSso",
        exists (select from ${factors} where ${id} = ${holders}.${person} and on_since is not null)
          or exists (select from ${passkeys} where ${id} = ${holders}.${person}) as "hasSecondFactor"
        ${sessionColumns}
      from ${sessions} join ${holders} on ${holders}.id = ${holder} ${ifOpen} where hash = any(${hashes}::bytea[])
        and (sso or not ${needsSso})`);
  }

  /** Everywhere a person is signed in, most recently used first. */
  list(db: Queryable, personId: number, token: string, now: number): Promise<OpenSession[]> {
    const { sessions, holders, holder, person, ifOpen, holderColumns, idleMs } = this.#register;
    return db.query(sql`
      select ${sessions}.id as "sessionId", ${sessions}.created_at as "openedAt", last_seen_at as "lastSeenAt", address,
        user_agent as "userAgent", hash = ${tokenHash(token)} as "isThis" ${holderColumns}
      from ${holders} join ${sessions} on ${holder} = ${holders}.id ${ifOpen}
      where ${holders}.${person} = ${personId} and expires_at > ${new Date(now)}
        and last_seen_at > ${new Date(now - idleMs)}
      order by "isThis" desc, last_seen_at desc, ${sessions}.id`);
  }

  /** The person of this session has just proven again who they are. */
  async confirm(db: Queryable, token: string, now: number): Promise<void> {
    const { sessions } = this.#register;
    await db.run(sql`update ${sessions} set confirmed_at = ${new Date(now)} where hash = ${tokenHash(token)}`);
  }

  async end(db: Queryable, token: string): Promise<void> {
    const { sessions, token: kind } = this.#register;
    if (isTokenOf(kind, token)) await db.run(sql`delete from ${sessions} where hash = ${tokenHash(token)}`);
  }

  async endOne(tx: Tx, personId: number, sessionId: bigint): Promise<void> {
    const ended = await this.#delete(tx, personId, sql`and id = ${sessionId}`);
    if (ended === 0) throw new Refused('session_not_found');
  }

  /** Signs a person out everywhere, or everywhere but in one session. */
  async endAll(tx: Tx, personId: number, keepToken?: string): Promise<void> {
    await this.#delete(tx, personId, keepToken === undefined ? nothing : sql`and hash <> ${tokenHash(keepToken)}`);
  }

  #delete(tx: Tx, personId: number, which: Sql): Promise<number> {
    const { sessions, holders, holder, person } = this.#register;
    return tx.run(sql`
      delete from ${sessions} where ${holder} in (select id from ${holders} where ${person} = ${personId}) ${which}`);
  }

  async endOfHolder(tx: Tx, holderId: number): Promise<void> {
    const { sessions, holder } = this.#register;
    await tx.run(sql`delete from ${sessions} where ${holder} = ${holderId}`);
  }
}
