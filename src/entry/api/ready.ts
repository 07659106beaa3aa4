import { LRUCache } from 'lru-cache';
import { type Encoded, FixedBody } from '../../platform/http/fixed-body.ts';
import type { LargeBody } from '../../platform/http/large-body.ts';

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
