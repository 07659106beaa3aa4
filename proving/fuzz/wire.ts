import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly ms: number;
}

interface Waiting {
  readonly isHead: boolean;
  readonly began: number;
  readonly answer: (got: Got | undefined) => void;
}

const PATIENCE_MS = 60_000;
const NOTHING = Buffer.alloc(0);

/**
 * Sends bytes as they are, several requests in one write if asked to, and reads the answers. No HTTP client would send what is sent
 * here. It connects when it is first used, and again after the server has closed the connection.
 */
export class Wire implements Disposable {
  readonly #port: number;
  #connection: Connection | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** The answers in order; undefined where the connection ended without one. */
  async send(bytes: Buffer, isHead: readonly boolean[], isLast = false): Promise<(Got | undefined)[]> {
    if (!this.#connection?.isOpen) this.#connection = await connectionTo(this.#port);
    const got = await this.#connection.send(bytes, isHead, isLast);
    if (isLast) this[Symbol.dispose]();
    return got;
  }

  [Symbol.dispose](): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

async function connectionTo(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return new Connection(socket);
}

/** One connection and what waits on it: it may end when the next one is already in use. */
class Connection {
  readonly #socket: Socket;
  /** Something can still be sent. */
  isOpen = true;
  #received: Buffer = NOTHING;
  readonly #waiting: Waiting[] = [];
  readonly #pieces: Buffer[] = [];
  /** How much has arrived and is not yet answered with, and how much there must be before it is looked at. */
  #size = 0;
  #until = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#pieces.push(chunk);
      this.#size += chunk.length;
      // Putting a long answer together again for each of its pieces would take longer than everything else.
      if (this.#size < this.#until) return;
      this.#received = Buffer.concat([this.#received, ...this.#pieces.splice(0)]);
      this.#until = 0;
      while (this.#waiting.length > 0 && this.#takeOne());
      this.#size = this.#received.length;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isOpen = false;
      for (const { answer } of this.#waiting.splice(0)) answer(undefined);
    });
    // The server closes after what it could not read: what is sent next needs a new connection.
    socket.on('end', () => {
      this.isOpen = false;
    });
  }

  async send(bytes: Buffer, isHead: readonly boolean[], isLast: boolean): Promise<(Got | undefined)[]> {
    const began = performance.now();
    const answers = isHead.map(
      (one) => new Promise<Got | undefined>((answer) => this.#waiting.push({ isHead: one, began, answer })),
    );
    if (isLast) this.#socket.end(bytes);
    else this.#socket.write(bytes);
    const late = setTimeout(() => this.#socket.destroy(), PATIENCE_MS);
    const got = await Promise.all(answers);
    clearTimeout(late);
    return got;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Takes one whole answer off what was received. */
  #takeOne(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const cut = line.indexOf(':');
      headers[line.slice(0, cut).toLowerCase()] = line.slice(cut + 1).trim();
    }
    const rest = this.#received.subarray(end + 4);
    if (status < 200) {
      this.#received = rest;
      return true;
    }
    const waiting = this.#waiting[0] as Waiting;
    const hasBody = !waiting.isHead && status !== 204 && status !== 304;
    const found = hasBody ? bodyIn(rest, headers) : { body: NOTHING, length: 0 };
    if (!found) {
      this.#until = end + 4 + Number(headers['content-length'] ?? 0);
      return false;
    }
    this.#waiting.shift();
    this.#received = rest.subarray(found.length);
    if (headers.connection === 'close') this.isOpen = false;
    waiting.answer({ status, headers, body: Buffer.from(found.body), ms: performance.now() - waiting.began });
    return true;
  }
}

/** The body and how many bytes it took; undefined: it has not arrived whole. */
function bodyIn(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): { readonly body: Buffer; readonly length: number } | undefined {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0);
    return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), length: at };
  }
}
