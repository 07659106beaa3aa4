import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../../../platform/clock.ts';
import type { Candidate } from './candidates.ts';
import type { Reading } from './schedule.ts';

/** Takes readings of these sales' eSIMs. Those without an answer are missing. */
type Ask = (orderIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Reading>>;
/** How many readings a second a supplier allows; undefined: any number. */
type AllowedPerSecond = (supplier: string) => Promise<number | undefined>;

/** The answer for each sale whose supplier was asked or is known to be silent. The other sales were not reached. */
type Answers = ReadonlyMap<bigint, Reading | undefined>;
export type TakeReadings = (sales: readonly Candidate[], signal?: AbortSignal) => Promise<Answers>;

const ASK_AT_ONCE = 4;
/** Consecutive unanswered readings after which a supplier is skipped for the rest of the round. */
const SILENT_AFTER = 8;

/** Asks all suppliers concurrently, each no faster than it allows and only while it answers. */
export function paced(ask: Ask, allowed: AllowedPerSecond): TakeReadings {
  return async (sales, signal) => {
    const answers = new Map<bigint, Reading | undefined>();

    async function askSupplier(supplier: string, orderIds: readonly bigint[]): Promise<void> {
      const perSecond = (await allowed(supplier)) ?? Number.POSITIVE_INFINITY;
      let unanswered = 0;
      for (let i = 0; i < orderIds.length && !signal?.aborted; i += ASK_AT_ONCE) {
        const some = orderIds.slice(i, i + ASK_AT_ONCE);
        const given = unanswered < SILENT_AFTER ? await ask(some) : new Map<bigint, Reading>();
        for (const orderId of some) answers.set(orderId, given.get(orderId));
        unanswered = given.size > 0 ? 0 : unanswered + some.length;
        const restMs = unanswered < SILENT_AFTER ? (some.length * SECOND) / perSecond : 0;
        if (restMs > 0) await wait(restMs, undefined, signal && { signal }).catch(() => {});
      }
    }

    const bySupplier = Map.groupBy(sales, ({ supplier }) => supplier);
    await Promise.all(
      [...bySupplier].map(([name, its]) =>
        askSupplier(
          name,
          its.map(({ orderId }) => orderId),
        ),
      ),
    );
    return answers;
  };
}
