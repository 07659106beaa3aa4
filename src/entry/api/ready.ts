import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import { fail } from '../../platform/contract/failure.ts';
import { acceptedEncoding, compressor, type Encoding } from '../../platform/http/compression.ts';
import { type Encoded, FixedBody } from '../../platform/http/fixed-body.ts';
import { LargeBody } from '../../platform/http/large-body.ts';
import { bounded, Slices } from '../../platform/limits/turns.ts';

/** Finished bytes, envelope included: for answers that are kept ready (the catalog). */
export interface ReadyReply {
  readonly ready: Encoded<Buffer | LargeBody>;
}

const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * Finished answers, each under a key that names everything it is made of. An entry is therefore never wrong, only outdated; the
 * least recently used ones are dropped when space is needed.
 */
export class ReadyAnswers {
  readonly #answers: LRUCache<string, { readonly body: FixedBody; readonly size: number }>;

  constructor(maxSize = KEPT_BYTES) {
    this.#answers = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size });
  }

  get bytes(): number {
    return this.#answers.calculatedSize;
  }

  reply(key: string, acceptEncoding: string | undefined, make: () => string): ReadyReply | Promise<ReadyReply> {
    const body = this.#answers.get(key)?.body ?? this.#add(key, Buffer.from(make()));
    const encoded = body.as(acceptEncoding);
    return encoded instanceof Promise ? encoded.then((ready) => ({ ready })) : { ready: encoded };
  }

  #add(key: string, bytes: Buffer): FixedBody {
    const body: FixedBody = new FixedBody(bytes, (more) => {
      const kept = this.#answers.peek(key);
      // It may have been dropped, or even made again, while it was being compressed.
      if (kept?.body === body) this.#answers.set(key, { body, size: kept.size + more });
    });
    this.#answers.set(key, { body, size: bytes.length });
    return body;
  }
}

/** Every compressed copy of a catalog of 50,000 plans takes about 2 MiB, an uncompressed one 40 MiB. */
const PREPARED_BYTES = 64 * 1024 * 1024;
const AT_ONCE = 1;
const MAX_WAITING = 1_000;

/** The text of an answer, in pieces that each take a slice to make. */
export type Texts = (slices: Slices) => AsyncIterable<string>;

/**
 * Large answers that are kept ready: the whole catalog, or what changed in it. Their text is made in slices and compressed on
 * zlib's threads as it comes, so it is never in memory as a whole unless a client wants it uncompressed. As in `ReadyAnswers`,
 * the key names everything an answer is made of.
 *
 * An answer is made once for all requests that wait for it, one answer at a time and with pauses as long as the work, so that other
 * requests are hardly delayed. The cache is limited in bytes: the least recently used answers are dropped first, and those of an
 * older catalog are not used any more.
 */
export class PreparedAnswers {
  readonly #kept: LRUCache<string, ReadyReply>;
  readonly #coming = new Map<string, Promise<ReadyReply>>();
  readonly #inTurn = bounded({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING }, () => fail('service_unavailable'));
  readonly #slices = new Slices();

  constructor(maxSize = PREPARED_BYTES) {
    this.#kept = new LRUCache({ maxSize, sizeCalculation: ({ ready }) => ready.bytes.length });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  reply(key: string, acceptEncoding: string | undefined, texts: Texts): ReadyReply | Promise<ReadyReply> {
    const encoding = acceptedEncoding(acceptEncoding);
    const name = `${encoding ?? 'plain'} ${key}`;
    const known = this.#kept.get(name) ?? this.#coming.get(name);
    if (known) return known;
    const coming = this.#inTurn(() => prepared(texts(this.#slices), encoding))
      .then((reply) => {
        this.#kept.set(name, reply);
        return reply;
      })
      .finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }
}

async function prepared(texts: AsyncIterable<string>, encoding: Encoding | undefined): Promise<ReadyReply> {
  const hash = createHash('sha256');
  const plain = Readable.from(hashed(texts, hash), { objectMode: true, highWaterMark: 4 });
  const bytes = await (encoding ? pipeline(plain, compressor[encoding](), LargeBody.from) : LargeBody.from(plain));
  const tag = hash.digest('base64url').slice(0, 22);
  return { ready: { bytes, etag: encoding ? `"${tag}-${encoding}"` : `"${tag}"`, encoding } };
}

async function* hashed(texts: AsyncIterable<string>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const piece = Buffer.from(text);
    hash.update(piece);
    yield piece;
  }
}
