import type { WebhookEvent } from './contract.ts';
import { type VerifyOptions, verifyWebhook, WebhookRejected } from './verify.ts';

export interface ReceiveOptions extends VerifyOptions {
  /**
   * Called for every genuine event. What it throws is answered with 500, and the event is sent again later. Be done within ten
   * seconds, and expect an event more than once: an `event_id` you know needs no work.
   */
  onEvent: (event: WebhookEvent) => unknown;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Receives webhooks where requests are `Request`: Workers, Deno, Bun, Hono, Next.js. */
export const fetchReceiver =
  (options: ReceiveOptions) =>
  async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    return new Response(null, { status: await answerTo(body, request.headers, options) });
  };

interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Express: what a body parser left here. */
  readonly body?: unknown;
}
interface NodeResponse {
  statusCode: number;
  end(): unknown;
}

/**
 * Receives webhooks with `node:http` and Express: `app.post('/hook', nodeReceiver({ secret, onEvent }))`. The body has to be unread
 * or raw (`express.raw`): after `express.json()` its bytes are gone.
 */
export const nodeReceiver =
  (options: ReceiveOptions) =>
  async (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void): Promise<void> => {
    const { body } = request;
    if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) {
      const error = new Error(
        'A webhook needs its raw body: put the receiver before express.json(), or use express.raw()',
      );
      if (!next) throw error;
      return next(error);
    }
    try {
      const raw = body instanceof Uint8Array || typeof body === 'string' ? body : await readAll(request);
      response.statusCode = await answerTo(raw, request.headers, options);
    } catch {
      // The sender hung up in the middle.
      response.statusCode = 400;
    }
    response.end();
  };

async function answerTo(
  body: Uint8Array | string | undefined,
  headers: Parameters<typeof verifyWebhook>[1],
  options: ReceiveOptions,
): Promise<number> {
  if (body === undefined || body.length > MAX_BODY_BYTES) return 413;
  try {
    await options.onEvent(await verifyWebhook(body, headers, options));
    return 204;
  } catch (error) {
    if (error instanceof WebhookRejected) return 401;
    console.error(error);
    return 500;
  }
}

/** Undefined when it is larger than any webhook. */
async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array | undefined> {
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
