import type { Db } from '../../../platform/db/database.ts';
import { copyMs, copyText } from '../../../platform/db/query/copy.ts';
import type { Exchange } from '../../../platform/http/call.ts';
import type { Esim, EsimReference, SupplierOrder } from '../port/port.ts';
import { masked, maskedPath, maskedValue } from './mask.ts';

export type Operation = 'order' | 'find' | 'withdraw';

/** What is about to be sent to a supplier, and for which order. */
export interface SupplierRequest {
  readonly orderId: bigint;
  readonly supplier: string;
  readonly operation: Operation;
  readonly request: SupplierOrder | EsimReference;
}

/** The part of every answer that is recorded. */
export interface SupplierAnswer {
  readonly outcome: string;
  readonly reason?: string;
  readonly esim?: Esim;
}

/** A call as it waits to be written: only references to what was there anyway. */
export interface NotedSupplierCall extends SupplierRequest {
  readonly at: number;
  readonly durationMs: number;
  /** Undefined: it threw, which suppliers must not do. */
  readonly answer: SupplierAnswer | undefined;
  readonly exchanges: readonly Exchange[];
}

/** One HTTP call as it is kept; without `method`, the call left this process no other way. */
export interface KeptExchange {
  readonly method?: string;
  readonly path?: string;
  readonly asked: string;
  readonly status?: number;
  readonly answered: string;
  /** Why there is no answer. */
  readonly failed?: string;
  readonly ms?: number;
}

/** Of one text. */
export const MOST_CHARACTERS = 4_000;
/** Of one call: the first ones, which placed the order, and the last, which show its outcome. */
const FIRST = 3;
const LAST = 5;

const COPY = `copy supplier_calls (order_id, supplier, operation, at, duration_ms, outcome, reason, exchanges) from stdin`;

/** Masks, cuts and writes calls. All of that takes longer than noting them, so it happens here. */
export async function insertSupplierCalls(db: Db, calls: readonly NotedSupplierCall[]): Promise<void> {
  await db.copy(COPY, calls.map(lineOf).join(''));
}

function lineOf(call: NotedSupplierCall): string {
  const { orderId, supplier, operation, at, answer } = call;
  const known = secretsIn(answer?.esim);
  const reason = cut(maskedPath(answer?.reason ?? '', known), 500);
  const values = [
    orderId,
    copyText(supplier),
    operation,
    new Date(at).toISOString(),
    copyMs(call.durationMs),
    copyText(answer?.outcome ?? 'failed'),
    copyText(reason),
    copyText(JSON.stringify(keptExchanges(call, known))),
  ];
  return `${values.join('\t')}\n`;
}

/** Secrets in the answer's own fields are masked everywhere in it. Very short values would hide half of the text. */
const secretsIn = (esim: Esim | undefined): string[] =>
  esim
    ? [esim.activationCode, esim.matchingId, esim.confirmationCode, esim.appleUrl].filter(
        (one): one is string => one !== null && one.length >= 4,
      )
    : [];

function keptExchanges(call: NotedSupplierCall, known: readonly string[]): KeptExchange[] {
  const { exchanges } = call;
  // A scripted supplier, or one without settings, makes no HTTP call.
  if (exchanges.length === 0) return [withinProcess(call, known)];
  const isLong = exchanges.length > FIRST + LAST;
  const chosen = isLong ? [...exchanges.slice(0, FIRST), ...exchanges.slice(-LAST)] : exchanges;
  return chosen.map((one) => keptExchange(one, known));
}

function keptExchange({ method, path, body, called, ms }: Exchange, known: readonly string[]): KeptExchange {
  return {
    method,
    path: cut(maskedPath(path, known), 1_000),
    asked: body === undefined ? '' : cut(masked(body, known)),
    ...('failed' in called
      ? { answered: '', failed: called.failed }
      : { status: called.status, answered: cut(masked(called.text, known)) }),
    ms: copyMs(ms),
  };
}

const withinProcess = ({ request, answer }: NotedSupplierCall, known: readonly string[]): KeptExchange => ({
  asked: cut(JSON.stringify(maskedValue(request, known))),
  answered: cut(JSON.stringify(maskedValue(answer ?? {}, known))),
});

/** As PostgreSQL can hold it: neither NUL nor halves of a character. */
function cut(text: string, most = MOST_CHARACTERS): string {
  const short = text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
  return short.replaceAll('\0', '').toWellFormed();
}
