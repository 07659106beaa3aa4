import { isConnectionError } from './database.ts';

/** Hands one item to the next batch and waits for that item's own outcome. */
export type Batched<In, Out> = (item: In) => Promise<Out>;

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (outcome: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines work that arrives together: one batch is in flight at a time, and what arrives meanwhile forms the next. A quiet
 * system pays nothing for it, a busy one pays one commit for many.
 *
 * `runBatch` answers one outcome per item, in order; an outcome that is an Error rejects that item alone. When a whole batch
 * was surely rolled back, its items run again one by one, so a bad item fails alone. A lost connection leaves open whether
 * the commit happened, so there every item gets the error and its owner decides.
 */
export function batcher<In, Out>(
  runBatch: (items: readonly In[]) => Promise<readonly (Out | Error)[]>,
  { max }: { max: number },
): Batched<In, Out> {
  const queue: Waiting<In, Out>[] = [];
  let running = false;

  async function run(batch: readonly Waiting<In, Out>[]): Promise<void> {
    let outcomes: readonly (Out | Error)[];
    try {
      outcomes = await runBatch(batch.map(({ item }) => item));
    } catch (error) {
      if (batch.length === 1 || isConnectionError(error)) for (const { reject } of batch) reject(error);
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

  async function drain(): Promise<void> {
    while (queue.length > 0) await run(queue.splice(0, max));
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // After this turn of the event loop: requests read from their sockets in one turn travel together.
      setImmediate(() => void drain());
    });
}
