import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ReadyReply } from './endpoint.ts';

type Encoding = 'br' | 'gzip';
type Finished = ReadyReply['ready'];

/** Compressed on zlib's own threads, at the level where a list of plans is small and takes milliseconds. */
const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: promisify(gzip) as (bytes: Buffer) => Promise<Buffer>,
};

/** Below this a compressed answer saves nothing. */
const WORTH_COMPRESSING = 1024;
const KEPT_BYTES = 32 * 1024 * 1024;

interface Answer {
  readonly plain: Finished;
  readonly encoded: Map<Encoding, ReadyReply | Promise<ReadyReply>>;
  bytes: number;
}

/**
 * Finished answers by what they depend on, the least recently used dropped first. A key names everything an answer is made
 * of, so nothing here is ever wrong, only old and on its way out.
 */
export class ReadyAnswers {
  readonly #answers = new Map<string, Answer>();
  readonly #limit: number;
  #bytes = 0;

  constructor(limit = KEPT_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  reply(key: string, acceptEncoding: string | undefined, make: () => string): ReadyReply | Promise<ReadyReply> {
    const answer = this.#recent(key) ?? this.#add(key, Buffer.from(make()));
    const encoding = answer.plain.bytes.length < WORTH_COMPRESSING ? undefined : accepted(acceptEncoding);
    if (encoding === undefined) return { ready: answer.plain };
    const known = answer.encoded.get(encoding);
    if (known) return known;
    const coming = this.#encode(key, answer, encoding);
    answer.encoded.set(encoding, coming);
    return coming;
  }

  #recent(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  #add(key: string, bytes: Buffer): Answer {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const plain = { bytes, etag: `"${hash}"`, encoding: undefined };
    const answer = { plain, encoded: new Map(), bytes: 0 };
    this.#answers.set(key, answer);
    this.#grow(key, answer, bytes.length);
    return answer;
  }

  async #encode(key: string, answer: Answer, encoding: Encoding): Promise<ReadyReply> {
    const bytes = await compress[encoding](answer.plain.bytes);
    const reply = { ready: { bytes, etag: `${answer.plain.etag.slice(0, -1)}-${encoding}"`, encoding } };
    answer.encoded.set(encoding, reply);
    this.#grow(key, answer, bytes.length);
    return reply;
  }

  #grow(key: string, answer: Answer, by: number): void {
    if (this.#answers.get(key) !== answer) return;
    answer.bytes += by;
    this.#bytes += by;
    for (const [oldest, old] of this.#answers) {
      if (this.#bytes <= this.#limit) return;
      this.#answers.delete(oldest);
      this.#bytes -= old.bytes;
    }
  }
}

/** The best encoding the caller takes: brotli, unless gzip is wanted more. */
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
