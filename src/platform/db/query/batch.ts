import { setImmediate as endOfTurn } from 'node:timers/promises';
import { traced, traceparent } from '../../traces/traces.ts';
import { isConnectionError, isTimedOut } from '../database-errors.ts';

/** Adds an item to the next batch; resolves or rejects with that item's outcome. */
export type Batched<In, Out> = (item: In) => Promise<Out>;

interface BatchLimits<In> {
  /** The most in one batch, by `sizeOf`; without it each item counts as one. */
  readonly max: number;
  readonly sizeOf?: (item: In) => number;
  readonly aloneAfterTimeout?: boolean;
}

interface Waiting<In, Out> {
  readonly item: In;
  /** The request it came from: a batch runs apart from the requests in it. */
  readonly cause: string | undefined;
  readonly resolve: (outcome: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines work that arrives together, so that a busy system pays one transaction for many items. A commit costs a flush to
 * disk and a transaction some round trips; purchases and the moves of their orders pay both per batch instead of per item.
 *
 * Pace. One batch runs at a time. Items that arrive meanwhile wait in `queue` and form the next batch, at most `max` of them.
 * There is no timer and no minimum size; on a quiet system an item is a batch of one. Each batch starts at the end of the current
 * turn of the event loop, so that requests read from their sockets in the same turn share it. The busier the system, the longer a batch takes, the larger the next one gets, and the cheaper each item becomes.
 * Running several batches side by side would only make them smaller, and they would wait for each other's wallet locks.
 *
 * States. A batcher is idle (`running` is false, the queue is empty) or draining. The first item of an idle one starts `drain`,
 * which runs batches until the queue is empty. An item is queued, in the running batch, or settled; its promise settles once.
 *
 * Outcomes. `runBatch` returns one outcome per item, in order:
 * - a value resolves its item;
 * - an `Error` as an outcome rejects its item alone: the batch was written, this item was refused;
 * - an item without an outcome is rejected. That is a bug in `runBatch`; the alternative is a caller that waits for ever.
 *
 * Failures. If `runBatch` throws, there are three cases:
 * - The transaction was certainly rolled back (a constraint, a deadlock, a bug). One bad item must not fail its
 *   neighbours, so every item runs again as a batch of one, in order. The bad one fails alone. `runBatch` must therefore have
 *   no effect outside its transaction.
 * - It was rolled back because it took too long. Every item gets the error: run again one by one, each might take as long, and the
 *   last one would wait for all of them. Only a batcher with `aloneAfterTimeout` runs them again.
 * - The connection was lost. The commit may have happened, so nothing is run again: every item gets the error, and its owner
 *   finds out what happened by something it can read (a purchase by its idempotency key, a move by the order's state).
 *
 * The queue has no limit. Its callers must have one.
 */
export function batcher<In, Out>(
  runBatch: (items: readonly In[]) => Promise<readonly (Out | Error)[]>,
  { max, sizeOf, aloneAfterTimeout = false }: BatchLimits<In>,
): Batched<In, Out> {
  const queue: Waiting<In, Out>[] = [];
  let running = false;

  async function run(batch: readonly Waiting<In, Out>[]): Promise<void> {
    let outcomes: readonly (Out | Error)[];
    try {
      outcomes = await traced('batch', { ...origin(batch) }, () => runBatch(batch.map(({ item }) => item)));
    } catch (error) {
      const isFinal = isConnectionError(error) || (isTimedOut(error) && !aloneAfterTimeout);
      if (batch.length === 1 || isFinal) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await run([waiting]);
      return;
    }
    for (const [i, { resolve, reject }] of batch.entries()) {
      const outcome =
        i < outcomes.length ? (outcomes[i] as Out | Error) : new Error('no outcome for an item of a batch');
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
  }

  /** Those that fit; one that is too large by itself runs alone. */
  function howMany(): number {
    if (!sizeOf) return max;
    let size = 0;
    const first = queue.findIndex(({ item }, i) => {
      size += sizeOf(item);
      return size > max && i > 0;
    });
    return first === -1 ? queue.length : first;
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await run(queue.splice(0, howMany()));
      if (queue.length > 0) await endOfTurn();
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, cause: traceparent(), resolve, reject });
      if (running) return;
      running = true;
      setImmediate(() => void drain());
    });
}

/** A batch of one belongs to its request; a larger one is linked to all of them. */
function origin(batch: readonly { readonly cause: string | undefined }[]) {
  const causes = batch.map(({ cause }) => cause);
  return causes.length === 1 ? ({ apart: true, cause: causes[0] } as const) : ({ apart: true, links: causes } as const);
}

/** A batcher that only reads. A failure is everybody's: thrown, it would have the batch repeated item by item. */
export const lookUps = <In, Out>(
  read: (items: readonly In[]) => Promise<readonly (Out | undefined)[]>,
  max: number,
): Batched<In, Out | undefined> =>
  batcher((items) => read(items).catch((error: Error) => items.map(() => error)), { max });
