import type { WebhookEvent } from './contract.ts';
import {
  type HeaderSource,
  headerOf,
  secretsOf,
  type VerifyOptions,
  verifyWebhook,
  WebhookRejected,
} from './verify.ts';

export interface ReceiveOptions extends VerifyOptions {
  /**
   * Called for every genuine event. What it throws is answered with 500, and the event is sent again later. Be done within ten
   * seconds, and expect an event more than once: an `event_id` you know needs no work.
   */
  onEvent: (event: WebhookEvent) => unknown;
}

/** Far larger than any webhook. The body is read before the sender is verified, so no more than this is held in memory. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Receives webhooks where requests are `Request`: Workers, Deno, Bun, Hono, Next.js. */
export function fetchReceiver(options: ReceiveOptions): (request: Request) => Promise<Response> {
  secretsOf(options.secret);
  return async (request) => {
    const read = () => readAll(request.body ? chunksOf(request.body) : []);
    const status = await answerTo(read, request.headers, options);
    return new Response(null, { status });
  };
}

interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Express: what a body parser left here. */
  readonly body?: unknown;
}
interface NodeResponse {
  statusCode: number;
  setHeader?(name: string, value: string): unknown;
  end(): unknown;
}

/**
 * Receives webhooks with `node:http` and Express: `app.post('/hook', nodeReceiver({ secret, onEvent }))`. The body has to be unread
 * or raw (`express.raw`): after `express.json()` its bytes are gone.
 */
export function nodeReceiver(
  options: ReceiveOptions,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  secretsOf(options.secret);
  return async (request, response, next) => {
    const { body } = request;
    if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) {
      const error = new Error(
        'A webhook needs its raw body: put the receiver before express.json(), or use express.raw()',
      );
      if (!next) throw error;
      return next(error);
    }
    const isRaw = body instanceof Uint8Array || typeof body === 'string';
    const read = () => readAll(isRaw ? [body] : stillOpen(request));
    response.statusCode = await answerTo(read, request.headers, options);
    // The unread rest must not be parsed as the next request, nor read to its end.
    if (response.statusCode === 413) response.setHeader?.('connection', 'close');
    response.end();
  };
}

async function answerTo(
  read: () => Promise<Uint8Array | undefined>,
  headers: HeaderSource,
  options: ReceiveOptions,
): Promise<number> {
  if (Number(headerOf(headers, 'content-length')) > MAX_BODY_BYTES) return 413;
  let body: Uint8Array | undefined;
  try {
    body = await read();
  } catch {
    // The sender hung up in the middle.
    return 400;
  }
  if (body === undefined) return 413;
  try {
    await options.onEvent(await verifyWebhook(body, headers, options));
    return 204;
  } catch (error) {
    if (error instanceof WebhookRejected) return 401;
    console.error(error);
    return 500;
  }
}

type Chunk = Uint8Array | string;

/** Undefined as soon as it is larger than any webhook: the rest is not read. */
async function readAll(stream: AsyncIterable<Chunk> | Iterable<Chunk>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    size += part.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(part);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of chunks) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Not every platform can iterate over a body. Leaving early cancels it. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Leaving early would destroy the connection, and with it the answer. */
async function* stillOpen(request: NodeRequest): AsyncGenerator<Chunk> {
  const chunks = request[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}
