/** The database cannot be reached at all: the edge answers 503 `service_unavailable`. */
export class DatabaseAway extends Error {}

/** Classes of SQLSTATE with which a server refuses a connection: for the user, the database, or in general. */
const NOT_LET_IN = /^(28|3D|53300|57P0)/;

/** What a connection that could not be had is reported as: where it was to lead, never with which password. */
export function notReached(error: unknown, url: string): unknown {
  const state = sqlState(error);
  if (!(error instanceof Error) || (state !== undefined && !NOT_LET_IN.test(state))) return error;
  return new DatabaseAway(`the database at ${placeOf(url)} cannot be reached: ${reasonOf(error)}`, { cause: error });
}

/** Host, port and database, of every server the address names. Up to its last @ it may hold a password, however it is written. */
function placeOf(url: string): string {
  const [address = '', query = ''] = url.slice(url.lastIndexOf('@') + 1).split(/[?#]/);
  const [hosts = '', ...path] = address.replace(/^\w+:\/\//, '').split('/');
  return [new URLSearchParams(query).get('host') ?? hosts, ...path].join('/');
}

/** Several addresses of one name fail together, each with a reason of its own. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((one: Error) => one.message).join(', ') : error.message;

/**
 * SQLSTATE classes: 08 is a broken connection, 57P0x a server that stops, starts or ends our session. 25006 is a server that accepts
 * no writes: no longer the primary. A connection to it is of no more use than a broken one.
 */
const CONNECTION_LOST = /^(08|57P0|25006)/;

/** The connection ended under a statement, so its outcome is unknown. A statement the server refused is not one of these. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && CONNECTION_LOST.test(code)) return true;
  return /Connection terminated|Query read timeout|ECONNRESET|EPIPE|Client has encountered a connection error/.test(
    `${String(code)} ${error.message}`,
  );
}

/** SQLSTATE of a database error, undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof Error && typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** A row with the same unique values exists. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505';

/**
 * The server cancelled a statement: it ran or waited for a lock too long (57014, 55P03), collided with another transaction (40001,
 * 40P01), or the server lacks disk or memory (53100, 53200). Nothing of it was kept, and the same may succeed later.
 */
const isGivenUp = (error: unknown): boolean => /^(57014|55P03|40001|40P01|53100|53200)$/.test(sqlState(error) ?? '');

/** As `isGivenUp`, for lack of time only. Others that wait for the same would wait as long. */
export const isTimedOut = (error: unknown): boolean => /^(57014|55P03)$/.test(sqlState(error) ?? '');

/** The database cannot answer now. That is not the request's fault. */
export const isPassing = (error: unknown): boolean => isConnectionError(error) || isGivenUp(error);

/** There is no room for what was to be written. */
export const isDiskFull = (error: unknown): boolean => sqlState(error) === '53100';
