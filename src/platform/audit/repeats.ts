import { Refused, TooManyAttempts } from '../contract/refused.ts';
import type { Db } from '../db/database.ts';

/*
 * Requests that repeat the key of one that this process is working on wait for it here, without a query and without a turn in the
 * connection pool, which everybody shares. If that one in turn waits for another process, it alone polls. One person may have only
 * a few of either; the others are refused at once.
 */

/** Requests of one person in one process, whatever their keys. More than double clicks and retries need. */
const MOST = { waiting: 8, polling: 8 } as const;
type Kind = keyof typeof MOST;
const BUSY_RETRY_SECONDS = 5;

interface Request {
  /** Whose key it is. */
  readonly scope: string;
  readonly key: string;
  /** A hash of what it asks for. */
  readonly args: string;
  /** When it gives up. */
  readonly deadline: AbortSignal;
}

interface Process {
  /** By key: the request that is being worked on. */
  readonly first: Map<string, { readonly args: string; readonly ended: Promise<void> }>;
  /** How many there are of each kind, by scope. */
  readonly counts: Readonly<Record<Kind, Map<string, number>>>;
}

/** A process has one connection to the shared schema; tests run several in one. */
const processes = new WeakMap<Db, Process>();

function processOf(db: Db): Process {
  const known = processes.get(db) ?? { first: new Map(), counts: { waiting: new Map(), polling: new Map() } };
  processes.set(db, known);
  return known;
}

/** Does the work as soon as this process is working on no other request with the same key. */
export async function afterRepeats<T>(db: Db, request: Request, work: () => Promise<T>): Promise<T> {
  const here = processOf(db);
  // A key has no spaces in it.
  const name = `${request.key} ${request.scope}`;
  const end = here.first.has(name)
    ? await asOneOfFew(db, 'waiting', request.scope, () => waitFor(here, name, request))
    : goAhead(here, name, request);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Of those that waited for the first, one goes ahead, and the others wait for that one. */
async function waitFor(here: Process, name: string, request: Request): Promise<() => void> {
  for (let ahead = here.first.get(name); ahead; ahead = here.first.get(name)) {
    if (ahead.args !== request.args) throw reused();
    await endOf(ahead.ended, request.deadline);
  }
  return goAhead(here, name, request);
}

/** Returns what ends it. Nothing may be awaited since the place was found free. */
function goAhead({ first }: Process, name: string, { args }: Request): () => void {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  first.set(name, { args, ended });
  return () => {
    first.delete(name);
    resolve();
  };
}

/** Waits with `work` for a request that is running, or throws because this person has too many that wait. */
export async function asOneOfFew<T>(db: Db, kind: Kind, scope: string, work: () => Promise<T>): Promise<T> {
  const count = processOf(db).counts[kind];
  const others = count.get(scope) ?? 0;
  if (others >= MOST[kind]) throw new TooManyAttempts(BUSY_RETRY_SECONDS);
  count.set(scope, others + 1);
  try {
    return await work();
  } finally {
    const left = (count.get(scope) ?? 1) - 1;
    if (left === 0) count.delete(scope);
    else count.set(scope, left);
  }
}

const endOf = (ended: Promise<void>, deadline: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = () => reject(stillRunning());
    if (deadline.aborted) late();
    else deadline.addEventListener('abort', late, { once: true });
    void ended.then(resolve);
  });

export const stillRunning = () => new Refused('action_in_progress');

export const reused = () => new Refused('action_key_reused');
