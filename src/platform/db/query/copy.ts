import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type pg from 'pg';

/**
 * PostgreSQL's `copy … to stdout` and `copy … from stdin`: whole tables in and out, a piece at a time. Like a flight
 * (`flight.ts`), each is an object that `pg` drives by methods its types leave out; the version is pinned.
 */
interface Wire {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** The server sends a message per row; that many bytes of them travel on together. */
const PIECE_BYTES = 64 * 1024;

const rowsIn = (tag: string): number => Number(tag.slice(tag.lastIndexOf(' ') + 1));

class CopyOut {
  readonly text: string;
  readonly output: Readable;
  rows = 0;
  #wire: Wire | undefined;
  #piece: Buffer[] = [];
  #bytes = 0;

  constructor(text: string) {
    this.text = text;
    this.output = new Readable({ highWaterMark: PIECE_BYTES, read: () => void this.#wire?.stream.resume() });
  }

  submit(connection: unknown): void {
    this.#wire = connection as Wire;
    this.#wire.query(this.text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // A copy: `pg` reads the next message into the same memory.
    this.#piece.push(Buffer.from(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= PIECE_BYTES && !this.#flush()) this.#wire?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsIn(text);
  }

  handleReadyForQuery(): void {
    this.#flush();
    this.output.push(null);
    this.#wire?.stream.resume();
  }

  handleError(error: Error): void {
    this.output.destroy(error);
    this.#wire?.stream.resume();
  }

  #flush(): boolean {
    const piece = Buffer.concat(this.#piece);
    this.#piece = [];
    this.#bytes = 0;
    return piece.length === 0 || this.output.push(piece);
  }
}

/** The rows as the server writes them, in pieces of whole rows; returns how many. The connection waits for a slow reader. */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer, number> {
  const copy = new CopyOut(statement);
  client.query(copy as unknown as pg.Submittable);
  for await (const piece of copy.output) yield piece;
  return copy.rows;
}

class CopyIn {
  readonly text: string;
  readonly done = Promise.withResolvers<number>();
  /** For the time limit of `pg`, as in a flight. */
  callback: (error?: Error) => void = () => {};
  readonly #source: Iterable<Buffer> | AsyncIterable<Buffer>;
  #rows = 0;
  #ended = false;
  /** Why we gave up, when it was us: the server only repeats it. */
  #reason: unknown;

  constructor(text: string, source: Iterable<Buffer> | AsyncIterable<Buffer>) {
    this.text = text;
    this.#source = source;
  }

  submit(connection: unknown): void {
    (connection as Wire).query(this.text);
  }

  handleCopyInResponse(connection: unknown): void {
    void this.#send(connection as Wire);
  }

  async #send(wire: Wire): Promise<void> {
    try {
      for await (const piece of this.#source) {
        // After an error the server ignores what is still on its way.
        if (this.#ended) return;
        wire.sendCopyFromChunk(piece);
        if (wire.stream.writableNeedDrain) await drained(wire.stream);
      }
      if (!this.#ended) wire.endCopyFrom();
    } catch (error) {
      this.#reason = error;
      if (!this.#ended) wire.sendCopyFail('the source failed');
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = rowsIn(text);
  }

  handleReadyForQuery(): void {
    this.#ended = true;
    this.callback();
    this.done.resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#ended = true;
    this.callback(error);
    this.done.reject(this.#reason ?? error);
  }
}

/** Until the socket takes more, or is gone. The listener that was not needed goes, too: a large table waits here many times. */
async function drained(stream: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    over.abort();
  }
}

/** Sends the rows of `source`, never more than the server takes; resolves with how many it took. */
export function copyIn(
  client: pg.ClientBase,
  statement: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> {
  const copy = new CopyIn(statement, source);
  client.query(copy as unknown as pg.Submittable);
  return copy.done.promise;
}
