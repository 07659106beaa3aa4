import { HOUR } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { findPartner } from '../accounts/accounts.ts';
import type { Session } from './member-access.ts';
import { isTokenOf, newToken, tokenHash, tokenLookUp } from './token.ts';

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
