import { DAY, HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { StoredLimits } from '../limits/limits.ts';
import { Access, type Desk } from './access.ts';
import type { LinkHolder } from './links.ts';
import type { LinkUse } from './passwords.ts';
import { assignMember, join, startPerson } from './person.ts';
import type { SignedIn } from './register.ts';
import type { Role } from './roles.ts';
import { tokenHash } from './token.ts';

export interface Session extends SignedIn {
  readonly memberId: number;
  readonly partnerId: number;
  readonly role: Role;
  /** How far the partner's sandbox is ahead of real time. */
  readonly aheadMs: number;
  readonly isLive: boolean;
  readonly limits: StoredLimits;
}

export interface MemberLinkHolder extends LinkHolder {
  readonly partnerId: number;
  readonly partnerName: string;
}

export interface Account {
  readonly memberId: number;
  readonly partnerId: number;
  readonly partnerName: string;
}

const requiresSso = sql`exists (select from partner_sso where partner_sso.partner_id = members.partner_id and required)`;

/** The panel's register: a person has links and sessions as a member of a partner that is neither disabled nor closed. */
class MemberAccess extends Access<MemberLinkHolder, Session> {
  constructor() {
    super({
      name: 'member',
      prefix: '',
      counted: [],
      people: sql`people`,
      places: sql`sign_in_places`,
      factors: sql`second_factors`,
      passkeys: sql`passkeys`,
      id: sql`person_id`,
      holders: sql`members`,
      person: sql`person_id`,
      links: sql`member_links`,
      sessions: sql`sessions`,
      holder: sql`member_id`,
      ifOpen: sql`join partners on partners.id = members.partner_id and not disabled and deleted_at is null`,
      needsSso: sql`(not members.break_glass and ${requiresSso})`,
      isBreakGlass: sql`(members.break_glass and ${requiresSso})`,
      sessionColumns: sql`, members.id as "memberId", members.partner_id as "partnerId", partners.live as "isLive", partners.limits, coalesce((
        select extract(epoch from ahead)::float8 * 1000 from sandbox.account_clocks
        where account_clocks.partner_id = members.partner_id), 0) as "aheadMs"`,
      holderColumns: sql`, members.partner_id as "partnerId", partners.name as "partnerName"`,
      token: 'session',
      sessionMs: 30 * DAY,
      idleMs: 12 * HOUR,
      maxSessions: 20,
      welcome: '/welcome',
      namesakes: { start: startPerson, join },
    });
  }

  /** Uses a one-time link as somebody with a password for its address: they prove it as at a sign-in, and get one more partner. */
  async joinByLink(desk: Desk, link: LinkUse): Promise<string> {
    const { email } = await this.links.require(desk.db, link.token, desk.clock.now());
    const proof = await this.requireProof(desk, { ...link, email }, desk.clock.now());
    const assign = async (tx: Tx, now: number) => {
      const personId = await this.requireJoined(tx, proof);
      const held = await this.links.use(tx, link.token, now);
      await assignMember(tx, held.holderId, personId);
      return held;
    };
    return this.changeByLink(desk, email, 'member join', assign, link);
  }

  /** What a session can be moved to. One opened by single sign-on stays where it is: that issuer speaks for one partner only. */
  accounts(
    db: Queryable,
    { personId, memberId, isSso }: Pick<Session, 'personId' | 'memberId' | 'isSso'>,
  ): Promise<Account[]> {
    const { holderColumns, ifOpen, needsSso } = this.register;
    return db.query(sql`
      select members.id as "memberId" ${holderColumns} from members ${ifOpen}
      where person_id = ${personId} and (members.id = ${memberId} or (not ${isSso} and not ${needsSso}))
      order by lower(partners.name), members.id`);
  }

  /** Lets a member in who has no password: an issuer says who they are. */
  async startBySso(tx: Tx, memberId: number): Promise<void> {
    await startPerson(tx, memberId, null);
  }

  /**
   * Moves a session to another partner of the same person. Another person's partners are answered as not found. The member's row is
   * changed before the session's, in the order `person.ts` describes.
   */
  async switchAccount(tx: Tx, token: string, memberId: number, now: number): Promise<void> {
    const opened = await tx.run(sql`
      update members set last_sign_in_at = ${new Date(now)}
      from partners, sessions join members as current on current.id = sessions.member_id
      where members.id = ${memberId} and members.person_id = current.person_id and sessions.hash = ${tokenHash(token)}
        and partners.id = members.partner_id and not disabled and deleted_at is null
        and (members.id = current.id or (not sessions.sso and not ${this.register.needsSso}))`);
    if (opened === 0) throw new Refused('account_not_found');
    await tx.run(sql`update sessions set member_id = ${memberId} where hash = ${tokenHash(token)}`);
  }
}

export const memberAccess = new MemberAccess();
