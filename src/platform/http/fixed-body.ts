import { acceptedEncoding, compress, type Encoding } from './compression.ts';
import { etagOf } from './headers.ts';

/** Bytes as they are sent, shared by every answer that carries them. */
export interface Encoded<Bytes = Buffer> {
  readonly bytes: Bytes;
  readonly etag: string;
  readonly encoding: Encoding | undefined;
  /** The same before it was compressed, where it is kept as well. */
  readonly text?: Buffer;
}

/** Below this size compression saves nothing. */
const WORTH_COMPRESSING_BYTES = 1024;

/** Node cuts small buffers out of 64 kB of memory, which stay as long as any of them does: what is kept is copied to memory of its own. */
const unshared = (bytes: Buffer): Buffer => {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

/**
 * A body that never changes. It is held once per encoding, however many answers with it are waiting to be read, and is hashed and
 * compressed when a client first asks for it.
 */
export class FixedBody {
  readonly #bytes: Buffer;
  #plain: Encoded | undefined;
  readonly #encoded = new Map<Encoding, Encoded | Promise<Encoded>>();
  readonly #onGrowth: (bytes: number) => void;

  /**
   * `onGrowth` receives the size of each compressed copy, for callers that limit how much they keep; `ready` are copies that were
   * compressed before.
   */
  constructor(
    bytes: Buffer,
    onGrowth: (bytes: number) => void = () => {},
    ready: Readonly<Partial<Record<Encoding, Buffer>>> = {},
  ) {
    this.#bytes = unshared(bytes);
    this.#onGrowth = onGrowth;
    for (const [encoding, copy] of Object.entries(ready) as [Encoding, Buffer][])
      this.#encoded.set(encoding, this.#copy(encoding, copy));
  }

  get plain(): Encoded {
    this.#plain ??= { bytes: this.#bytes, etag: etagOf(this.#bytes), encoding: undefined, text: this.#bytes };
    return this.#plain;
  }

  as(acceptEncoding: string | undefined): Encoded | Promise<Encoded> {
    const encoding = this.#bytes.length < WORTH_COMPRESSING_BYTES ? undefined : acceptedEncoding(acceptEncoding);
    if (encoding === undefined) return this.plain;
    const known = this.#encoded.get(encoding);
    if (known) return known;
    const coming = this.#encode(encoding);
    this.#encoded.set(encoding, coming);
    return coming;
  }

  async #encode(encoding: Encoding): Promise<Encoded> {
    const { plain } = this;
    try {
      const bytes = unshared(await compress[encoding](plain.bytes));
      const encoded = this.#copy(encoding, bytes);
      this.#encoded.set(encoding, encoded);
      this.#onGrowth(bytes.length);
      return encoded;
    } catch {
      // This client gets it plain; the next one triggers another attempt.
      this.#encoded.delete(encoding);
      return plain;
    }
  }

  #copy(encoding: Encoding, bytes: Buffer): Encoded {
    return { bytes, etag: `${this.plain.etag.slice(0, -1)}-${encoding}"`, encoding, text: this.#bytes };
  }
}
