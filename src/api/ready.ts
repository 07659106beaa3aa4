import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';

/** Finished bytes, envelope included: for answers that are kept ready (the catalog). */
export interface ReadyReply {
  readonly ready: { readonly bytes: Buffer; readonly etag: string; readonly encoding: Encoding | undefined };
}

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
  readonly plain: ReadyReply;
  readonly encoded: Map<Encoding, ReadyReply | Promise<ReadyReply>>;
  bytes: number;
  /** Asked for again since it was made or last considered for dropping. */
  recent: boolean;
}

/**
 * Finished answers by what they depend on; one that nobody asked for again is dropped first. A key names everything an
 * answer is made of, so nothing here is ever wrong, only old and on its way out.
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
    const answer = this.#again(key) ?? this.#add(key, Buffer.from(make()));
    const encoding = answer.plain.ready.bytes.length < WORTH_COMPRESSING ? undefined : accepted(acceptEncoding);
    if (encoding === undefined) return answer.plain;
    const known = answer.encoded.get(encoding);
    if (known) return known;
    const coming = this.#encode(key, answer, encoding);
    answer.encoded.set(encoding, coming);
    return coming;
  }

  #again(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer) answer.recent = true;
    return answer;
  }

  #add(key: string, bytes: Buffer): Answer {
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const plain = { ready: { bytes, etag: `"${hash}"`, encoding: undefined } };
    const answer: Answer = { plain, encoded: new Map(), bytes: 0, recent: true };
    this.#answers.set(key, answer);
    this.#grow(key, answer, bytes.length);
    answer.recent = false;
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
      // The caller takes it plain; the next one may have more luck.
      encoded.delete(encoding);
      return plain;
    }
  }

  #grow(key: string, answer: Answer, by: number): void {
    if (this.#answers.get(key) !== answer) return;
    answer.bytes += by;
    this.#bytes += by;
    for (const [oldest, old] of this.#answers) {
      if (this.#bytes <= this.#limit) return;
      this.#answers.delete(oldest);
      // A second chance, at the end of the line: a hit costs no more than a look-up that way.
      if (old.recent) this.#answers.set(oldest, old);
      else this.#bytes -= old.bytes;
      old.recent = false;
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
