import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Identity } from '../../../platform/oidc/oidc.ts';

/** Whom the issuer of a partner knows, at that partner. */
export const memberIdentities = {
  async find(db: Queryable, partnerId: number, { issuer, subject }: Identity): Promise<number | undefined> {
    const found = await db.maybe<{ memberId: number }>(sql`
      select member_id as "memberId" from member_identities
      where partner_id = ${partnerId} and issuer = ${issuer} and subject = ${subject}`);
    return found?.memberId;
  },

  /** False: the issuer knows this member as somebody else already. */
  async link(
    tx: Tx,
    partnerId: number,
    memberId: number,
    { issuer, subject }: Identity,
    now: number,
  ): Promise<boolean> {
    const linked = await tx.run(sql`
      insert into member_identities (member_id, partner_id, issuer, subject, linked_at)
      values (${memberId}, ${partnerId}, ${issuer}, ${subject}, ${new Date(now)}) on conflict do nothing`);
    return linked > 0;
  },
};
