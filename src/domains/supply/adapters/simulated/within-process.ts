import type { Dispatcher } from 'undici';
import type { Clock } from '../../../../platform/clock.ts';
import { openDatabase } from '../../../../platform/db/database.ts';
import type { Callable } from '../../../../platform/http/call.ts';
import type { Adapter } from '../../accounts/registry.ts';
import { type SimulatedAnswers, type SimulatedReply, simulatedAnswers } from './answers.ts';
import { simulatedSupplier } from './simulated.ts';

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

/** The simulated supplier inside this process. */
export function embeddedSimulated(options: { url: string; clock: Clock }): { adapter: Adapter } & AsyncDisposable {
  // Its own connections, because it plays a system outside ours. They need not wait for the disk: whatever we make of an answer is
  // committed later in the same database, so a crash never keeps that and undoes what the supplier stored.
  const db = openDatabase({
    url: options.url,
    name: 'simulated supplier',
    searchPath: 'simulated',
    maxConnections: 4,
    waitsForDisk: false,
  });
  const service = withinProcess(simulatedAnswers(db, () => options.clock.now()));
  return {
    adapter: (slug) => simulatedSupplier(service, slug),
    [Symbol.asyncDispose]: () => db.close(),
  };
}
