import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { type Clock, DAY, MINUTE, SECOND } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/query/sql.ts';
import type { Job } from '../jobs/runner.ts';
import type { Vault } from '../vault/secrets.ts';
import { afterRepeats, asOneOfFew, reused, stillRunning } from './repeats.ts';

/*
 * An action that is requested twice takes effect once. A form generates a key when it opens and sends it with its action; at the
 * command line, a person passes `--key`. A second request with the same key, from a double click or a retry, gets the answer of the
 * first.
 *
 * An action claims its key (the row of step 0), runs, and leaves its answer in that row. While it runs, a second request waits for
 * the answer. A refused action gives its key back: nothing was changed, and the corrected form may use it again.
 *
 * The claim alone would not survive a kill between the change and the answer. So each transaction of an action (`step`) records its
 * number and its result in the same transaction. When the claim of a dead process has expired, a repeat runs the action again:
 * recorded steps are not made again but return their recorded results, and it continues from there. The author of an action only
 * has to keep its steps in the same order each time. The unique key of (scope, key, step) also holds if two processes both believe
 * that they own a claim: one of them waits for the other's transaction and then takes its result.
 *
 * What an action does outside a transaction, such as a probe of an address, is done again if the process was killed before it
 * could leave an answer.
 *
 * A secret is never stored here. Of a step or an answer that has one in it, only a sentence is kept, and a repeat is refused with
 * it: the key, link or code exists once, and the person replaces it if they did not see it.
 *
 * Requests that repeat a key wait in memory for the one that is being worked on in their process (`repeats.ts`), so however many
 * there are, only one looks at the database.
 */

export interface KeyedAction {
  /** Whose key it is: two people may use the same word. */
  readonly scope: string;
  readonly key: string;
  /** Its address or its words, without anything from the request. */
  readonly action: string;
  /** The input it was sent with: the same key with any other input is refused. */
  readonly args: unknown;
  /** Kept for good; others for a day. */
  readonly isMoney: boolean;
}

export interface Desk {
  readonly db: Db;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** The transactions of one action. */
export interface Steps {
  /** `shownOnce`: the sentence that is kept in place of a result with a secret in it. */
  run<T>(db: Db, work: (tx: Tx) => Promise<T>, shownOnce?: (result: T) => string | undefined): Promise<T>;
}

/** What is kept of an answer: all of it, nothing (as of a refusal), or a sentence in place of one with a secret in it. */
export type Kept = 'answer' | 'nothing' | { readonly shownOnce: string };

/** Longer than an action of the panel takes. Steps are safe without it; it is for what happens outside them. */
const CLAIM_MS = 30 * SECOND;
const POLL_MS = 50;
/** How long a second request waits for the first. */
const WAIT_MS = 25 * SECOND;
const KEPT_MS = DAY;
const PRUNE_BATCH = 1_000;

/** Printable, and short enough to be a file name, an invoice number or a UUID. */
const KEY = /^[\x21-\x7e]{1,200}$/;

export function requireActionKey(sent: string | string[] | undefined): string {
  if (sent === undefined || sent === '')
    throw new Refused('action_key_required', 'this page is from an older version: reload it, then try again');
  if (typeof sent !== 'string' || !KEY.test(sent))
    throw new Refused('invalid_action_key', 'a key has 1 to 200 letters, digits and symbols, without spaces');
  return sent;
}

/** One transaction of an action; without a key, just a transaction. */
export const step = <T>(
  { db, steps }: { readonly db: Db; readonly steps?: Steps | undefined },
  work: (tx: Tx) => Promise<T>,
  shownOnce?: (result: T) => string | undefined,
): Promise<T> => (steps ? steps.run(db, work, shownOnce) : db.tx(work));

/**
 * The transactions of an action, the first of which runs inside `around`. If it is rolled back, the next one is the first. A repeat
 * that finds the first one recorded does not call `around` again.
 */
export function aroundFirst(
  { steps }: { readonly steps?: Steps | undefined },
  around: <T>(tx: Tx, work: () => Promise<T>) => Promise<T>,
): Steps & { isBegun(): boolean } {
  let isBegun = false;
  return {
    isBegun: () => isBegun,
    async run(db, work, shownOnce) {
      const first = (tx: Tx) => around(tx, () => work(tx));
      const done = await (steps ? steps.run(db, isBegun ? work : first, shownOnce) : db.tx(isBegun ? work : first));
      isBegun = true;
      return done;
    },
  };
}

/** Runs `work`, or returns its earlier answer under this key. `keep` says what becomes of the answer. */
export async function once<T>(
  desk: Desk,
  wanted: KeyedAction,
  work: (steps: Steps) => Promise<T>,
  keep: (answer: T) => Kept = () => 'answer',
): Promise<T> {
  const args = hashOf(wanted);
  const deadline = AbortSignal.timeout(WAIT_MS);
  return afterRepeats(desk.db, { ...wanted, args, deadline }, async () => {
    const first = await claim<T>(desk, wanted, args);
    const found = first === 'running' ? await elsewhere<T>(desk, wanted, args, deadline) : first;
    return 'answer' in found ? found.answer : runClaimed(desk, wanted, args, found, work, keep);
  });
}

/** Another process is running it: its answer, or the claim on the key it has given back. */
const elsewhere = <T>(desk: Desk, wanted: KeyedAction, args: string, deadline: AbortSignal): Promise<Found<T>> =>
  asOneOfFew(desk.db, 'polling', wanted.scope, async () => {
    while (!deadline.aborted) {
      await wait(POLL_MS);
      const found = await claim<T>(desk, wanted, args);
      if (found !== 'running') return found;
    }
    throw stillRunning();
  });

/** Ours to run. */
type Claim = { readonly id: bigint; readonly until: Date };
type Found<T> = Claim | { readonly answer: T };

async function claim<T>({ db, vault, clock }: Desk, wanted: KeyedAction, args: string): Promise<Found<T> | 'running'> {
  const { scope, key, action, isMoney } = wanted;
  const now = clock.now();
  const [at, until] = [new Date(now), new Date(now + CLAIM_MS)];
  const mine = await db.maybe<{ id: bigint; sealed: Buffer }>(sql`
    insert into shared.action_keys (scope, key, step, action, is_money, created_at, claimed_until, sealed)
    values (${scope}, ${key}, 0, ${action}, ${isMoney}, ${at}, ${until}, ${sealedOf(vault, { args })})
    on conflict (scope, key, step) do update set claimed_until = excluded.claimed_until
      where action_keys.claimed_until <= ${at}
    returning id, sealed`);
  if (mine) {
    const { id } = mine;
    if (argsIn(vault, mine.sealed) !== args) {
      await db.run(sql`update shared.action_keys set claimed_until = '-infinity' where id = ${id}`);
      throw reused();
    }
    return { id, until };
  }
  const theirs = await db.maybe<{ sealed: Buffer | null; isDone: boolean }>(sql`
    select sealed, claimed_until is null as "isDone" from shared.action_keys
    where scope = ${scope} and key = ${key} and step = 0`);
  // Gone: it was refused meanwhile, and the next look claims it.
  if (!theirs) return 'running';
  if (theirs.sealed && argsIn(vault, theirs.sealed) !== args) throw reused();
  if (!theirs.isDone) return 'running';
  return { answer: requireKept<T>(vault, theirs.sealed) };
}

/** Whether some process is working on a request with this key, whose outcome is not certain before it has ended. */
export async function isBeingHandled({ db, clock }: Pick<Desk, 'db' | 'clock'>, scope: string, key: string) {
  const { isClaimed } = await db.one<{ isClaimed: boolean }>(sql`
    select exists (
      select from shared.action_keys
      where scope = ${scope} and key = ${key} and step = 0 and claimed_until > ${new Date(clock.now())}
    ) as "isClaimed"`);
  return isClaimed;
}

async function runClaimed<T>(
  desk: Desk,
  wanted: KeyedAction,
  args: string,
  { id, until }: Claim,
  work: (steps: Steps) => Promise<T>,
  keep: (answer: T) => Kept,
): Promise<T> {
  const { db, vault } = desk;
  // Without steps nothing was changed. With some, the next request continues after them at once.
  const giveBack = () =>
    db.run(sql`
      with steps as (
        select 1 from shared.action_keys where scope = ${wanted.scope} and key = ${wanted.key} and step > 0 limit 1
      ), freed as (
        update shared.action_keys set claimed_until = '-infinity'
        where id = ${id} and claimed_until = ${until} and exists (select from steps)
      )
      delete from shared.action_keys where id = ${id} and claimed_until = ${until} and not exists (select from steps)`);
  const steps = stepsOf(desk, wanted);
  let answer: T;
  try {
    answer = await work(steps);
  } catch (error) {
    // If the database is away, the claim expires by itself.
    await giveBack().catch(() => {});
    throw error;
  }
  const kept = keep(answer);
  const shownOnce = steps.shownOnce() ?? (typeof kept === 'object' ? kept.shownOnce : undefined);
  const sealed = sealedOf(vault, shownOnce === undefined ? { args, answer } : { args, shownOnce });
  const leave =
    kept === 'nothing'
      ? giveBack()
      : db.run(sql`update shared.action_keys set claimed_until = null, sealed = ${sealed} where id = ${id}`);
  // It is done, whether or not its answer could be kept.
  await leave.catch(() => {});
  return answer;
}

function stepsOf({ vault, clock }: Desk, { scope, key, action, isMoney }: KeyedAction) {
  let count = 0;
  let secret: string | undefined;
  return {
    /** Of the last step with a secret in its result. */
    shownOnce: () => secret,
    run<T>(db: Db, work: (tx: Tx) => Promise<T>, shownOnce?: (result: T) => string | undefined): Promise<T> {
      const number = ++count;
      return db.tx(async (tx) => {
        // A concurrent transaction that makes the same step holds us here until it has ended.
        const mine = await tx.maybe<{ id: bigint }>(sql`
          insert into shared.action_keys (scope, key, step, action, is_money, created_at)
          values (${scope}, ${key}, ${number}, ${action}, ${isMoney}, ${new Date(clock.now())})
          on conflict (scope, key, step) do nothing returning id`);
        if (!mine) {
          const { sealed } = await tx.one<{ sealed: Buffer | null }>(sql`
            select sealed from shared.action_keys where scope = ${scope} and key = ${key} and step = ${number}`);
          return requireKept<T>(vault, sealed);
        }
        const answer = await work(tx);
        const instead = shownOnce?.(answer);
        secret = instead ?? secret;
        const kept = sealedOf(vault, instead === undefined ? { answer } : { shownOnce: instead });
        await tx.run(sql`update shared.action_keys set sealed = ${kept} where id = ${mine.id}`);
        return answer;
      });
    },
  };
}

const argsIn = (vault: Vault, sealed: Buffer): string => (opened(vault, sealed) as { readonly args: string }).args;

/** The answer of an action or of a step. Null: it had a secret in it, and was kept by an earlier version. */
function requireKept<T>(vault: Vault, sealed: Buffer | null): T {
  const kept = sealed ? (opened(vault, sealed) as { answer: T } | { shownOnce: string }) : undefined;
  if (kept && 'answer' in kept) return kept.answer;
  throw new Refused('shown_once', kept?.shownOnce);
}

/** Must not depend on the version of the program: keys about money are compared forever. */
const hashOf = ({ action, args }: KeyedAction): string =>
  createHash('sha256')
    .update(JSON.stringify([action, args], (_name, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('hex');

/** Results have dates and large numbers in them, which JSON does not keep. */
const sealedOf = (vault: Vault, value: object): Buffer => vault.seal(serialize(value).toString('base64'));
const opened = (vault: Vault, sealed: Buffer): unknown => deserialize(Buffer.from(vault.open(sealed), 'base64'));

export const pruneActionKeysJob = ({ db, clock }: Pick<Desk, 'db' | 'clock'>): Job => ({
  name: 'prune action keys',
  everyMs: 10 * MINUTE,
  run: () => pruneActionKeys(db, clock.now()),
});

export function pruneActionKeys(db: Db, now: number): Promise<number> {
  return db.run(sql`
    delete from shared.action_keys where id = any (array (
      select id from shared.action_keys where not is_money and created_at < ${new Date(now - KEPT_MS)}
      order by created_at limit ${PRUNE_BATCH} for update skip locked
    ))`);
}
