import { setTimeout as wait } from 'node:timers/promises';
import { SECOND } from '../clock.ts';
import type { Candidate } from './candidates.ts';
import type { Reading } from './schedule.ts';

/** Takes readings of these sales' eSIMs; who gave none is missing. */
export type Ask = (orderIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, Reading>>;
/** Readings a second a supplier stands; undefined: any number. */
export type Pace = (supplier: string) => Promise<number | undefined>;

/** Sales whose supplier was asked (or is known to be silent), each with its answer; the rest were not reached. */
export type Answers = ReadonlyMap<bigint, Reading | undefined>;
export type TakeReadings = (sales: readonly Candidate[], signal?: AbortSignal) => Promise<Answers>;

const ASK_AT_ONCE = 4;
/** So many without an answer in a row, and the supplier is left alone for the rest of the round. */
const SILENT_AFTER = 8;

/** Suppliers are asked side by side, each no faster than it stands and no longer than it answers. */
export function politely(ask: Ask, paceOf: Pace): TakeReadings {
  return async (sales, signal) => {
    const answers = new Map<bigint, Reading | undefined>();

    async function askSupplier(supplier: string, orderIds: readonly bigint[]): Promise<void> {
      const perSecond = (await paceOf(supplier)) ?? Number.POSITIVE_INFINITY;
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
