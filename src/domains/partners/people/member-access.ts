import { DAY, HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { findPartner } from '../accounts/accounts.ts';
import type { StoredLimits } from '../limits/limits.ts';
import { Access, type Desk } from './access.ts';
import type { LinkHolder } from './links.ts';
import { assignMember, join, startPerson } from './members.ts';
import type { LinkUse } from './passwords.ts';
import { isTokenOf, newToken, type SignedIn, tokenHash, tokenLookUp } from './register.ts';
import type { Role } from './roles.ts';

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
   * changed before the session's, in the order `members.ts` describes.
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

const VIEW_MS = 1 * HOUR;

/** An operator who views a partner's panel. The panel decides what they may read (`members-only.ts`). */
export interface PartnerView extends Pick<Session, 'partnerId' | 'aheadMs' | 'isLive' | 'limits'> {
  readonly operatorId: number;
  readonly email: string;
}

type Row = Omit<PartnerView, 'aheadMs'> & { hash: string; ms: number | null; expires: Date };

const readViews = (db: Db, hashes: readonly Buffer[]): Promise<Row[]> =>
  db.query(sql`
    select encode(staff_views.hash, 'hex') as hash, staff.id as "operatorId", staff.email,
      staff_views.partner_id as "partnerId", partners.live as "isLive", partners.limits, least(staff_views.expires_at, staff_sessions.expires_at) as expires,
      extract(epoch from ahead)::float8 * 1000 as ms
    from staff_views join staff_sessions on staff_sessions.id = session_id join staff on staff.id = operator_id
    join partners on partners.id = staff_views.partner_id
    left join sandbox.account_clocks on account_clocks.partner_id = staff_views.partner_id
    where staff_views.hash = any(${hashes}::bytea[]) and deleted_at is null`);

export const partnerViews = {
  /**
   * Opens a view within an operator's session; the token is in the result only. A disabled partner can be viewed, a closed one
   * not.
   */
  async open(tx: Tx, sessionToken: string, partnerId: number, now: number): Promise<{ token: string; until: Date }> {
    const { deletedAt } = await findPartner(tx, partnerId);
    if (deletedAt !== null) throw new Refused('partner_closed', 'the account is closed and has no panel any more');
    const [token, until] = [newToken('view'), new Date(now + VIEW_MS)];
    const session = sql`select id from staff_sessions where hash = ${tokenHash(sessionToken)}`;
    await tx.run(sql`delete from staff_views where session_id in (${session}) and expires_at <= ${new Date(now)}`);
    const opened = await tx.run(sql`
      insert into staff_views (hash, session_id, partner_id, expires_at)
      select ${tokenHash(token)}, id, ${partnerId}, ${until} from (${session}) as session`);
    if (opened === 0) throw new Refused('sign_in_required');
    return { token, until };
  },

  async end(db: Queryable, token: string): Promise<void> {
    if (!isTokenOf('view', token)) return;
    await db.run(sql`delete from staff_views where hash = ${tokenHash(token)}`);
  },

  lookUp(db: Db): (token: string, now: number) => Promise<PartnerView | undefined> {
    const find = tokenLookUp('view', (hashes) => readViews(db, hashes));
    return async (token, now) => {
      const row = await find(token);
      if (!row || row.expires.getTime() <= now) return undefined;
      const { operatorId, email, partnerId, isLive, limits, ms } = row;
      return { operatorId, email, partnerId, isLive, limits, aheadMs: ms ?? 0 };
    };
  },
};
