import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Vault } from '../vault/secrets.ts';
import { operators } from './operator-register.ts';
import {
  confirmOperatorSession,
  endSessionsOfOperator,
  type OperatorSession,
  openOperatorSession,
} from './operator-sessions.ts';
import { requireCode } from './second-factor.ts';
import { type Credentials, requireOwnPassword, requirePassword, wrongCurrent, wrongPassword } from './sign-in.ts';
import { rememberPlace } from './sign-in-throttle.ts';

/** Where operators prove who they are. */
export interface OperatorDoor {
  readonly db: Db;
  readonly vault: Vault;
}

/** Signs an operator in, with the throttle and the refusals of members; the token of the session is in the answer and nowhere else. */
export async function signInOperator(door: OperatorDoor, given: Credentials, now: number): Promise<string> {
  const proven = await requirePassword(door.db, given, now, operators);
  const ids = proven.map(({ personId }) => personId);
  const shown = await requireCode(door, ids, given.code, now, operators);
  return door.db.tx(async (tx) => {
    // Proving takes a moment: a password changed meanwhile has ended the old one's sessions, and a factor turned on was not asked for.
    const [still] = await tx.query<{ id: number }>(sql`
      select id from staff
      where (id, password_hash) in (select * from unnest(${ids}::int[], ${proven.map((one) => one.passwordHash)}::text[]))
        and (id = ${shown ?? null}
          or not exists (select from staff_second_factors where operator_id = staff.id and on_since is not null))
      order by id for no key update`);
    if (!still) throw wrongPassword();
    return openOperatorSession(tx, still.id, now, given);
  });
}

/** Proves again who is at the keyboard; it counts for this session, for a few minutes. */
export async function confirmOperator(
  door: OperatorDoor,
  operator: OperatorSession,
  given: { readonly password: string; readonly code?: string | undefined; readonly address: string },
  token: string,
  now: number,
): Promise<void> {
  const { operatorId, email } = operator;
  await requireOwnPassword(door.db, { email, personId: operatorId }, given, now, operators);
  await requireCode(door, [operatorId], given.code, now, operators);
  await confirmOperatorSession(door.db, token, now);
}

/** The hash that the operator's current password was proven against. */
export async function requireOperatorPassword(
  db: Db,
  { operatorId, email }: OperatorSession,
  given: { readonly password: string; readonly address: string },
  now: number,
): Promise<string> {
  const proven = await requireOwnPassword(db, { email, personId: operatorId }, given, now, operators);
  const own = proven.find(({ personId }) => personId === operatorId);
  if (!own) throw wrongCurrent();
  return own.passwordHash;
}

/** From now on only this password counts: every session but `keepToken` ends, and an unused link stops working. */
export async function setOperatorPassword(
  tx: Tx,
  operatorId: number,
  passwordHash: string,
  keepToken?: string,
): Promise<void> {
  await tx.run(sql`update staff set password_hash = ${passwordHash} where id = ${operatorId}`);
  await tx.run(sql`delete from staff_links where operator_id = ${operatorId} and used_at is null`);
  await endSessionsOfOperator(tx, operatorId, keepToken);
}

/** From now on failures elsewhere cannot lock the operator out here. */
export const rememberOperatorPlace = (
  tx: Tx,
  operatorId: number,
  place: { readonly address: string },
  now: number,
): Promise<void> => rememberPlace(tx, operatorId, place, now, operators);
