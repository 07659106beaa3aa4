import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** What the server asks a browser for. */
interface Asked {
  readonly challenge: string;
  readonly rp?: { readonly id?: string };
  readonly rpId?: string;
}

/** What an answer says, where a test changes it. */
interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  /** Present, but not verified. */
  readonly isUnverified?: boolean;
  readonly type?: string;
}

/** An authenticator in software with one passkey: what a phone or a security key does, as far as the server sees it. */
export class SoftPasskey {
  readonly id: Buffer;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  counter: number;

  constructor({ id = randomBytes(32), counter = 0 }: { readonly id?: Buffer; readonly counter?: number } = {}) {
    this.id = id;
    this.counter = counter;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#publicKey = publicKey;
  }

  /** The answer to the options for a new passkey. `attestation`: a statement about the authenticator, which nobody asked for. */
  create(
    options: Asked,
    { origin = 'http://panel.test', rpId = options.rp?.id ?? '', ...lies }: Lies = {},
    attestation?: object,
  ) {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const cose = isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const authData = Buffer.concat([this.#data(rpId, 0x40, lies), Buffer.alloc(16), length, this.id, cose]);
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', attestation ? 'packed' : 'none'],
        ['attStmt', new Map(Object.entries(attestation ?? {}))],
        ['authData', new Uint8Array(authData)],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
    return this.#answer({
      clientDataJSON: this.#clientData(lies.type ?? 'webauthn.create', options.challenge, origin),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
    });
  }

  /** The answer to a request for a passkey. */
  use(options: Asked, { origin = 'http://panel.test', rpId = options.rpId ?? '', ...lies }: Lies = {}) {
    const clientDataJSON = this.#clientData(lies.type ?? 'webauthn.get', options.challenge, origin);
    const authData = this.#data(rpId, 0, lies);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]))
      .sign(this.#key);
    return this.#answer({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #data(rpId: string, flags: number, { counter = this.counter, isUnverified = false }: Lies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | (isUnverified ? 1 : 5)]), count]);
  }

  #clientData(type: string, challenge: string, origin: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }

  #answer<T>(response: T) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}
