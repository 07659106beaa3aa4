import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Identity } from '../../../platform/oidc/oidc.ts';
import { type Operator, operators } from '../people/people.ts';

/* Who people are at issuers of single sign-on: operators at one, the members of each partner at another. */

export { ssoProviders, type WantedProvider } from './providers.ts';

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

/** Whom the operators' issuer knows. */
export const operatorIdentities = {
  async find(db: Queryable, { issuer, subject }: Identity): Promise<Operator | undefined> {
    const found = await db.maybe<{ operatorId: number }>(sql`
      select operator_id as "operatorId" from staff_identities where issuer = ${issuer} and subject = ${subject}`);
    return found && operators.find(db, found.operatorId);
  },

  /** False: the issuer knows this operator as somebody else already. Of another issuer, the setting was changed. */
  async link(tx: Tx, operatorId: number, { issuer, subject }: Identity, now: number): Promise<boolean> {
    const linked = await tx.run(sql`
      insert into staff_identities as known (operator_id, issuer, subject, linked_at)
      values (${operatorId}, ${issuer}, ${subject}, ${new Date(now)})
      on conflict (operator_id) do update set issuer = excluded.issuer, subject = excluded.subject, linked_at = excluded.linked_at
      where known.issuer <> excluded.issuer`);
    return linked > 0;
  },
};
