import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

type Encoding = 'br' | 'gzip';

/** Finished bytes, envelope included: for answers that are kept ready (the catalog). */
export interface ReadyReply {
  readonly ready: { readonly bytes: Buffer; readonly etag: string; readonly encoding: Encoding | undefined };
}

/** Runs on zlib's threads, at a level that makes a list of plans small in milliseconds. */
const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
};

/** Compressing a shorter answer saves nothing. */
const WORTH_COMPRESSING = 1024;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Answer {
  readonly plain: ReadyReply;
  readonly encoded: Map<Encoding, ReadyReply | Promise<ReadyReply>>;
  /** Of the plain answer and of every encoding made so far. */
  bytes: number;
}

/**
 * Finished answers by what they depend on, least recently used dropped first. A key names everything an answer is made of,
 * so an answer kept here can be old, and then is no longer asked for, but never wrong.
 */
export class ReadyAnswers {
  readonly #answers: LRUCache<string, Answer>;

  constructor(limit = KEPT_BYTES) {
    this.#answers = new LRUCache({ maxSize: limit, sizeCalculation: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.#answers.calculatedSize;
  }

  reply(key: string, acceptEncoding: string | undefined, make: () => string): ReadyReply | Promise<ReadyReply> {
    const answer = this.#answers.get(key) ?? this.#add(key, Buffer.from(make()));
    const encoding = answer.plain.ready.bytes.length < WORTH_COMPRESSING ? undefined : accepted(acceptEncoding);
    if (encoding === undefined) return answer.plain;
    const known = answer.encoded.get(encoding);
    if (known) return known;
    const coming = this.#encode(key, answer, encoding);
    answer.encoded.set(encoding, coming);
    return coming;
  }

  #add(key: string, bytes: Buffer): Answer {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const plain = { ready: { bytes, etag: `"${hash}"`, encoding: undefined } };
    const answer: Answer = { plain, encoded: new Map(), bytes: bytes.length };
    this.#answers.set(key, answer);
    return answer;
  }

  async #encode(key: string, answer: Answer, encoding: Encoding): Promise<ReadyReply> {
    const { plain, encoded } = answer;
    try {
      const bytes = await compress[encoding](plain.ready.bytes);
      const reply = { ready: { bytes, etag: `${plain.ready.etag.slice(0, -1)}-${encoding}"`, encoding } };
      encoded.set(encoding, reply);
      this.#grow(key, answer, bytes.length);
      return reply;
    } catch {
      // This caller gets the plain answer; the next one tries again.
      encoded.delete(encoding);
      return plain;
    }
  }

  /** An entry's size is taken when it is set. One that was dropped meanwhile stays dropped. */
  #grow(key: string, answer: Answer, by: number): void {
    answer.bytes += by;
    if (this.#answers.peek(key) !== answer) return;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
  }
}

/** The best encoding the caller accepts: brotli, unless it prefers gzip. */
function accepted(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.toLowerCase().split(';');
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return [name.trim(), q === undefined ? 1 : Number(q)];
    }),
  );
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br';
  return weight('gzip') > 0 ? 'gzip' : undefined;
}
