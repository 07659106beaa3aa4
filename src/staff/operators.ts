import type { Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { Refused } from '../refused.ts';
import type { OperatorRole } from './operator-roles.ts';

export interface Operator {
  readonly operatorId: number;
  readonly email: string;
  readonly role: OperatorRole;
  /** False until the invitation is accepted. */
  readonly hasAccepted: boolean;
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
}

export interface NewOperator {
  readonly email: string;
  readonly role: OperatorRole;
}

const columns = sql`
  id as "operatorId", email, role, password_hash is not null as "hasAccepted", totp_on_since is not null as "hasSecondFactor",
  created_at as "createdAt", last_sign_in_at as "lastSignInAt"`;

export async function createOperator(tx: Tx, { email, role }: NewOperator, now: number): Promise<Operator> {
  const created = await tx.maybe<Operator>(sql`
    insert into staff (email, role, created_at) values (${email}, ${role}, ${new Date(now)})
    on conflict do nothing returning ${columns}`);
  if (!created) throw new Refused('operator_exists', `${email} is an operator already`);
  return created;
}

export const listOperators = (db: Queryable): Promise<Operator[]> =>
  db.query(sql`select ${columns} from staff order by lower(email)`);

export async function findOperator(db: Queryable, operatorId: number): Promise<Operator> {
  const found = await db.maybe<Operator>(sql`select ${columns} from staff where id = ${operatorId}`);
  if (!found) throw new Refused('operator_not_found');
  return found;
}
