import type { Dispatcher } from 'undici';

/** What one HTTP call came to. */
export type Called = { readonly status: number; readonly text: string } | Failed;

export interface Failed {
  readonly failed: string;
  /** The request may have reached the other side. */
  readonly sent: boolean;
  /** It was not silence: the other side answered, to no use. */
  readonly answered?: true;
}

/** Why nothing came of a call, in the words of the port. */
export const reasonOf = ({ failed, answered }: Failed): { readonly reason: string; readonly silent?: true } =>
  answered ? { reason: failed } : { reason: failed, silent: true };

export interface Call {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface CallLimits {
  /** How long an answer may be; 64 KiB unless told. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const MAX_ANSWER_BYTES = 65_536;

/**
 * One HTTP call that ends within `limitMs`; a redirect is an answer like any other. On undici's dispatch, not its `request`: an
 * order waits for this call, and without a body stream and promises per step it costs half.
 */
export function call(
  dispatcher: Dispatcher,
  asked: Call,
  limitMs: number,
  { maxBytes = MAX_ANSWER_BYTES, signal }: CallLimits = {},
): Promise<Called> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;
    let status = 0;
    let bytes = 0;
    const chunks: Buffer[] = [];

    const end = (called: Called) => {
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(called);
    };
    const giveUp = (failed: string) => {
      if (ended) return;
      end({ failed, sent: controller !== undefined });
      controller?.abort(new Error(failed));
    };
    const timer = setTimeout(giveUp, limitMs, 'time-out');
    const stop = () => giveUp('given up');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) return stop();

    dispatcher.dispatch(asked, {
      onRequestStart(started) {
        // Given up while it waited for a connection: it must not leave now.
        if (ended) return started.abort(new Error('given up'));
        controller = started;
      },
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      onResponseData(_, chunk) {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > maxBytes) giveUp('answer too long');
      },
      onResponseEnd() {
        if (!ended) end({ status, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_, error) {
        if (!ended) end({ failed: nameOf(error), sent: controller !== undefined });
      },
    });
  });
}

function nameOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? error.code : error.name;
}
