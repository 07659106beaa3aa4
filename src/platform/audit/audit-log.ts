import type { Mode } from '../contract/mode.ts';
import type { Db, Queryable, Tx } from '../db/database.ts';
import { nothing, sql } from '../db/query/sql.ts';
import { type Steps, step } from './action-keys.ts';
import type { AuditKind } from './sentences.ts';

/**
 * The audit log, and the only ways to write it. It needs only the database, so it sits below the domains: any change can be
 * recorded without importing the command line or the panel.
 *
 * `insert` is not exported. A change is made through `change` or `amend`, which open the transaction, run the work and write
 * the entry the work must return: leaving it out does not compile, and change and entry are committed together or not at all.
 * Only a purchase has a transaction of its own, in its world: `recordPurchases` is called there. What a second operator approves
 * gets a further entry in the same transaction, by `recordApproval`.
 */

/** Who makes a change, on the owner's connection: the worlds' roles cannot write the log, purchases aside. */
export interface Author {
  readonly db: Db;
  /** The name the log gets: an operator's login, `member:EMAIL` or `key:ID`. */
  readonly who: string;
  /** The partner a member is confined to: their changes are in its activity. */
  readonly confinedTo?: number | undefined;
  /** The operator who approved it, where a second one has to: the entry names both. */
  readonly approvedBy?: string;
  /** Set if the change has a key: a repeat is answered without changing anything (`action-keys.ts`). */
  readonly steps?: Steps | undefined;
}

/** What a change leaves in the log, and what its caller gets back. */
export interface Recorded<T> {
  /** What it was done to, e.g. `partner 7`. */
  readonly target: string;
  /** Whose activity shows it, if neither the author nor `before` and `after` name the partner. */
  readonly partnerId?: number | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly result: T;
  /** Set if the result has a secret in it: what a repeat is told, because the result is not kept (`action-keys.ts`). */
  readonly shownOnce?: string | undefined;
}

/**
 * Runs one change and its entry in one transaction. `what` is the command, e.g. `partner set`; its sentence is in `sentences.ts`.
 */
export function change<T>(
  author: Author,
  what: AuditKind,
  work: (tx: Tx) => Promise<Recorded<T>> | Recorded<T>,
): Promise<T> {
  const { who, confinedTo, approvedBy } = author;
  let shownOnce: string | undefined;
  return step(
    author,
    async (tx) => {
      const recorded = await work(tx);
      const { target, partnerId = confinedTo, before, after } = recorded;
      await insert(
        tx,
        {
          who,
          what,
          target,
          before,
          after: approvedBy === undefined ? after : { ...(after as object), approved_by: approvedBy },
        },
        partnerId ?? partnerOf(target, after) ?? partnerOf(target, before),
      );
      shownOnce = recorded.shownOnce;
      return recorded.result;
    },
    () => shownOnce,
  );
}

/** Changes something that exists. The entry gets what `read` finds before and after the work, as `shown`; the caller gets the latter. */
export function amend<T>(
  author: Author,
  what: AuditKind,
  target: string,
  read: (tx: Tx) => Promise<T>,
  work: (tx: Tx, before: T) => Promise<unknown>,
  shown: (found: T) => unknown = (found) => found,
): Promise<T> {
  return change(author, what, async (tx) => {
    const before = await read(tx);
    await work(tx, before);
    const after = await read(tx);
    return { target, before: shown(before), after: shown(after), result: after };
  });
}

interface Entry extends Pick<Recorded<unknown>, 'target' | 'before' | 'after'> {
  readonly who: string;
  readonly what: string;
}

async function insert(tx: Tx, entry: Entry, partnerId: number | undefined): Promise<void> {
  const { who, what, target, before, after } = entry;
  await tx.run(sql`
    insert into shared.audit_log (who, what, target, before, after, partner_id)
    values (${who}, ${what}, ${target}, ${json(before)}::jsonb, ${json(after)}::jsonb, ${partnerId ?? null})`);
}

/** An operator approves what another one proposed, in the transaction that carries it out. */
export const recordApproval = (
  tx: Tx,
  { who, target, after }: Required<Pick<Entry, 'who' | 'target' | 'after'>>,
  partnerId: number | undefined,
): Promise<void> => insert(tx, { who, what: 'proposal approve' satisfies AuditKind, target, after }, partnerId);

/** A member who buys in the panel, and what their entry says about it. */
export type Buyer = Required<Pick<Entry, 'who' | 'after'>>;

interface RecordedPurchase {
  readonly orderId: bigint;
  readonly partnerId: number;
  readonly buyer: Buyer;
}

/** In the transaction that charges them. All are sent at once, because the commit may follow right behind. */
export function recordPurchases(tx: Tx, made: readonly RecordedPurchase[]): Promise<unknown> {
  return Promise.all(
    made.map(({ orderId, partnerId, buyer: { who, after } }) =>
      tx.run(sql`select shared.record_purchase(${who}, ${`order ${orderId}`}, ${json(after)}::jsonb, ${partnerId})`),
    ),
  );
}

/** The partner an operator's change concerns: from `partner 7`, or from the changed row itself. */
function partnerOf(target: string, state: unknown): number | undefined {
  const named = /^partner (\d+)$/.exec(target)?.[1];
  if (named !== undefined) return Number(named);
  const { partner_id, partnerId } = (state ?? {}) as Readonly<Record<string, unknown>>;
  const found = partner_id ?? partnerId;
  return typeof found === 'number' ? found : undefined;
}

const json = (value: unknown): string | null =>
  value === undefined
    ? null
    : JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? inner.toString() : inner));

export interface LoggedChange extends Entry {
  readonly at: Date;
}

interface ChangeFilter {
  readonly target: string | undefined;
  readonly who: string | undefined;
  readonly limit: number;
}

/** Changes, newest first. The owner's connection only. */
export function listChanges(db: Queryable, { target, who, limit }: ChangeFilter): Promise<LoggedChange[]> {
  const isFiltered = target !== undefined || who !== undefined;
  // With a filter we order by time instead of the primary key. Otherwise the planner, going by averages, walks the whole log
  // along that key to find the few rows of somebody who changed little.
  return db.query(sql`
    select at, who, what, target, before, after from shared.audit_log
    where true ${target === undefined ? nothing : sql`and target = ${target}`}
      ${who === undefined ? nothing : sql`and who = ${who}`}
    order by ${isFiltered ? sql`at desc,` : nothing} id desc limit ${limit}`);
}

interface OrderOfWorld {
  readonly orderId: bigint;
  readonly mode: Mode;
}

/** Entries of members are about `order 7` in either world, and name the world in their fields. */
const ofWorld = ({ orderId, mode }: OrderOfWorld) =>
  sql`target = ${`order ${orderId}`} and coalesce(after ->> 'mode', before ->> 'mode', 'live') = ${mode}`;

/** Changes of one order, newest first. `target` is how operators' entries name it. The owner's connection only. */
export const listOrderChanges = (
  db: Queryable,
  { target, limit, ...order }: OrderOfWorld & { readonly target: string; readonly limit: number },
): Promise<LoggedChange[]> =>
  db.query(sql`
    select at, who, what, target, before, after from shared.audit_log
    where (${ofWorld(order)}) or (target = ${target} and target <> ${`order ${order.orderId}`})
    order by at desc, id desc limit ${limit}`);

/** Who bought an order in the panel; undefined: it was not bought there. */
export async function findBuyer(db: Queryable, order: OrderOfWorld): Promise<string | undefined> {
  const found = await db.maybe<{ who: string }>(sql`
    select who from shared.audit_log where ${ofWorld(order)} and what = 'order buy' order by at desc limit 1`);
  return found?.who.replace(/^member:/, '');
}

export interface ActivityEntry extends LoggedChange {
  readonly id: bigint;
  /** Whom it concerns; null: no partner, or it is not known. */
  readonly partnerId: number | null;
}

interface Wanted {
  readonly partnerId: number;
  readonly kinds: readonly string[];
  readonly before: bigint | undefined;
  readonly limit: number;
}

/** The entries of these kinds that concern one partner, newest first, `before` an id. The owner's connection only. */
export function listActivity(db: Queryable, { partnerId, kinds, before, limit }: Wanted): Promise<ActivityEntry[]> {
  return db.query(sql`
    select id, at, who, what, target, before, after, partner_id as "partnerId" from shared.audit_log
    where partner_id = ${partnerId} and what = any(${kinds}::text[])
      ${before === undefined ? nothing : sql`and id < ${before}`}
    order by id desc limit ${limit}`);
}
