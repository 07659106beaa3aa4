import { type Author, change, type Recorded } from '../../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../../platform/audit/sentences.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Services } from '../../../platform/start/services.ts';
import { type LinkBook, type LinkHolder, Links } from './links.ts';
import { type NewPasskey, type Passkey, type PasskeyUse, requirePasskeyName } from './passkeys.ts';
import {
  type Credentials,
  hashesOf,
  hashPassword,
  type LinkUse,
  Passwords,
  type Proof,
  type ProvenPerson,
  requirePasswordLength,
  waiting,
  wrongCurrent,
  wrongPassword,
} from './passwords.ts';
import type { Register, SignedIn } from './register.ts';
import { codeRequired, type GivenFactor, SecondFactors } from './second-factor.ts';
import { type Device, Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';

export type Desk = Pick<Services, 'db' | 'vault' | 'clock'>;

/** What they change about themselves; the log names an operator's own kinds. */
type OwnChange = 'password change' | 'second factor on' | 'second factor off' | 'recovery codes renew';

/** Somebody signed in who changes what is their own, and how the audit log calls them. */
export interface Self extends Desk, Author, Pick<SignedIn, 'personId' | 'email' | 'isSso'> {
  readonly target: string;
  /** Of the session they do it in, which goes on. */
  readonly token: string;
  readonly address: string;
  /** Why they cannot be without a second factor; undefined: they can. */
  readonly needsFactor?: string | undefined;
}

const inUse = new Set<string>();
const LINK_WAIT_SECONDS = 1;
const CODES_SHOWN = 'this was done, and the recovery codes were shown once; if you do not have them, create new ones';

/**
 * How people get in and stay in: by a one-time link, then with a password and, if they turned it on, a second factor. Members and
 * operators do it here; what differs is in the register. Changes have their entry in the audit log.
 */
export class Access<H extends LinkHolder = LinkHolder, S extends SignedIn = SignedIn> {
  readonly register: Register;
  readonly throttle: Throttle;
  readonly factor: SecondFactors;
  readonly passwords: Passwords;
  readonly sessions: Sessions<S>;
  readonly links: Links<H>;

  constructor(register: Register) {
    this.register = register;
    this.throttle = new Throttle(register);
    this.factor = new SecondFactors(register, this.throttle);
    this.passwords = new Passwords(register, this.throttle);
    this.sessions = new Sessions(register);
    this.links = new Links(register);
  }

  /** Signs a person in, a member at the partner they used last; the token of the session is in the answer and nowhere else. */
  async signIn({ db, vault }: Pick<Desk, 'db' | 'vault'>, given: Credentials, now: number): Promise<string> {
    const proof = await this.requireProof({ db, vault }, given, now);
    return db.tx(async (tx) => {
      // Only somebody with the password learns why they are refused.
      const holderId = await this.#latestHolder(tx, await this.requireJoined(tx, proof));
      return this.sessions.open(tx, holderId, now, given);
    });
  }

  /** Password and, if there is one, second factor. `into` is the person whose factor it was. */
  async requireProof(desk: Pick<Desk, 'db' | 'vault'>, given: Credentials, now: number): Promise<Proof> {
    const proven = await this.passwords.require(desk.db, given, now);
    const ids = proven.map(({ personId }) => personId);
    return { proven, into: await this.factor.require(desk, ids, given, now) };
  }

  async requireJoined(tx: Tx, { proven, into }: Proof): Promise<number> {
    const personId = await this.joinProven(tx, proven, into);
    if (personId === undefined) throw wrongPassword();
    return personId;
  }

  /**
   * Locks the people whose password was proven and joins them into one: `into`, or the first. Undefined when none of them (or
   * not `into`) still has that password: proving takes a moment, and a password changed meanwhile has ended the old one's sessions.
   * Somebody with a second factor only counts as `into`: their password alone does not prove who they are, and joining them to
   * somebody without one would leave the factor out.
   */
  async joinProven(tx: Tx, proven: readonly ProvenPerson[], into?: number): Promise<number | undefined> {
    const { people, holders, person, namesakes } = this.register;
    const ids = proven.map(({ personId }) => personId);
    // As for a change, which follows: two transactions that only shared the rows would each wait for the other to let go.
    await tx.run(sql`select from ${holders} where ${person} = any(${ids}::int[]) order by id for no key update`);
    const matching = await tx.query<{ id: number }>(sql`
      select id from ${people}
      where (id, password_hash) in (select * from unnest(${ids}::int[], ${hashesOf(proven)}::text[]))
      order by id for no key update`);
    const withFactor = await this.factor.guarded(tx, ids);
    const still = matching.filter(({ id }) => id === into || !withFactor.includes(id));
    const stays = into ?? still[0]?.id;
    if (stays === undefined || !still.some(({ id }) => id === stays)) return undefined;
    for (const { id } of still) if (id !== stays) await namesakes?.join(tx, id, stays);
    return stays;
  }

  async #latestHolder(tx: Tx, personId: number): Promise<number> {
    const { holders, person, ifOpen, needsSso } = this.register;
    const latest = await tx.maybe<{ id: number; needsSso: boolean }>(sql`
      select ${holders}.id, ${needsSso} as "needsSso" from ${holders} ${ifOpen} where ${holders}.${person} = ${personId}
      order by "needsSso", last_sign_in_at desc nulls last, ${holders}.id limit 1`);
    if (!latest) throw new Refused('partner_disabled');
    if (latest.needsSso) throw new Refused('sso_required');
    return latest.id;
  }

  /**
   * Uses a one-time link to set a password, and signs its holder in. A member's password is valid at this partner alone: if the
   * same person belongs to other partners, nothing changes there. So neither the link's holder nor its creator gains access
   * anywhere else.
   *
   * Each link costs at most one password hash at a time. That is checked before the link is looked up: a second request that found
   * it valid just before the first finished would hash again.
   */
  async acceptLink(desk: Desk, link: LinkUse, book: LinkBook<H> = this.links): Promise<string> {
    requirePasswordLength(link.password);
    if (inUse.has(link.token)) throw new TooManyAttempts(LINK_WAIT_SECONDS);
    inUse.add(link.token);
    return this.#accept(desk, link, book).finally(() => inUse.delete(link.token));
  }

  async #accept(desk: Desk, link: LinkUse, book: LinkBook<H>): Promise<string> {
    const { db, clock } = desk;
    const { namesakes } = this.register;
    // Before the expensive hash: a request without a valid link is not worth it.
    const { email, personId: was } = await book.require(db, link.token, clock.now());
    // A link takes the place of a forgotten password, not of the second factor.
    const shown = was === null ? undefined : await this.factor.require(desk, [was], link, clock.now());
    const sameAddress = namesakes ? await this.passwords.byEmail(db, email) : [];
    const passwordHash = await hashPassword(link.password, waiting(link.address, true), hashesOf(sameAddress));
    return this.changeByLink(
      desk,
      email,
      book.what,
      async (tx, now) => {
        const held = await book.use(tx, link.token, now);
        const { holderId, personId: old } = held;
        // A factor turned on meanwhile was not asked for yet.
        if (old !== null && old !== shown && (await this.factor.guarded(tx, [old])).length > 0) throw codeRequired();
        const personId = namesakes ? await namesakes.start(tx, holderId, passwordHash) : Number(old);
        if (!namesakes) await this.#setPassword(tx, personId, passwordHash);
        // As after a sign-in: from now on, failures elsewhere cannot lock them out here.
        await this.throttle.rememberPlace(tx, personId, link, now);
        return held;
      },
      link,
    );
  }

  /** The change a link is used for, with its entry; the holder's older sessions end and a new one is opened. */
  changeByLink(
    { db, clock }: Desk,
    email: string,
    what: AuditKind,
    work: (tx: Tx, now: number) => Promise<LinkHolder & { readonly partnerId?: number }>,
    device: Device,
  ): Promise<string> {
    const { name } = this.register;
    return change({ db, who: `${name}:${email}` }, what, async (tx) => {
      const now = clock.now();
      const { holderId, partnerId } = await work(tx, now);
      await this.sessions.endOfHolder(tx, holderId);
      const result = await this.sessions.open(tx, holderId, now, device);
      return { target: `${name} ${holderId}`, partnerId, result };
    });
  }

  /** Signs a person in with nothing but a passkey, where they were last; they have proven who they are, so no password is needed. */
  async signInByPasskey(
    { db, vault }: Pick<Desk, 'db' | 'vault'>,
    passkey: PasskeyUse,
    device: Device,
    now: number,
  ): Promise<string> {
    const proven = await this.factor.passkeys.require({ db, vault }, passkey, now);
    return db.tx(async (tx) => {
      const { holders, person, people } = this.register;
      const { personId } = proven;
      // In the order of `members.ts`. A passkey that is removed meanwhile is not found by `use`.
      await tx.run(sql`select from ${holders} where ${person} = ${personId} order by id for no key update`);
      await tx.run(sql`select from ${people} where id = ${personId} for no key update`);
      await this.factor.passkeys.use(tx, proven, now);
      const holderId = await this.#latestHolder(tx, personId);
      await this.throttle.rememberPlace(tx, personId, device, now);
      return this.sessions.open(tx, holderId, now, device);
    });
  }

  /** Proves again who is at the keyboard, for the actions that are `fresh`. It counts for this session, for a few minutes. */
  async confirm(
    self: Self,
    { password, ...factor }: GivenFactor & { readonly password?: string | undefined },
  ): Promise<void> {
    const now = self.clock.now();
    if (password === undefined) await this.#requireOwnPasskey(self, factor.passkey, now);
    else {
      await this.passwords.requireOwn(self.db, self, password, now);
      await this.factor.require(self, [self.personId], factor, now);
    }
    await this.sessions.confirm(self.db, self.token, now);
  }

  /** Changes a person's password, a member's at every partner they belong to, and ends their other sessions. */
  async changePassword(self: Self, wanted: { readonly current: string; readonly password: string }): Promise<void> {
    requirePasswordLength(wanted.password);
    const proven = await this.passwords.requireOwn(self.db, self, wanted.current, self.clock.now());
    const sameAddress = this.register.namesakes ? hashesOf(proven) : [];
    const passwordHash = await hashPassword(wanted.password, waiting(self.address, true), sameAddress);
    await this.#change(self, 'password change', async (tx) => {
      // A link used meanwhile took the account back from somebody who knew the old password: they can change nothing any more.
      if ((await this.joinProven(tx, proven, self.personId)) === undefined) throw wrongCurrent();
      await this.#setPassword(tx, self.personId, passwordHash, self.token);
    });
  }

  /** From now on only this password counts: every session but `keepToken` ends, and unused links stop working. */
  async #setPassword(tx: Tx, personId: number, passwordHash: string, keepToken?: string): Promise<void> {
    await tx.run(sql`update ${this.register.people} set password_hash = ${passwordHash} where id = ${personId}`);
    await this.links.dropUnused(tx, personId);
    await this.sessions.endAll(tx, personId, keepToken);
  }

  /** Turns the second factor on and ends the other sessions, which were opened without it. Returns the recovery codes. */
  turnOnFactor(self: Self, code: string): Promise<readonly string[]> {
    const turnOn = async (tx: Tx) => {
      const codes = await this.factor.turnOn(tx, self.vault, self.personId, code, self.clock.now());
      await this.sessions.endAll(tx, self.personId, self.token);
      return codes;
    };
    return this.#change(self, 'second factor on', turnOn, CODES_SHOWN);
  }

  turnOffFactor(self: Self): Promise<void> {
    return this.#change(self, 'second factor off', async (tx) => {
      await this.factor.turnOff(tx, self.personId);
      await this.#requireFactorLeft(tx, self);
    });
  }

  /** Adds a passkey. If it is their first second factor, the other sessions end, which were opened without one. */
  async addPasskey(
    self: Self,
    wanted: NewPasskey,
  ): Promise<{ readonly passkey: Passkey; readonly codes?: readonly string[] | undefined }> {
    const { personId, token, clock } = self;
    const name = requirePasskeyName(wanted.name);
    const proven = await this.factor.passkeys.requireNew(self.vault, personId, wanted, clock.now());
    return change(self, `${this.register.prefix}passkey add`, async (tx) => {
      const { isFirst, ...added } = await this.factor.addPasskey(tx, personId, proven, name, clock.now());
      if (isFirst) await this.sessions.endAll(tx, personId, token);
      return { target: self.target, after: { name }, result: added, shownOnce: added.codes && CODES_SHOWN };
    });
  }

  /** Removes a passkey, perhaps because it is in other hands: the other sessions end, too. */
  removePasskey(self: Self, passkeyId: bigint): Promise<void> {
    return change(self, `${this.register.prefix}passkey remove`, async (tx) => {
      const name = await this.factor.removePasskey(tx, self.personId, passkeyId);
      await this.#requireFactorLeft(tx, self);
      if (!self.isSso) await this.#requireWayIn(tx, self.personId);
      await this.sessions.endAll(tx, self.personId, self.token);
      return { target: self.target, before: { name }, result: undefined };
    });
  }

  async #requireOwnPasskey(self: Self, passkey: PasskeyUse | undefined, now: number): Promise<void> {
    if (!passkey) throw wrongCurrent();
    const proven = await this.factor.passkeys.require(self, passkey, now);
    if (proven.personId !== self.personId) throw new Refused('wrong_passkey');
    await self.db.tx((tx) => this.factor.passkeys.use(tx, proven, now));
  }

  /** Checked after the removal, while the person is locked: of two that are removed at once, one stays. */
  async #requireFactorLeft(tx: Tx, { personId, needsFactor }: Self): Promise<void> {
    if ((await this.factor.guarded(tx, [personId])).length > 0) return;
    if (needsFactor !== undefined) throw new Refused('second_factor_required', needsFactor);
    const { holders, person, isBreakGlass } = this.register;
    const isLeft = await tx.maybe(
      sql`select from ${holders} where ${person} = ${personId} and ${isBreakGlass} limit 1`,
    );
    if (isLeft !== undefined) throw new Refused('break_glass_stays');
  }

  /** Without a password, a passkey may be all they have. */
  async #requireWayIn(tx: Tx, personId: number): Promise<void> {
    const { hasPassword } = await tx.one<{ hasPassword: boolean }>(sql`
      select password_hash is not null as "hasPassword" from ${this.register.people} where id = ${personId}`);
    if (!hasPassword && (await this.factor.passkeys.list(tx, personId)).length === 0) throw new Refused('last_way_in');
  }

  renewCodes(self: Self): Promise<readonly string[]> {
    return this.#change(self, 'recovery codes renew', (tx) => this.factor.renewCodes(tx, self.personId), CODES_SHOWN);
  }

  #change<T>(self: Self, what: OwnChange, work: (tx: Tx) => Promise<T>, shownOnce?: string): Promise<T> {
    return change(self, `${this.register.prefix}${what}`, async (tx) => ({
      target: self.target,
      result: await work(tx),
      shownOnce,
    }));
  }

  /** For operators: removes the factors of somebody who lost their phone, passkeys and recovery codes, and signs them out. */
  async resetFactor(
    tx: Tx,
    holderId: number,
    { email, partnerId, personId }: { readonly email: string; readonly partnerId?: number; readonly personId: number },
  ): Promise<Recorded<void>> {
    await this.factor.removeAll(tx, personId);
    await this.sessions.endAll(tx, personId);
    const [before, after] = [true, false].map((second_factor) => ({ email, second_factor }));
    return { target: `${this.register.name} ${holderId}`, partnerId, before, after, result: undefined };
  }
}
