import { isConnectionError, type Tx } from '../db/database.ts';
import type { Shortfall } from '../money/funds.ts';
import { lockWallets, type Movement, post, type Wallet } from '../money/ledger.ts';
import { toMicros, ZERO } from '../money/money.ts';
import { states } from '../orders/transitions.ts';
import type { Webhooks, WebhookWorld } from '../webhooks/webhooks.ts';
import { aheadOf, type Balance, balanceOf, type Decision, decide, eventsOf, type Wanted } from './decide.ts';
import { insertOrders, keepQuiet, keyName, recordedUnder, takeOrderIds } from './order-rows.ts';
import type { PaidOrder } from './provision.ts';

/** What the purchase's own transaction came to. */
export type Charged =
  /** Another transaction holds this wallet: try again, waiting. Nothing was written. */
  | { outcome: 'busy' }
  | { outcome: 'suspended'; wallet: Wallet }
  | { outcome: 'paid'; order: PaidOrder; wallet: Balance; queueFull: boolean }
  /** A failed order was recorded, nothing was charged. */
  | {
      outcome: 'refused';
      orderId: bigint;
      reason: string;
      shortfall: Shortfall | undefined;
      wallet: Balance;
      queueFull: boolean;
    }
  /** An earlier purchase with the same key decides. */
  | { outcome: 'recorded'; orderId: bigint; sameProduct: boolean; isOpen: boolean; wallet: Balance };

/** The ledger refused the charge and everything was rolled back. */
export class ChargeNotWritten extends Error {
  /** It would have gone on a credit line. */
  readonly onCredit: boolean;

  constructor(onCredit: boolean, options: ErrorOptions) {
    super('the charge was not written', options);
    this.onCredit = onCredit;
  }
}

export interface ChargeParts {
  readonly world: WebhookWorld;
  readonly webhooks: Webhooks;
  firstDueAt(paidAt: Date): Date;
}

/**
 * Transaction 1 of a purchase, for any number of purchases at once: key, order, charge, transfers and events are written
 * together or not at all. The wallet's lock comes first and every purchase of a partner takes it, so what follows (the key's
 * earlier outcome, the credit left) cannot change under it.
 */
export async function chargeAll(
  tx: Tx,
  { world, webhooks, firstDueAt }: ChargeParts,
  batch: readonly Wanted[],
  options: { wait: boolean },
): Promise<Charged[]> {
  const partnerIds = [...new Set(batch.map(({ partnerId }) => partnerId))];
  // Started together, run in this order: the keys are read once the wallets are held.
  const [wallets, recorded, orderIds, subscribers] = await Promise.all([
    lockWallets(tx, partnerIds, { skipLocked: !options.wait }),
    recordedUnder(tx, batch),
    takeOrderIds(tx, batch.length),
    webhooks.subscribers(tx, world, partnerIds),
  ]);
  const running = new Map([...wallets].map(([id, wallet]) => [id, { ...wallet }]));
  const decisions: Decision[] = [];
  const firstUnderKey = new Map<string, Decision>();

  const decided = batch.map((wanted): Decision | Charged => {
    const wallet = running.get(wanted.partnerId);
    if (!wallet) return { outcome: 'busy' };
    const name = wanted.key === undefined ? undefined : keyName(wanted.partnerId, wanted.key);
    const earlier = name === undefined ? undefined : recorded.get(name);
    if (earlier) return replay(wanted, earlier.id, earlier.productId, earlier.status, wallet);
    const twin = name === undefined ? undefined : firstUnderKey.get(name);
    if (twin) return replay(wanted, twin.orderId, twin.wanted.plan.alias, states.paid.status, wallet);
    if (wallet.suspended) return { outcome: 'suspended', wallet };
    const decision = decide(wanted, wallet, orderIds[decisions.length] as bigint);
    decisions.push(decision);
    if (name !== undefined) firstUnderKey.set(name, decision);
    return decision;
  });

  const ahead = new Map(decisions.map((decision) => [decision.orderId, aheadOf(decision)]));
  const [{ refusedOrders }] = await Promise.all([
    webhooks.publish(tx, world, decisions.flatMap(eventsOf), { to: subscribers, ahead }),
    insertOrders(tx, decisions, firstDueAt),
    writeCharges(tx, wallets, decisions),
    // Where no limit can keep events out, nothing is left to write.
    ...(world.webhooks.waitingLimit ? [] : [tx.commit()]),
  ]);
  await keepQuiet(tx, refusedOrders);
  return decided.map((one) => ('outcome' in one ? one : outcomeOf(one, refusedOrders.has(one.orderId))));
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
    if (isConnectionError(error)) throw error;
    throw new ChargeNotWritten(
      movements.every(({ book }) => book === 'debt'),
      { cause: error },
    );
  }
}

function replay(wanted: Wanted, orderId: bigint, productId: string, status: number, wallet: Wallet): Charged {
  return {
    outcome: 'recorded',
    orderId,
    sameProduct: productId === wanted.plan.alias,
    isOpen: status === states.created.status,
    wallet: balanceOf(wallet),
  };
}

function outcomeOf({ wanted, wallet, orderId, reason, shortfall }: Decision, queueFull: boolean): Charged {
  if (reason !== '') return { outcome: 'refused', orderId, reason, shortfall, wallet, queueFull };
  const { partnerId, plan, at, script } = wanted;
  const order: PaidOrder = {
    id: orderId,
    partnerId,
    state: 'paid',
    supplier: plan.supplier.slug,
    supplierPlan: plan.supplierPlan,
    supplierOrder: null,
    amountMb: plan.amountMb,
    day: plan.day,
    cost: plan.cost ?? toMicros(ZERO),
    paidAt: at,
    orderedAt: at,
    attempts: 0,
    script: script ?? null,
  };
  return { outcome: 'paid', order, wallet, queueFull };
}
