import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { recordPurchases } from '../../../platform/audit/audit-log.ts';
import { isPassing, type Tx } from '../../../platform/db/database.ts';
import { type ExpectedNotice, expectNotices } from '../../messages/airalo/airalo.ts';
import { type AccountEvent, balanceLow } from '../../messages/events/events.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import {
  fallenBelow,
  fundsOf,
  lockWallets,
  type Movement,
  post,
  type Shortfall,
  type Wallet,
} from '../../money/ledger/ledger.ts';
import { autorefillRows } from '../autorefill-rows/autorefill-rows.ts';
import { insertOrders, keepQuiet, states } from '../orders/orders.ts';
import {
  type Decision,
  decide,
  eventsAheadOf,
  eventsOf,
  figuresOf,
  isRefused,
  type WalletFigures,
  type Wanted,
} from './decide.ts';
import { beginningOf, type EarlierOrder, isSamePurchase, keyName, recordedAs } from './idempotency.ts';
import { type LimitUse, limitEvents, limitReached, openUses, type ReachedLimit } from './limits.ts';
import { esimsToRefill } from './refill-during-refund.ts';
import { type PaidOrder, paidOrderOf } from './supplier-calls.ts';

export type Charged =
  /** Another transaction holds this wallet. Nothing was written: try again and wait for the lock. */
  | { outcome: 'busy' }
  /** It waited so long that its price may have changed. Nothing was written: read the price again. */
  | { outcome: 'outdated' }
  /** The time of its request is up. Nothing was written. */
  | { outcome: 'late' }
  /** The eSIM it would refill was withdrawn, or is being withdrawn. Nothing was written. */
  | { outcome: 'withdrawn' }
  /** The eSIM it would refill is no longer there. Nothing was written. */
  | { outcome: 'esim_gone' }
  /** The rule that buys it was changed or ended. Nothing was written. */
  | { outcome: 'rule_changed' }
  | { outcome: 'suspended'; wallet: Wallet }
  /** It costs more than its buyer's ceiling. Nothing was written. */
  | { outcome: 'price_changed'; price: Cents; ceiling: Cents }
  /** A limit of its key or partner has no room for it. Nothing was written but that its event was sent. */
  | { outcome: 'limit_exceeded'; limit: LimitUse }
  /** A batch, or a refill that a rule buys, costs more than there is. Nothing was written. */
  | { outcome: 'over'; shortfall: Shortfall }
  | { outcome: 'paid'; order: PaidOrder; wallet: WalletFigures; queueFull: boolean }
  /** A failed order was recorded; nothing was charged. */
  | {
      outcome: 'refused';
      orderId: bigint;
      reason: string;
      shortfall: Shortfall | undefined;
      wallet: WalletFigures;
      queueFull: boolean;
    }
  /** An earlier purchase under the same key decides. */
  | { outcome: 'recorded'; orderId: bigint; isSame: boolean; isOpen: boolean; wallet: WalletFigures };

/** The ledger refused the charge, and the whole transaction was rolled back. */
export class ChargeNotWritten extends Error {
  /** It would have gone on a credit line. */
  readonly onCredit: boolean;

  constructor(onCredit: boolean, options: ErrorOptions) {
    super('the charge was not written', options);
    this.onCredit = onCredit;
  }
}

interface ChargeParts {
  readonly webhooks: Webhooks;
  firstDueAt(paidAt: Date): Date;
}

/** What is charged in full or not at all: one purchase, or the members of a batch. The first has the key. */
export type Bundle = readonly [Wanted, ...Wanted[]];

/**
 * Transaction 1 of a purchase, for any number of purchases at once: key, order, charge, transfers and events are written
 * together or not at all. The wallet's lock comes first and every purchase of a partner takes it, so what follows (the key's
 * earlier outcome, the credit left) cannot change underneath. Each is answered for with the outcomes of its members, or with the
 * one outcome of all.
 */
export async function chargeAll(
  tx: Tx,
  { webhooks, firstDueAt }: ChargeParts,
  bundles: readonly Bundle[],
  options: { wait: boolean },
): Promise<(readonly Charged[])[]> {
  const batch = bundles.flat();
  const partnerIds = [...new Set(batch.map(({ partnerId }) => partnerId))];
  // Sent together and run in this order: the keys are read once the wallets are locked.
  const [wallets, { orderIds, recorded }, subscribers, esims, wanting, uses] = await Promise.all([
    lockWallets(tx, partnerIds, { skipLocked: !options.wait }),
    beginningOf(tx, batch),
    webhooks.subscribers(tx, partnerIds),
    esimsToRefill(tx, batch),
    autorefillRows.wanting(tx, batch),
    openUses(
      tx,
      bundles.map(([first]) => first),
    ),
  ]);
  const running = new Map([...wallets].map(([id, wallet]) => [id, { ...wallet }]));
  const decisions: Decision[] = [];
  const firstUnderKey = new Map<string, Decision>();
  const reached: ReachedLimit[] = [];

  const decided = bundles.map((members): readonly Decision[] | Charged => {
    const [first] = members;
    const wallet = running.get(first.partnerId);
    if (!wallet) return { outcome: 'busy' };
    const name = first.key === undefined ? undefined : keyName(first.partnerId, first.key);
    const earlier = name === undefined ? undefined : recorded.get(name);
    if (earlier) return replay(first, earlier, wallet);
    const duplicate = name === undefined ? undefined : firstUnderKey.get(name);
    if (duplicate) return replay(first, recordedAs(duplicate), wallet);
    const isWithdrawn = first.refillOf && esims.get(first.refillOf.orderId);
    if (isWithdrawn) return { outcome: 'withdrawn' };
    if (first.refillOf && isWithdrawn === undefined) return { outcome: 'esim_gone' };
    if (first.rule && first.refillOf && !wanting.has(first.refillOf.orderId)) return { outcome: 'rule_changed' };
    if (wallet.suspended) return { outcome: 'suspended', wallet };
    if (members.some(({ isOutdated }) => isOutdated?.())) return { outcome: 'outdated' };
    const price = toCents(members.reduce((sum, member) => sum + member.price, 0n));
    if (first.ceiling !== undefined && price > first.ceiling)
      return { outcome: 'price_changed', price, ceiling: first.ceiling };
    const limit = limitReached(uses, members);
    if (limit) {
      reached.push(limit);
      return { outcome: 'limit_exceeded', limit };
    }
    const shortfall = first.isBatched || first.rule ? shortfallOf(members, wallet) : undefined;
    if (shortfall) return { outcome: 'over', shortfall };
    // The last moment at which nothing is written; after a timeout the buyer has been told that.
    if (first.budget?.isSpent) return { outcome: 'late' };
    const batchId = first.isBatched ? orderIds[decisions.length] : undefined;
    const made = members.map((wanted) => {
      const decision = decide(wanted, wallet, orderIds[decisions.length] as bigint, batchId);
      decisions.push(decision);
      if (!isRefused(decision)) uses.add(wanted);
      return decision;
    });
    const [written] = made as [Decision];
    first.onWriting?.(written);
    if (name !== undefined) firstUnderKey.set(name, written);
    return made;
  });

  const ahead = new Map(decisions.map((decision) => [decision.orderId, eventsAheadOf(decision)]));
  const limited = reached.length > 0 ? await limitEvents(tx, reached) : [];
  const [{ refusedOrders }] = await Promise.all([
    webhooks.publish(tx, [...decisions.flatMap(eventsOf), ...lowBalances(wallets, running, decisions), ...limited], {
      to: subscribers,
      ahead,
    }),
    insertOrders(
      tx,
      decisions.map((decision) => ({
        ...decision,
        eventsAhead: ahead.get(decision.orderId) ?? [],
        dueAt: firstDueAt(decision.wanted.at),
      })),
    ),
    writeCharges(tx, wallets, decisions),
    recordPurchases(tx, decisions.flatMap(boughtByMember)),
    expectNotices(tx, decisions.flatMap(noticeOf)),
    // Without a waiting limit nothing is left to write after this, so the commit travels with it.
    ...(webhooks.hasWaitingLimit ? [] : [tx.commit()]),
  ]);
  await keepQuiet(tx, refusedOrders);
  return decided.map((made) => {
    if ('outcome' in made) return [made];
    return made.map((one) => {
      const hasNoSubscriber = !subscribers.has(one.wanted.partnerId);
      return outcomeOf(one, { queueFull: refusedOrders.has(one.orderId), hasNoSubscriber });
    });
  });
}

const boughtByMember = (decision: Decision) => {
  const { orderId, wanted } = decision;
  const { partnerId, buyer } = wanted;
  return buyer && !isRefused(decision) ? [{ orderId, partnerId, buyer }] : [];
};

/** That of a batch is about its first order. */
function noticeOf({ orderId, batchId = orderId, wanted }: Decision): ExpectedNotice[] {
  const { partnerId, keyId, at, notice } = wanted;
  if (!notice || keyId === undefined || batchId !== orderId) return [];
  return [{ partnerId, keyId, orderId, at, isRest: false, ...notice }];
}

/** The amount missing to charge a whole batch. */
function shortfallOf(members: Bundle, wallet: Wallet): Shortfall | undefined {
  if (members[0].refuse !== undefined) return undefined;
  const charge = fundsOf(wallet).charge(wallet, toCents(members.reduce((sum, { price }) => sum + price, 0n)));
  return 'code' in charge ? charge : undefined;
}

/** Published with the charges that caused them; `post` counts the same ones. */
function lowBalances(
  before: ReadonlyMap<number, Wallet>,
  after: ReadonlyMap<number, Wallet>,
  decisions: readonly Decision[],
): AccountEvent[] {
  return [...before.values()].flatMap((wallet) => {
    const low = fallenBelow(wallet, after.get(wallet.partnerId) as Wallet);
    const last = low && decisions.findLast(({ wanted }) => wanted.partnerId === low.partnerId);
    return low && last ? [balanceLow(low, last.wanted.at)] : [];
  });
}

async function writeCharges(tx: Tx, wallets: Map<number, Wallet>, decisions: readonly Decision[]): Promise<void> {
  const charges = decisions.filter(({ transfers }) => transfers.length > 0);
  const movements = charges.map(
    ({ wanted, funds, transfers, orderId }): Movement => ({
      ...funds.line,
      partnerId: wanted.partnerId,
      transfers,
      orderId,
      note: wanted.plan.title,
      at: wanted.at,
    }),
  );
  try {
    await post(tx, wallets, movements);
  } catch (error) {
    if (isPassing(error)) throw error;
    throw new ChargeNotWritten(
      movements.every(({ book }) => book === 'debt'),
      { cause: error },
    );
  }
}

/** Does not compare the members of a batch: who reads the batch does. */
function replay(wanted: Wanted, earlier: EarlierOrder, wallet: Wallet): Charged {
  const target = { productId: wanted.plan.alias, refillOf: wanted.refillOf?.orderId ?? null };
  return {
    outcome: 'recorded',
    orderId: earlier.id,
    isSame: wanted.isBatched ? earlier.batchId !== null : isSamePurchase(earlier, target),
    isOpen: earlier.status === states.created.status,
    wallet: figuresOf(wallet),
  };
}

function outcomeOf(
  decision: Decision,
  { queueFull, hasNoSubscriber }: { queueFull: boolean; hasNoSubscriber: boolean },
): Charged {
  const { wanted, wallet, orderId, reason, shortfall } = decision;
  if (isRefused(decision)) return { outcome: 'refused', orderId, reason, shortfall, wallet, queueFull };
  const order = { ...paidOrderOf(orderId, wanted, wanted.refillOf ?? null), hasNoSubscriber };
  return { outcome: 'paid', order, wallet, queueFull };
}
