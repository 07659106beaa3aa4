import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';
import type { Db, Queryable } from '../db/database.ts';
import { sql } from '../db/query/sql.ts';
import { MIN_SECRET_LENGTH } from '../settings/environment.ts';

/** Encrypts what must not be readable in the database, and signs what outsiders hold. */
export type Vault = ReturnType<typeof openVault>;

/** Whether a secret or a signature is the right one. Takes the same time whichever character differs, and however many there are. */
export function isSame(right: string | Buffer, given: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', right, 'buffer'), hash('sha256', given, 'buffer'));
}

export interface Apart {
  readonly sealed: Buffer;
  readonly key: Buffer | null;
}

/** What is sealed with a key of its own starts with this in place of a key id. */
export const OWN_KEY = Buffer.alloc(4);

const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DATA_KEY_BYTES = 32;
const DRAWN_AT_ONCE = 256;

interface Keys {
  id: Buffer;
  seal: KeyObject;
  sign: KeyObject;
}

const derive = (secret: string, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'wayfare', purpose, length));

function keysOf(secret: string): Keys {
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Error(`WAYFARE_SECRET and WAYFARE_SECRET_OLD need at least ${MIN_SECRET_LENGTH} characters each`);
  return {
    id: derive(secret, 'key id', KEY_ID_BYTES),
    seal: createSecretKey(derive(secret, 'seal', 32)),
    sign: createSecretKey(derive(secret, 'sign', 32)),
  };
}

export const newSecret = (): string => randomBytes(32).toString('hex');

/** Random bytes, each used once. Drawn many at a time, since every draw is a system call. */
function random(bytes: number): () => Buffer {
  const drawn = Buffer.alloc(DRAWN_AT_ONCE * bytes);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    at += bytes;
    return drawn.subarray(at - bytes, at);
  };
}

/**
 * AES-256-GCM: key id, nonce, tag, ciphertext. Old secrets only open; everything is sealed with the current one. `mayUseOwnKeys`:
 * whether every program that reads this database can open what is sealed apart.
 */
export function openVault(
  secret: string,
  oldSecrets: readonly string[] = [],
  mayUseOwnKeys: () => boolean = () => true,
) {
  const current = keysOf(secret);
  const known = [current, ...oldSecrets.map(keysOf)];
  const nextNonce = random(NONCE_BYTES);
  const nextKey = random(DATA_KEY_BYTES);
  const keyId = (sealed: Buffer) => sealed.subarray(0, KEY_ID_BYTES);
  const sign = (key: KeyObject, purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex');

  // With key objects, because Node 24 takes 20 µs to find out that raw bytes are none.
  function sealWith(id: Buffer, key: KeyObject, text: string): Buffer {
    const nonce = nextNonce();
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = cipher.update(text, 'utf8');
    // Makes the tag; in this mode nothing of the text is left for it.
    cipher.final();
    return Buffer.concat([id, nonce, cipher.getAuthTag(), body]);
  }

  function openWith(key: KeyObject, sealed: Buffer): string {
    const [nonceAt, tagAt, bodyAt] = [KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES, KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES];
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, tagAt), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(tagAt, bodyAt));
    return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()]).toString('utf8');
  }

  const seal = (text: string): Buffer => sealWith(current.id, current.seal, text);

  function open(sealed: Buffer): string {
    const keys = known.find(({ id }) => id.equals(keyId(sealed)));
    if (!keys) throw new Error('this was sealed with a secret that this process does not have');
    return openWith(keys.seal, sealed);
  }

  return {
    seal,
    /** Opens what was sealed with the current secret or with one of the old ones. */
    open,
    /**
     * Seals with a key of its own, made for this text and itself sealed; deleting that key destroys the text. Null: the servers of the
     * previous version that still run could not read it, so it is sealed like everything else.
     */
    sealApart(text: string): Apart {
      if (!mayUseOwnKeys()) return { sealed: seal(text), key: null };
      const key = nextKey();
      return { sealed: sealWith(OWN_KEY, createSecretKey(key), text), key: seal(key.toString('base64')) };
    },
    /** Undefined: its key was deleted. */
    openApart({ sealed, key }: Apart): string | undefined {
      if (!keyId(sealed).equals(OWN_KEY)) return open(sealed);
      return key ? openWith(createSecretKey(open(key), 'base64'), sealed) : undefined;
    },
    /** Everything sealed with the current secret starts with this; anything else still has to be sealed again. */
    keyId: current.id,
    /** Keyed hash in hex. A signature made for one `purpose` is not valid for another. */
    sign: (purpose: string, text: string) => sign(current.sign, purpose, text),
    verify: (purpose: string, text: string, signature: string) =>
      known.some(({ sign: key }) => isSame(sign(key, purpose, text), signature)),
  };
}

export interface Mark {
  readonly nonce: string;
  readonly signature: string;
}

/** A signature kept in the database. A process that can verify it holds the secret everything else was sealed with. */
function newMark(vault: Vault): string {
  const nonce = randomBytes(8).toString('hex');
  return JSON.stringify({ nonce, signature: vault.sign('vault', nonce) });
}

/** Refuses to run with a secret other than the database's: nothing in it could be read. */
export async function checkVault(db: Db, vault: Vault): Promise<void> {
  const { value } = await db.one<{ value: Mark }>(sql`
    insert into settings (name, value) values ('vault', ${newMark(vault)}::jsonb)
    on conflict (name) do update set name = excluded.name returning value`);
  if (!isMarkOf(vault, value)) throw new Error('WAYFARE_SECRET is not the secret this database was sealed with');
}

export const isMarkOf = (vault: Vault, { nonce, signature }: Mark): boolean => vault.verify('vault', nonce, signature);

/** From here on the current secret is enough, and a process that has only an old one refuses to start. */
export async function renewMark(db: Queryable, vault: Vault): Promise<void> {
  await db.run(sql`update settings set value = ${newMark(vault)}::jsonb where name = 'vault'`);
}
