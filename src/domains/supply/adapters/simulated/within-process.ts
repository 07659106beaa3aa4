import type { Dispatcher } from 'undici';
import type { Callable } from '../../../../platform/http/call.ts';
import type { SimulatedAnswers, SimulatedReply } from './answers.ts';

/**
 * The simulated supplier of this process, called without a connection to ourselves, which every purchase would wait for. Its faults
 * are those of a connection, except that a second copy of an answer has no way to arrive.
 */
export const withinProcess = (answers: SimulatedAnswers): Callable => ({
  dispatch({ method, path }, handler) {
    const call = new CallWithin(handler);
    handler.onRequestStart?.(call, undefined);
    if (!call.aborted)
      answers(method, path).then(
        (reply) => call.end(reply),
        () => call.end({ status: 500, body: { error: 'internal' } }),
      );
    return true;
  },
});

class CallWithin implements Dispatcher.DispatchController {
  readonly #handler: Dispatcher.DispatchHandler;
  aborted = false;
  reason: Error | null = null;
  readonly paused = false;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {}
  resume(): void {}

  end({ status, body, behaviour }: SimulatedReply): void {
    if (this.aborted || behaviour === 'timeout') return;
    const text = Buffer.from(JSON.stringify(body));
    this.#handler.onResponseStart?.(this, status, {});
    if (behaviour === 'break') {
      this.#handler.onResponseData?.(this, text.subarray(0, text.length / 2));
      this.#handler.onResponseError?.(this, Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
      return;
    }
    this.#handler.onResponseData?.(this, text);
    this.#handler.onResponseEnd?.(this, {});
  }
}
