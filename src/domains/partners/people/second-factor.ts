import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECOND } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Register } from './register.ts';
import type { Throttle } from './throttle.ts';

/**
 * Time-based one-time passwords (RFC 6238) as every authenticator app knows them: SHA-1, six digits, thirty seconds. An app's clock
 * may be one step off.
 */
const STEP_MS = 30 * SECOND;
const DIGITS = 6;
const DRIFT_STEPS = 1;
/** As long as the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 of random bytes: what people type and apps scan. */
function randomBase32(bytes: number): string {
  const bits = [...randomBytes(bytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

export const newTotpSecret = (): string => randomBase32(SECRET_BYTES);

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) as number) & 15) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The step whose code this is, after `lastStep` and close to now; undefined if there is none. */
export function stepOfCode(secret: string, code: string, lastStep: number, now: number): number | undefined {
  const steps = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, i) => stepAt(now) - DRIFT_STEPS + i);
  return steps.find((step) => step > lastStep && isEqual(totpCode(secret, step), code));
}

const isEqual = (right: string, given: string): boolean =>
  right.length === given.length && timingSafeEqual(Buffer.from(right), Buffer.from(given));

/** What the QR code says, in the form all apps read. Ours are the values they assume, so that the code has fewer squares. */
export function totpAddress(secret: string, account: string): string {
  const label = encodeURIComponent(`Wayfare:${account}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Wayfare`;
}

const RECOVERY_CODES = 10;
/** Of one recovery code: 80 bits, so its plain hash cannot be reversed by guessing. */
const RECOVERY_BYTES = 10;

export interface SecondFactor {
  /** Null: off. */
  readonly onSince: Date | null;
  readonly recoveryLeft: number;
}

interface Setup {
  readonly secret: string;
  readonly address: string;
}

/**
 * The second factor of a person: codes of an authenticator app, each accepted once, and ten recovery codes in case the phone is
 * lost. It belongs to the person, so all their partners ask for it.
 */
export class SecondFactors {
  readonly #register: Register;
  readonly #throttle: Throttle;

  constructor(register: Register, throttle: Throttle) {
    this.#register = register;
    this.#throttle = throttle;
  }

  async find(db: Queryable, personId: number): Promise<SecondFactor> {
    const { factors, id } = this.#register;
    const found = await db.maybe<SecondFactor>(sql`
      select on_since as "onSince", cardinality(recovery_hashes) as "recoveryLeft"
      from ${factors} where ${id} = ${personId}`);
    return found ?? { onSince: null, recoveryLeft: 0 };
  }

  /** Begins to set it up, again with a new key each time. Nothing is asked for until `turnOn`. */
  async start(tx: Tx, vault: Vault, personId: number, email: string): Promise<Setup> {
    const { factors, id, prefix } = this.#register;
    const secret = newTotpSecret();
    const started = await tx.run(sql`
      insert into ${factors} as known (${id}, secret) values (${personId}, ${vault.seal(secret)})
      on conflict (${id}) do update set secret = excluded.secret where known.on_since is null`);
    if (started === 0) throw new Refused('second_factor_on');
    return { secret, address: totpAddress(secret, prefix + email) };
  }

  /** Turns it on with the first code of the app; returns the recovery codes, which are shown once. */
  async turnOn(tx: Tx, vault: Vault, personId: number, code: string, now: number): Promise<readonly string[]> {
    const { people: table, factors, id } = this.#register;
    // The person's row first, in the order of `person.ts`: a sign-in that merges people either sees it turned on or comes first.
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

  async renewCodes(tx: Tx, personId: number): Promise<readonly string[]> {
    const { factors, id } = this.#register;
    const codes = newRecoveryCodes();
    const renewed = await tx.run(sql`
      update ${factors} set recovery_hashes = ${codes.map(codeHash)}
      where ${id} = ${personId} and on_since is not null`);
    if (renewed === 0) throw new Refused('second_factor_off', 'your second factor is off');
    return codes;
  }

  async turnOff(tx: Tx, personId: number): Promise<void> {
    const { factors, id } = this.#register;
    const turned = await tx.run(sql`delete from ${factors} where ${id} = ${personId} and on_since is not null`);
    if (turned === 0) throw new Refused('second_factor_off', 'the second factor is off');
  }

  async guarded(db: Queryable, personIds: readonly number[]): Promise<number[]> {
    const { factors, id } = this.#register;
    const rows = await db.query<{ personId: number }>(sql`
      select ${id} as "personId" from ${factors}
      where ${id} = any(${personIds}::int[]) and on_since is not null order by ${id}`);
    return rows.map(({ personId }) => personId);
  }

  /**
   * Asks for a code if any of these people has a second factor; returns the one whose code it was. Attempts are counted before they
   * are checked and given back if they were right, as for passwords. The code is used up even if what it was for then fails.
   */
  async requireCode(
    { db, vault }: { readonly db: Db; readonly vault: Vault },
    personIds: readonly number[],
    code: string | undefined,
    now: number,
  ): Promise<number | undefined> {
    const guarded = await this.guarded(db, personIds);
    if (guarded.length === 0) return undefined;
    if (!code) throw codeRequired();
    for (const personId of guarded) {
      await db.tx((tx) => this.#throttle.countCode(tx, personId, now));
      const isRight = await db.tx(async (tx) => {
        if (!(await this.#useCode(tx, vault, personId, code, now))) return false;
        await this.#throttle.giveBackCode(tx, personId);
        return true;
      });
      if (isRight) return personId;
    }
    throw wrongCode();
  }

  async #useCode(tx: Tx, vault: Vault, personId: number, code: string, now: number): Promise<boolean> {
    const { factors, id } = this.#register;
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
}

export const codeRequired = () => new Refused('code_required');
const wrongCode = () => new Refused('wrong_code');

/** `ABCD-EFGH-IJKL-MNOP`. */
const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (randomBase32(RECOVERY_BYTES).match(/.{4}/g) ?? []).join('-'));

const spaceless = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();
const codeHash = (code: string): Buffer => hash('sha256', `recovery code ${spaceless(code)}`, 'buffer');
