import type { ServerResponse } from 'node:http';

/** Bytes handed to a connection at once. Copying them into the kernel takes about 0.3 ms. */
const AT_ONCE_BYTES = 1024 * 1024;
/** Handed to all connections in one turn of the event loop. */
const PIECES_PER_TURN = 4;

/**
 * A body of many megabytes, shared by every answer that carries it. It is written piece by piece, as fast as the client reads:
 * written at once, a fast reader would keep the event loop busy with copying for tens of milliseconds.
 */
export class LargeBody {
  readonly length: number;
  /** Each of `AT_ONCE_BYTES` or a little more, except the last. */
  readonly #pieces: readonly Buffer[];

  private constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  static async from(source: AsyncIterable<Buffer>): Promise<LargeBody> {
    const pieces: Buffer[] = [];
    let small: Buffer[] = [];
    let length = 0;
    for await (const part of source) {
      small.push(part);
      length += part.length;
      if (length < AT_ONCE_BYTES) continue;
      pieces.push(Buffer.concat(small, length));
      small = [];
      length = 0;
    }
    if (length > 0) pieces.push(Buffer.concat(small, length));
    return new LargeBody(pieces);
  }

  /** Its beginning, at most one piece of it. */
  beginning(maxBytes: number): Buffer {
    return (this.#pieces[0] ?? Buffer.alloc(0)).subarray(0, maxBytes);
  }

  /** The same with another end: without its last bytes, of which the last piece must have as many, and with `end` instead. */
  ending(cut: number, end: Buffer): LargeBody {
    const last = this.#pieces.at(-1) ?? Buffer.alloc(0);
    return new LargeBody([...this.#pieces.slice(0, -1), last.subarray(0, -cut), end]);
  }

  /** Resolves when everything is written or the client is gone. The head must have been written. */
  async sendTo(response: ServerResponse): Promise<void> {
    for (const piece of this.#pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await hasRoom(response);
      await nextTurn();
    }
    response.end();
  }
}

const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, in which only a few others go on. */
function nextTurn(): Promise<void> {
  return new Promise((goOn) => {
    waiting.push(goOn);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  for (const goOn of waiting.splice(0, PIECES_PER_TURN)) goOn();
  if (waiting.length > 0) setImmediate(release);
}

/** Resolves when the client has read enough to write more, or is gone. */
function hasRoom(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}

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
