import type { Db } from '../../../platform/db/database.ts';
import { COPY_NULL, copyMs, copyText } from '../../../platform/db/query/copy.ts';

export interface NotedCall {
  readonly partnerId: number;
  readonly keyId: number;
  readonly requestId: string;
  /** When it arrived, in real time. */
  readonly at: number;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  /** The code of a refusal; empty: none. */
  readonly error: string;
  /** The caller had the error simulated. */
  readonly isSimulated: boolean;
  readonly durationMs: number;
  readonly address: string;
  readonly orderId: bigint | number | undefined;
  /** What was sent, without secrets. Called only when the call is written: it takes longer than everything else here. */
  fields(): readonly LoggedField[];
}

export interface LoggedField {
  readonly in: 'path' | 'query' | 'body' | 'header';
  readonly name: string;
  readonly value: string;
  /** Why `value` is not what was sent. */
  readonly note?: 'hidden' | 'undeclared' | 'misplaced' | 'unreadable' | 'shortened';
}

/**
 * Writes calls in the order they were answered. Every purchase adds a row, so this uses `copy`, which takes half the time of an
 * insert.
 */
export async function insertCalls(db: Db, calls: readonly NotedCall[]): Promise<void> {
  await db.copy(COPY, calls.map(lineOf).join(''));
}

const COPY = `copy request_log (partner_id, at, request_id, key_id, method, endpoint, status, error, is_simulated, duration_ms,
  address, order_id, fields) from stdin`;

function lineOf(call: NotedCall): string {
  const { partnerId, at, requestId, keyId, status, isSimulated, orderId } = call;
  const durationMs = copyMs(call.durationMs);
  const fields = call.fields();
  return `${partnerId}\t${timeText(at)}\t${requestId}\t${keyId}\t${copyText(call.method)}\t${copyText(
    call.endpoint,
  )}\t${status}\t${copyText(call.error)}\t${isSimulated}\t${durationMs}\t${copyText(call.address)}\t${orderId ?? COPY_NULL}\t${
    fields.length === 0 ? COPY_NULL : copyText(JSON.stringify(fields))
  }\n`;
}

let writtenAt = 0;
let written = '';

/** Many calls share a millisecond. */
function timeText(at: number): string {
  if (at !== writtenAt) {
    writtenAt = at;
    written = new Date(at).toISOString();
  }
  return written;
}
