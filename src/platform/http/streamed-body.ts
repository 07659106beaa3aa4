import type { ServerResponse } from 'node:http';
import { hasRoom } from './large-body.ts';

/**
 * A body that is made while it is sent, only as fast as the client reads it. Its length is not known beforehand, so one that
 * breaks off ends without the final chunk, and the client can tell that something is missing.
 */
export class StreamedBody {
  readonly #source: AsyncIterator<string | Buffer>;
  readonly #onEnd: () => void;
  readonly #limitMs: number;
  readonly #first: IteratorResult<string | Buffer>;

  private constructor(
    source: AsyncIterator<string | Buffer>,
    first: IteratorResult<string | Buffer>,
    limitMs: number,
    onEnd: () => void,
  ) {
    this.#source = source;
    this.#first = first;
    this.#limitMs = limitMs;
    this.#onEnd = onEnd;
  }

  /**
   * Waits for the first piece, so that a source that fails at once can still be answered with an error. `onEnd` is called once:
   * when the last piece was sent, the client hung up, the source failed, or sending took longer than `limitMs`.
   */
  static async begin(
    source: AsyncIterable<string | Buffer>,
    { limitMs, onEnd }: { readonly limitMs: number; readonly onEnd: () => void },
  ): Promise<StreamedBody> {
    const pieces = source[Symbol.asyncIterator]();
    try {
      return new StreamedBody(pieces, await pieces.next(), limitMs, onEnd);
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  /** Resolves when everything is written or the client is gone; rejects when the source fails. The head must have been written. */
  async sendTo(response: ServerResponse): Promise<void> {
    const limit = setTimeout(() => response.destroy(), this.#limitMs);
    try {
      let piece = this.#first;
      // The answer to HEAD has no body, so only the source has to be closed.
      while (!piece.done && !response.destroyed && response.req.method !== 'HEAD') {
        if (!response.write(piece.value)) await hasRoom(response);
        if (response.destroyed) break;
        piece = await this.#source.next();
      }
      if (!response.destroyed) response.end();
    } finally {
      clearTimeout(limit);
      this.#onEnd();
      await this.#source.return?.();
    }
  }
}
