/*
 * Every call to a supplier about an order, for operators: what was asked, what came back, how long it took.
 *
 * A purchase waits for its supplier, so nothing here may make it wait longer. `record` listens to the HTTP calls below it
 * (platform/http/call.ts) and keeps references to their texts. Once a second they are masked, cut to size and written by `copy`, like the
 * request log. Usage readings are left out: there is one every few minutes for every eSIM in use, and the last one is on record
 * anyway.
 */
import type { Db, Queryable } from '../../../platform/db/database.ts';
import { writtenLater } from '../../../platform/db/migrate/written-later.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type Exchange, recordingCalls } from '../../../platform/http/call.ts';
import type { Services } from '../../../platform/start/services.ts';
import {
  insertSupplierCalls,
  type KeptExchange,
  type NotedSupplierCall,
  type Operation,
  type SupplierAnswer,
  type SupplierRequest,
} from './rows.ts';

export { forgetSupplierCalls, pruneSupplierCallsJob, SUPPLIER_CALLS_KEPT_MS } from './rows.ts';

export interface RecordedSupplierCall {
  readonly id: bigint;
  readonly supplier: string;
  readonly operation: Operation;
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: string;
  readonly reason: string;
  readonly exchanges: readonly KeptExchange[];
}

export type SupplierLog = ReturnType<typeof createSupplierLog>;

/** Calls that wait to be written. An answer has 64 KiB at most, and usually one or two. */
const MAX_WAITING = 2_000;
const BATCH = 200;
const MOST_SHOWN = 100;

export function createSupplierLog({ db }: { readonly db: Db }, { clock, log }: Pick<Services, 'clock' | 'log'>) {
  const later = writtenLater<NotedSupplierCall>({
    write: (calls) => insertSupplierCalls(db, calls),
    failed: (error, calls) => log.warn({ err: error, calls }, 'calls to suppliers could not be written to their log'),
    mostWaiting: MAX_WAITING,
    batch: BATCH,
  });
  return {
    missing: later.lost,
    flush: later.flush,
    /** Runs `ask`, and records its request and reply. */
    async record<A extends SupplierAnswer>(of: SupplierRequest, ask: () => Promise<A>): Promise<A> {
      const exchanges: Exchange[] = [];
      const at = clock.now();
      let answer: A | undefined;
      try {
        answer = await recordingCalls(exchanges, ask);
        return answer;
      } finally {
        if (later.isFull) later.lost.full++;
        else later.note({ ...of, at, durationMs: clock.now() - at, answer, exchanges });
      }
    },
    /** The latest calls about an order, oldest first. */
    ofOrder: (orderId: bigint): Promise<RecordedSupplierCall[]> => callsOfOrder(db, orderId),
  };
}

function callsOfOrder(db: Queryable, orderId: bigint): Promise<RecordedSupplierCall[]> {
  return db.query(sql`
    select * from (
      select id, supplier, operation, at, duration_ms as "durationMs", outcome, reason, exchanges
      from supplier_calls where order_id = ${orderId} order by id desc limit ${MOST_SHOWN}
    ) as latest order by id`);
}
