import { hash, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { MINUTE } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Db, isDuplicate, type Queryable, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Register } from './register.ts';

const CHALLENGE_MS = 5 * MINUTE;
const MAX_PASSKEYS = 20;
const MAX_NAME = 60;

/** EdDSA, ES256 and RS256: what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded with the first passkey: it brings two dozen packages, and most installations have none. */
const library = () => import('@simplewebauthn/server');
const decoder = () => import('@simplewebauthn/server/helpers');

export interface Passkey {
  readonly passkeyId: bigint;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** What a browser returns when somebody used a passkey, and the panel's address, where they must have done it. */
export interface PasskeyUse {
  readonly answer: AuthenticationResponseJSON;
  readonly panelUrl: URL;
}

/** The same of a new one. */
export interface NewPasskey {
  readonly name: string;
  readonly answer: RegistrationResponseJSON;
  readonly panelUrl: URL;
}

/** Browsers know passkeys for names only, not for addresses of machines. */
const arePossible = ({ hostname }: URL): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) === 0;

let drawn = 0;
/** Later challenges have greater stamps, also within a millisecond. */
const stampAt = (now: number): number => now * 1000 + (drawn++ % 1000);
const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const wrongPasskey = () => new Refused('wrong_passkey');

/**
 * Passkeys (WebAuthn) of one register. One that verifies who uses it (by a fingerprint, a face or a PIN) signs in by itself; any of
 * them takes the place of the second factor's code.
 *
 * Challenges are not stored: they are signed and expire, and a passkey only answers challenges that are newer than the last one it
 * answered. So a stranger who asks for challenges leaves no rows, and an answer that was overheard is worth nothing.
 */
export class Passkeys {
  readonly #register: Register;

  constructor(register: Register) {
    this.#register = register;
  }

  readonly arePossible = arePossible;

  list(db: Queryable, personId: number): Promise<Passkey[]> {
    const { passkeys, id } = this.#register;
    return db.query(sql`
      select id as "passkeyId", name, created_at as "createdAt", last_used_at as "lastUsedAt"
      from ${passkeys} where ${id} = ${personId} order by id`);
  }

  /** What a browser needs to ask for any passkey of this site. The same for everybody: it says nothing about who has one. */
  request(vault: Vault, { hostname }: URL, now: number): PublicKeyCredentialRequestOptionsJSON {
    const challenge = encoded(this.#challenge(vault, 'use', now));
    return { challenge, rpId: hostname, timeout: CHALLENGE_MS, userVerification: 'preferred' };
  }

  /** What a browser needs to make one. Authenticators that have one of this person already refuse. */
  async creation(
    { db, vault }: { readonly db: Db; readonly vault: Vault },
    { personId, email }: { readonly personId: number; readonly email: string },
    { panelUrl, siteName }: { readonly panelUrl: URL; readonly siteName: string },
    now: number,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    if (!arePossible(panelUrl)) throw new Refused('passkeys_unavailable');
    const { passkeys, id, name, prefix } = this.#register;
    const known = await db.query<{ credentialId: Buffer }>(sql`
      select credential_id as "credentialId" from ${passkeys} where ${id} = ${personId}`);
    if (known.length >= MAX_PASSKEYS) throw new Refused('passkey_limit_reached');
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: siteName,
      rpID: panelUrl.hostname,
      // It must differ between people and between panel and console, or one passkey would replace the other on a device.
      userID: new Uint8Array(hash('sha256', `passkey of ${name} ${personId}`, 'buffer')),
      userName: prefix + email,
      userDisplayName: prefix + email,
      challenge: new Uint8Array(Buffer.from(this.#challenge(vault, `add to ${personId}`, now))),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    });
  }

  /** Checks a new passkey, before the transaction that adds it. */
  async requireNew(vault: Vault, personId: number, { answer, panelUrl }: NewPasskey, now: number) {
    const { verifyRegistrationResponse } = await library();
    let stamp: number | undefined;
    try {
      await requireNoAttestation(answer);
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: (challenge) => {
          stamp = this.#stampOf(vault, `add to ${personId}`, challenge, now);
          return stamp !== undefined;
        },
        expectedOrigin: panelUrl.origin,
        expectedRPID: panelUrl.hostname,
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!verified || stamp === undefined) throw wrongPasskey();
      const { id, publicKey, counter } = registrationInfo.credential;
      return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, stamp };
    } catch {
      // What the library says was wrong with it would not help the person who sent it.
      throw wrongPasskey();
    }
  }

  async add(
    tx: Tx,
    personId: number,
    { credentialId, publicKey, counter, stamp }: Awaited<ReturnType<Passkeys['requireNew']>>,
    name: string,
    now: number,
  ): Promise<Passkey> {
    const { passkeys, id } = this.#register;
    const taken = await tx.query<{ count: bigint }>(sql`
      select from ${passkeys} where credential_id = ${credentialId} limit 1`);
    if (taken.length > 0) throw new Refused('passkey_exists');
    const { held } = await tx.one<{ held: bigint }>(sql`
      select count(*) as held from ${passkeys} where ${id} = ${personId}`);
    if (held >= BigInt(MAX_PASSKEYS)) throw new Refused('passkey_limit_reached');
    try {
      return await tx.one<Passkey>(sql`
        insert into ${passkeys} (${id}, credential_id, public_key, counter, name, created_at, last_challenge)
        values (${personId}, ${credentialId}, ${publicKey}, ${counter}, ${name}, ${new Date(now)}, ${stamp})
        returning id as "passkeyId", name, created_at as "createdAt", last_used_at as "lastUsedAt"`);
    } catch (error) {
      if (isDuplicate(error)) throw new Refused('passkey_exists');
      throw error;
    }
  }

  async remove(tx: Tx, personId: number, passkeyId: bigint): Promise<string> {
    const { passkeys, id } = this.#register;
    const removed = await tx.maybe<{ name: string }>(sql`
      delete from ${passkeys} where id = ${passkeyId} and ${id} = ${personId} returning name`);
    if (!removed) throw new Refused('passkey_not_found');
    return removed.name;
  }

  async removeAll(tx: Tx, personId: number): Promise<number> {
    const { passkeys, id } = this.#register;
    return tx.run(sql`delete from ${passkeys} where ${id} = ${personId}`);
  }

  /**
   * Whose passkey this is. `among`: it takes the place of a code, so it has to be of one of these people; otherwise it is all that is
   * given, so it has to have verified who used it.
   */
  async require(
    { db, vault }: { readonly db: Queryable; readonly vault: Vault },
    { answer, panelUrl }: PasskeyUse,
    now: number,
    among?: readonly number[],
  ) {
    const found = await this.#withCredential(db, answer.id, among);
    if (!found) throw wrongPasskey();
    const { verifyAuthenticationResponse } = await library();
    let stamp: number | undefined;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: (challenge) => {
          stamp = this.#stampOf(vault, 'use', challenge, now);
          return stamp !== undefined;
        },
        expectedOrigin: panelUrl.origin,
        expectedRPID: panelUrl.hostname,
        requireUserVerification: among === undefined,
        // Throws if the counter went back: then somebody has a copy of the authenticator.
        credential: {
          id: answer.id,
          publicKey: new Uint8Array(found.publicKey),
          counter: Number(found.counter),
        },
      });
      if (!verified || stamp === undefined) throw wrongPasskey();
      return { ...found, counter: authenticationInfo.newCounter, stamp };
    } catch {
      throw wrongPasskey();
    }
  }

  /** Uses the answer up. Of two uses at once the second waits, and finds that the first was newer or the same. */
  async use(
    tx: Tx,
    { credentialId, publicKey, counter, stamp }: Awaited<ReturnType<Passkeys['require']>>,
    now: number,
  ): Promise<void> {
    const { passkeys } = this.#register;
    const used = await tx.run(sql`
      update ${passkeys} set counter = ${counter}, last_used_at = ${new Date(now)}, last_challenge = ${stamp}
      where credential_id = ${credentialId} and public_key = ${publicKey} and last_challenge < ${stamp}
        and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`);
    if (used === 0) throw wrongPasskey();
  }

  /** If several people hold a copy of it (`startPerson`), the one who signed in last. */
  #withCredential(
    db: Queryable,
    credential: string,
    among: readonly number[] | undefined,
  ): Promise<{ personId: number; credentialId: Buffer; publicKey: Buffer; counter: bigint } | undefined> {
    const { passkeys, id, holders, person } = this.#register;
    const everybody = among === undefined;
    return db.maybe(sql`
      select ${id} as "personId", credential_id as "credentialId", public_key as "publicKey", counter from ${passkeys}
      where credential_id = ${Buffer.from(credential, 'base64url')} and (${everybody} or ${id} = any(${among ?? []}::int[]))
      order by (select max(last_sign_in_at) from ${holders} where ${holders}.${person} = ${passkeys}.${id}) desc nulls last
      limit 1`);
  }

  #challenge(vault: Vault, purpose: string, now: number): string {
    const text = `${stampAt(now)}.${randomBytes(16).toString('base64url')}`;
    return `${text}.${vault.sign(this.#purpose(purpose), text)}`;
  }

  /** When we gave this challenge; undefined: it is not ours, was for something else, or is too old. */
  #stampOf(vault: Vault, purpose: string, challenge: string, now: number): number | undefined {
    const [stamp = '', random = '', signature = ''] = Buffer.from(challenge, 'base64url').toString().split('.');
    if (!vault.verify(this.#purpose(purpose), `${stamp}.${random}`, signature)) return undefined;
    return Number(stamp) > (now - CHALLENGE_MS) * 1000 ? Number(stamp) : undefined;
  }

  #purpose(purpose: string): string {
    return `passkey of ${this.#register.name}: ${purpose}`;
  }
}

/**
 * We ask for no statement about who made the authenticator, and accept none that comes with certificates: checking them would fetch
 * addresses that are written in them. A signature of the new key itself is left in place by browsers, and says nothing.
 */
async function requireNoAttestation({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await decoder();
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  const isSelf = object.get('fmt') === 'packed' && object.get('attStmt').get('x5c') === undefined;
  if (object.get('fmt') !== 'none' && !isSelf) throw wrongPasskey();
}

export function requirePasskeyName(typed: string): string {
  const name = typed.trim();
  if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name))
    throw new Refused('invalid_name', `a name has 1 to ${MAX_NAME} characters`);
  return name;
}
