import { type Clock, DAY, MINUTE } from '../../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/database.ts';
import { columnsOf } from '../../../platform/db/query/columns.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { wholeMs } from '../../../platform/db/query/values.ts';
import type { Exchange } from '../../../platform/http/call.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Esim, EsimReference, SupplierOrder } from '../port/port.ts';

const HIDDEN = '[hidden]';

/**
 * Names of fields whose values are secrets, whatever a supplier calls them: activation data, links that lead to it, and
 * credentials. Compared in lower case without punctuation. Links are removed entirely: some suppliers put the QR code behind one.
 */
const secretNames: readonly RegExp[] = [
  /^(ac|lpa|pin\d?|puk\d?|ki|opc|eid|imsi|sharing)$/,
  /^smdp(address)?$/,
  /qr|activationcode|externalreferenceid|matchingid|confirmationcode|accesscode|apple|android|installation/,
  /(url|link|uri)$/,
  /token|secret|password|signature|authorization|apikey|accesskey|clientid|credential/,
];

/** Suppliers use few field names, so each is checked once. Overlong names are not remembered. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1_000;

function isSecret(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const secret = secretNames.some((pattern) => pattern.test(plain));
  if (judged.size < MOST_JUDGED && name.length < 100) judged.set(name, secret);
  return secret;
}

/** `LPA:1$host$matching id`, also where it is part of a link. */
const LPA = /LPA(:|%3A)[^\s"'<>\\]*/gi;
/** In text without field names, anything long with letters and digits may be a code. */
const OPAQUE = /(?=[\w.$~+/=-]*\d)(?=[\w.$~+/=-]*[A-Za-z])[\w.$~+/=-]{20,}/g;

/** A text as it may be kept. `known`: values that must not be in it, wherever they stand. */
export function masked(text: string, known: readonly string[]): string {
  const parsed = parsedOf(text);
  return parsed === undefined
    ? scrubbed(text, known).replace(OPAQUE, HIDDEN)
    : JSON.stringify(maskedValue(parsed, known));
}

/** A path with its query: names of orders and plans stay readable. */
const maskedPath = (path: string, known: readonly string[]): string => scrubbed(path, known);

function maskedValue(value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return scrubbed(value, known);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, known));
  if (value === null || typeof value !== 'object') return value;
  const kept: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of Object.entries(value))
    kept[name] = inner !== null && inner !== '' && isSecret(name) ? HIDDEN : maskedValue(inner, known);
  return kept;
}

function scrubbed(text: string, known: readonly string[]): string {
  // Every purchase masks a dozen short texts, and nearly all of them have neither character.
  const mayHaveCodes = text.includes(':') || text.includes('%');
  const withoutCodes = mayHaveCodes ? text.replace(LPA, HIDDEN) : text;
  return known.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, HIDDEN) : rest), withoutCodes);
}

function parsedOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export type Operation = 'order' | 'find' | 'withdraw' | 'suspend' | 'resume';

export interface SupplierRequest {
  readonly orderId: bigint;
  readonly supplier: string;
  readonly operation: Operation;
  readonly request: SupplierOrder | EsimReference;
}

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
  readonly failed?: string;
  readonly ms?: number;
}

export const MOST_CHARACTERS = 4_000;
/** Of one call: the first ones, which placed the order, and the last, which show its outcome. */
const FIRST = 3;
const LAST = 5;

/** A call with the masks for what is secret in it. */
interface Masked extends NotedSupplierCall {
  readonly known: readonly string[];
}

const noted = columnsOf<Masked>()({
  order_id: ['bigint', ({ orderId }) => orderId],
  supplier: ['text', ({ supplier }) => supplier],
  operation: ['text', ({ operation }) => operation],
  at: ['timestamptz', ({ at }) => new Date(at)],
  duration_ms: ['int', ({ durationMs }) => wholeMs(durationMs)],
  outcome: ['text', ({ answer }) => answer?.outcome ?? 'failed'],
  reason: ['text', ({ answer, known }) => cut(maskedPath(answer?.reason ?? '', known), 500)],
  exchanges: ['json', (call) => JSON.stringify(keptExchanges(call, call.known))],
});

const insertNoted = noted.statement(
  sql`insert into supplier_calls (${noted.names}) select ${noted.stored} from ${noted.unnested}`,
);

/** Masks, cuts and writes calls. All of that takes longer than noting them, so it happens here. */
export const insertSupplierCalls = (db: Db, calls: readonly NotedSupplierCall[]): Promise<number> =>
  db.run(insertNoted(calls.map((call) => ({ ...call, known: secretsIn(call.answer?.esim) }))));

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
    ms: wholeMs(ms),
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

export const SUPPLIER_CALLS_KEPT_MS = 30 * DAY;

const BATCH = 5_000;

/**
 * Removes one batch of calls that are too old. They are written in the order of time, so those are the first by id. Whole months go with
 * their partition (platform/jobs/partitions.ts).
 */
export function pruneSupplierCalls(db: Queryable, now: number): Promise<number> {
  return db.run(sql`
    delete from supplier_calls
    where id = any (array (select id from supplier_calls order by id limit ${BATCH}))
      and at < ${new Date(now - SUPPLIER_CALLS_KEPT_MS)}`);
}

export const pruneSupplierCallsJob = ({ schema, db }: { schema: string; db: Db }, clock: Clock): Job => ({
  name: `prune supplier calls ${schema}`,
  everyMs: MINUTE,
  run: () => pruneSupplierCalls(db, clock.now()),
});

/** Calls for orders of a partner, before those are deleted. */
export async function forgetSupplierCalls(tx: Tx, partnerId: number): Promise<void> {
  await tx.run(sql`
    delete from supplier_calls using orders where supplier_calls.order_id = orders.id and partner_id = ${partnerId}`);
}
