import { hash } from 'node:crypto';
import { Refused } from '../contract/refused.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Vault } from '../vault/secrets.ts';
import { people, type Register } from './register.ts';
import { countCode, giveBackCode } from './sign-in-throttle.ts';
import { newTotpSecret, randomBase32, stepOfCode, totpAddress } from './totp.ts';

/**
 * The second factor of a person: codes of an authenticator app, each accepted once, and ten recovery codes for the day the phone is
 * lost. It belongs to the person, so it is asked for at every partner of theirs. Operators have theirs in a table of their own.
 */
const RECOVERY_CODES = 10;
/** Of one recovery code: 80 bits, so its plain hash cannot be reversed by guessing. */
const RECOVERY_BYTES = 10;

export interface SecondFactor {
  /** Null: off. */
  readonly onSince: Date | null;
  readonly recoveryLeft: number;
}

export async function findSecondFactor(
  db: Queryable,
  personId: number,
  { factors, id }: Register = people,
): Promise<SecondFactor> {
  const found = await db.maybe<SecondFactor>(sql`
    select on_since as "onSince", cardinality(recovery_hashes) as "recoveryLeft"
    from ${factors} where ${id} = ${personId}`);
  return found ?? { onSince: null, recoveryLeft: 0 };
}

export interface Setup {
  readonly secret: string;
  /** For the QR code. */
  readonly address: string;
}

/** Begins to set it up, again with a new key each time. Nothing is asked for until `turnOn`. */
export async function startSecondFactor(
  tx: Tx,
  vault: Vault,
  personId: number,
  email: string,
  { factors, id }: Register = people,
): Promise<Setup> {
  const secret = newTotpSecret();
  const started = await tx.run(sql`
    insert into ${factors} as known (${id}, secret) values (${personId}, ${vault.seal(secret)})
    on conflict (${id}) do update set secret = excluded.secret where known.on_since is null`);
  if (started === 0) throw new Refused('second_factor_on');
  return { secret, address: totpAddress(secret, email) };
}

/** Turns it on with the first code of the app; returns the recovery codes, which are shown once. */
export async function turnOn(
  tx: Tx,
  vault: Vault,
  personId: number,
  code: string,
  now: number,
  { people: table, factors, id }: Register = people,
): Promise<readonly string[]> {
  // The person's row first, in the order of `people.ts`: a sign-in that is joining people sees it on, or comes before.
  await tx.run(sql`select from ${table} where id = ${personId} for no key update`);
  const pending = await tx.maybe<{ secret: Buffer }>(sql`
    select secret from ${factors} where ${id} = ${personId} and on_since is null for update`);
  if (!pending) throw new Refused('second_factor_not_started');
  const step = stepOfCode(vault.open(pending.secret), spaceless(code), 0, now);
  if (step === undefined) throw wrongCode();
  const codes = newRecoveryCodes();
  await tx.run(sql`
    update ${factors} set on_since = ${new Date(now)}, last_step = ${step}, recovery_hashes = ${codes.map(codeHash)}
    where ${id} = ${personId}`);
  return codes;
}

/** Replaces the recovery codes; the older ones stop working. */
export async function renewRecoveryCodes(
  tx: Tx,
  personId: number,
  { factors, id }: Register = people,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  const renewed = await tx.run(sql`
    update ${factors} set recovery_hashes = ${codes.map(codeHash)}
    where ${id} = ${personId} and on_since is not null`);
  if (renewed === 0) throw new Refused('second_factor_off', 'your second factor is off');
  return codes;
}

export async function turnOff(tx: Tx, personId: number, { factors, id }: Register = people): Promise<void> {
  const turned = await tx.run(sql`delete from ${factors} where ${id} = ${personId} and on_since is not null`);
  if (turned === 0) throw new Refused('second_factor_off', 'the second factor is off');
}

/** A link sets a new password for one place, which makes a new person (`people.ts`): what was asked for there still is. */
export async function copySecondFactor(tx: Tx, memberId: number, personId: number): Promise<void> {
  await tx.run(sql`
    insert into second_factors (person_id, secret, on_since, last_step, recovery_hashes)
    select ${personId}, secret, on_since, last_step, recovery_hashes
    from second_factors join members using (person_id) where members.id = ${memberId} and on_since is not null`);
}

/** Those of the people whose second factor is on. */
export async function guarded(
  db: Queryable,
  personIds: readonly number[],
  { factors, id }: Register = people,
): Promise<number[]> {
  const rows = await db.query<{ personId: number }>(sql`
    select ${id} as "personId" from ${factors}
    where ${id} = any(${personIds}::int[]) and on_since is not null order by ${id}`);
  return rows.map(({ personId }) => personId);
}

/** Those of a partner's members whose second factor is on. */
export async function membersWithSecondFactor(db: Queryable, partnerId: number): Promise<number[]> {
  const rows = await db.query<{ memberId: number }>(sql`
    select members.id as "memberId" from members join second_factors using (person_id)
    where partner_id = ${partnerId} and on_since is not null order by members.id`);
  return rows.map(({ memberId }) => memberId);
}

/**
 * Asks for a code if any of these people has a second factor; returns the one whose code it was. Attempts are counted before they
 * are checked and given back if they were right, as for passwords. The code is used up even if what it was for then fails.
 */
export async function requireCode(
  { db, vault }: { readonly db: Db; readonly vault: Vault },
  personIds: readonly number[],
  code: string | undefined,
  now: number,
  register = people,
): Promise<number | undefined> {
  const asked = await guarded(db, personIds, register);
  if (asked.length === 0) return undefined;
  if (!code) throw codeRequired();
  for (const personId of asked) {
    await db.tx((tx) => countCode(tx, personId, now, register));
    const isRight = await db.tx(async (tx) => {
      if (!(await useCode(tx, vault, personId, code, now, register))) return false;
      await giveBackCode(tx, personId, register);
      return true;
    });
    if (isRight) return personId;
  }
  throw wrongCode();
}

async function useCode(
  tx: Tx,
  vault: Vault,
  personId: number,
  code: string,
  now: number,
  { factors, id }: Register,
): Promise<boolean> {
  const factor = await tx.maybe<{ secret: Buffer; lastStep: bigint }>(sql`
    select secret, last_step as "lastStep" from ${factors}
    where ${id} = ${personId} and on_since is not null for update`);
  if (!factor) return false;
  const typed = spaceless(code);
  if (!/^\d{6}$/.test(typed)) {
    const used = codeHash(typed);
    const taken = await tx.run(sql`
      update ${factors} set recovery_hashes = array_remove(recovery_hashes, ${used}::bytea)
      where ${id} = ${personId} and ${used}::bytea = any(recovery_hashes)`);
    return taken > 0;
  }
  const step = stepOfCode(vault.open(factor.secret), typed, Number(factor.lastStep), now);
  if (step === undefined) return false;
  await tx.run(sql`update ${factors} set last_step = ${step} where ${id} = ${personId}`);
  return true;
}

export const codeRequired = () => new Refused('code_required');
const wrongCode = () => new Refused('wrong_code');

/** `ABCD-EFGH-IJKL-MNOP`. */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (randomBase32(RECOVERY_BYTES).match(/.{4}/g) ?? []).join('-'));

const spaceless = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();
const codeHash = (code: string): Buffer => hash('sha256', `recovery code ${spaceless(code)}`, 'buffer');
