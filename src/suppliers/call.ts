import type { Dispatcher } from 'undici';

/** What one HTTP call came to. */
export type Called =
  | { readonly status: number; readonly text: string }
  /** `sent`: the request may have reached the other side. */
  | { readonly failed: string; readonly sent: boolean };

const MAX_ANSWER_BYTES = 65_536;

/**
 * One HTTP call that ends within `limitMs`. On undici's dispatch, not its `request`: an order waits for this call, and without
 * a body stream, promises per step and an abort signal it costs half.
 */
export function call(
  dispatcher: Dispatcher,
  options: { readonly method: 'GET' | 'PUT'; readonly path: string },
  limitMs: number,
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
      resolve(called);
    };
    const giveUp = (failed: string) => {
      if (ended) return;
      end({ failed, sent: controller !== undefined });
      controller?.abort(new Error(failed));
    };
    const timer = setTimeout(giveUp, limitMs, 'time-out');

    dispatcher.dispatch(options, {
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
        if (bytes > MAX_ANSWER_BYTES) giveUp('answer too long');
      },
      onResponseEnd() {
        if (!ended) end({ status, text: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_, error) {
        if (!ended) end({ failed: reasonOf(error), sent: controller !== undefined });
      },
    });
  });
}

function reasonOf(error: Error & { code?: unknown }): string {
  return typeof error.code === 'string' ? error.code : error.name;
}
