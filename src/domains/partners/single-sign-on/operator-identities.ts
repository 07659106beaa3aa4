import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Identity } from '../../../platform/oidc/oidc.ts';
import { type Operator, operators } from '../people/people.ts';

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
