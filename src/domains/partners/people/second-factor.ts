import { createHmac, hash, randomBytes } from 'node:crypto';
import { SECOND } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { isSame } from '../../../platform/vault/secrets.ts';
import { type Passkey, Passkeys, type PasskeyUse } from './passkeys.ts';
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
  return steps.find((step) => step > lastStep && isSame(totpCode(secret, step), code));
}

/** What the QR code says, in the form all apps read. Ours are the values they assume, so that the code has fewer squares. */
export function totpAddress(secret: string, account: string, siteName: string): string {
  // A colon would end the issuer's part of the label.
  const issuer = encodeURIComponent(siteName.replaceAll(':', ' '));
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?secret=${secret}&issuer=${issuer}`;
}

const RECOVERY_CODES = 10;
/** Of one recovery code: 80 bits, so its plain hash cannot be reversed by guessing. */
const RECOVERY_BYTES = 10;

export interface SecondFactor {
  /** Of the authenticator app; null: there is none. */
  readonly onSince: Date | null;
  readonly recoveryLeft: number;
}

interface Setup {
  readonly secret: string;
  readonly address: string;
}

/** A code of the app, a recovery code or a passkey. */
export interface GivenFactor {
  readonly code?: string | undefined;
  readonly passkey?: PasskeyUse | undefined;
}

/**
 * The second factor of a person: codes of an authenticator app, each accepted once, or passkeys, and ten recovery codes in case
 * they are lost. It belongs to the person, so all their partners ask for it. A row without a key has only recovery codes.
 */
export class SecondFactors {
  readonly passkeys: Passkeys;
  readonly #register: Register;
  readonly #throttle: Throttle;

  constructor(register: Register, throttle: Throttle) {
    this.passkeys = new Passkeys(register);
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
  async start(
    tx: Tx,
    vault: Vault,
    { id: personId, email, siteName }: { readonly id: number; readonly email: string; readonly siteName: string },
  ): Promise<Setup> {
    const { factors, id, prefix } = this.#register;
    const secret = newTotpSecret();
    const started = await tx.run(sql`
      insert into ${factors} as known (${id}, secret) values (${personId}, ${vault.seal(secret)})
      on conflict (${id}) do update set secret = excluded.secret where known.on_since is null`);
    if (started === 0) throw new Refused('second_factor_on');
    return { secret, address: totpAddress(secret, prefix + email, siteName) };
  }

  /** Turns it on with the first code of the app; returns the recovery codes, which are shown once. */
  async turnOn(tx: Tx, vault: Vault, personId: number, code: string, now: number): Promise<readonly string[]> {
    const { factors, id } = this.#register;
    await this.#lock(tx, personId);
    const pending = await tx.maybe<{ secret: Buffer | null }>(sql`
      select secret from ${factors} where ${id} = ${personId} and on_since is null for update`);
    if (!pending?.secret) throw new Refused('second_factor_not_started');
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
    await this.#lock(tx, personId);
    if ((await this.guarded(tx, [personId])).length === 0)
      throw new Refused('second_factor_off', 'your second factor is off');
    const codes = newRecoveryCodes();
    await tx.run(sql`
      insert into ${factors} (${id}, recovery_hashes) values (${personId}, ${codes.map(codeHash)})
      on conflict (${id}) do update set recovery_hashes = excluded.recovery_hashes`);
    return codes;
  }

  /** Turns codes of the app off. With passkeys, the recovery codes stay. */
  async turnOff(tx: Tx, personId: number): Promise<void> {
    const { factors, id } = this.#register;
    await this.#lock(tx, personId);
    const turned = await tx.run(sql`
      update ${factors} set on_since = null, secret = null where ${id} = ${personId} and on_since is not null`);
    if (turned === 0) throw new Refused('second_factor_off', 'the second factor is off');
    await this.#dropUnguarded(tx, personId);
  }

  /** Adds a passkey. The first factor of a person comes with recovery codes; undefined: they have some. */
  async addPasskey(
    tx: Tx,
    personId: number,
    proven: Parameters<Passkeys['add']>[2],
    name: string,
    now: number,
  ): Promise<{ readonly passkey: Passkey; readonly codes: readonly string[] | undefined; readonly isFirst: boolean }> {
    await this.#lock(tx, personId);
    const isFirst = (await this.guarded(tx, [personId])).length === 0;
    const passkey = await this.passkeys.add(tx, personId, proven, name, now);
    return { passkey, codes: isFirst ? await this.renewCodes(tx, personId) : undefined, isFirst };
  }

  /** Without the app, the recovery codes go with the last passkey. */
  async removePasskey(tx: Tx, personId: number, passkeyId: bigint): Promise<string> {
    await this.#lock(tx, personId);
    const name = await this.passkeys.remove(tx, personId, passkeyId);
    await this.#dropUnguarded(tx, personId);
    return name;
  }

  /** Removes the app, the passkeys and the recovery codes. */
  async removeAll(tx: Tx, personId: number): Promise<void> {
    const { factors, id } = this.#register;
    await this.#lock(tx, personId);
    const passkeys = await this.passkeys.removeAll(tx, personId);
    const app = await tx.run(sql`delete from ${factors} where ${id} = ${personId} and on_since is not null`);
    if (passkeys + app === 0) throw new Refused('second_factor_off', 'the second factor is off');
    await this.#dropUnguarded(tx, personId);
  }

  async #dropUnguarded(tx: Tx, personId: number): Promise<void> {
    const { factors, id } = this.#register;
    if ((await this.guarded(tx, [personId])).length > 0) return;
    await tx.run(sql`delete from ${factors} where ${id} = ${personId}`);
  }

  /** The person's row first, in the order of `members.ts`: a sign-in that merges people either sees what changes or comes first. */
  async #lock(tx: Tx, personId: number): Promise<void> {
    await tx.run(sql`select from ${this.#register.people} where id = ${personId} for no key update`);
  }

  async guarded(db: Queryable, personIds: readonly number[]): Promise<number[]> {
    const { factors, passkeys, id } = this.#register;
    const rows = await db.query<{ personId: number }>(sql`
      select ${id} as "personId" from ${factors} where ${id} = any(${personIds}::int[]) and on_since is not null
      union select ${id} from ${passkeys} where ${id} = any(${personIds}::int[]) order by 1`);
    return rows.map(({ personId }) => personId);
  }

  /**
   * Asks for a code or a passkey if any of these people has a second factor; returns the one whose it was. Attempts with a code are
   * counted before they are checked and given back if they were right, as for passwords. What was given is used up even if what it
   * was for then fails.
   */
  async require(
    { db, vault }: { readonly db: Db; readonly vault: Vault },
    personIds: readonly number[],
    { code, passkey }: GivenFactor,
    now: number,
  ): Promise<number | undefined> {
    const guarded = await this.guarded(db, personIds);
    if (guarded.length === 0) return undefined;
    if (passkey) {
      const proven = await this.passkeys.require({ db, vault }, passkey, now, guarded);
      await db.tx((tx) => this.passkeys.use(tx, proven, now));
      return proven.personId;
    }
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
    const factor = await tx.maybe<{ secret: Buffer | null; isOn: boolean; lastStep: bigint }>(sql`
      select secret, on_since is not null as "isOn", last_step as "lastStep" from ${factors}
      where ${id} = ${personId} for update`);
    if (!factor) return false;
    const typed = spaceless(code);
    if (!/^\d{6}$/.test(typed)) {
      const used = codeHash(typed);
      const taken = await tx.run(sql`
        update ${factors} set recovery_hashes = array_remove(recovery_hashes, ${used}::bytea)
        where ${id} = ${personId} and ${used}::bytea = any(recovery_hashes)`);
      return taken > 0;
    }
    if (!factor.isOn || !factor.secret) return false;
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
