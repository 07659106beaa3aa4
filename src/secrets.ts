import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';

/** Seals what must not lie readable in the database, and signs what outsiders may hold. */
export interface Vault {
  seal(text: string): Buffer;
  /** Opens what this vault, or one with a secret it knows as old, has sealed. */
  open(sealed: Buffer): string;
  /** What everything sealed with the current secret begins with; another beginning wants sealing again. */
  readonly keyId: Buffer;
  /** Keyed hash in hex; `purpose` keeps one use from standing in for another. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
}

const MIN_SECRET_LENGTH = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCES_AT_ONCE = 256;

interface Keys {
  id: Buffer;
  // As key objects: handing over bytes would make a new one at every use, which costs more than the cipher itself.
  seal: KeyObject;
  sign: KeyObject;
}

const derive = (secret: string, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'wayfare', purpose, length));

function keysOf(secret: string): Keys {
  if (secret.length < MIN_SECRET_LENGTH) throw new Error(`the secret needs at least ${MIN_SECRET_LENGTH} characters`);
  return {
    id: derive(secret, 'key id', KEY_ID_BYTES),
    seal: createSecretKey(derive(secret, 'seal', 32)),
    sign: createSecretKey(derive(secret, 'sign', 32)),
  };
}

export const newSecret = (): string => randomBytes(32).toString('hex');

/** Random nonces, drawn from the system many at a time; each is used once. */
function nonces(): () => Buffer {
  const drawn = Buffer.alloc(NONCES_AT_ONCE * NONCE_BYTES);
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      randomFillSync(drawn);
      at = 0;
    }
    at += NONCE_BYTES;
    return drawn.subarray(at - NONCE_BYTES, at);
  };
}

/** AES-256-GCM: key id, nonce, tag, ciphertext. Old secrets are only read with, never written with. */
export function openVault(secret: string, oldSecrets: readonly string[] = []): Vault {
  const current = keysOf(secret);
  const known = [current, ...oldSecrets.map(keysOf)];
  const nextNonce = nonces();
  const keyId = (sealed: Buffer) => sealed.subarray(0, KEY_ID_BYTES);
  const sign = (key: KeyObject, purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex');

  return {
    seal(text) {
      const nonce = nextNonce();
      const cipher = createCipheriv('aes-256-gcm', current.seal, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([current.id, nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const keys = known.find(({ id }) => id.equals(keyId(sealed)));
      if (!keys) throw new Error('sealed with a secret this process does not have');
      const [nonceAt, tagAt, bodyAt] = [
        KEY_ID_BYTES,
        KEY_ID_BYTES + NONCE_BYTES,
        KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES,
      ];
      const decipher = createDecipheriv('aes-256-gcm', keys.seal, sealed.subarray(nonceAt, tagAt), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(tagAt, bodyAt));
      return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()]).toString('utf8');
    },
    keyId: current.id,
    sign: (purpose, text) => sign(current.sign, purpose, text),
    verify(purpose, text, signature) {
      const given = Buffer.from(signature);
      return known.some(({ sign: key }) => {
        const right = Buffer.from(sign(key, purpose, text));
        return right.length === given.length && timingSafeEqual(right, given);
      });
    },
  };
}
