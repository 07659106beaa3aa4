import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { readBalance } from '../../money/ledger/ledger.ts';
import { type State, stateOf, states } from '../orders/orders.ts';
import { openBatches } from './batch.ts';
import type { BuyOutcome, Purchase } from './buy-outcome.ts';
import type { Charged } from './charge.ts';
import { type ChargeByDeadline, chargeByDeadline, notCharged, noteInterrupted } from './charge-deadline.ts';
import { type ChargeWorld, openLanes, TWIN_WAIT_MS } from './charge-lanes.ts';
import { readWallet, type WalletFigures, type Wanted } from './decide.ts';
import { type EarlierOrder, isSamePurchase, type PurchaseTarget } from './idempotency.ts';
import { type LimitUse, limitUses } from './limits.ts';
import type { Provisioning } from './provision.ts';

export type { BatchOutcome, BuyOutcome, Purchase } from './buy-outcome.ts';
export type { Bundle } from './charge.ts';
export type { RefillTarget, Wanted } from './decide.ts';
export { exceeded, forgetReachedLimits, type LimitUse, limitValues } from './limits.ts';
export { OrderGone } from './moves.ts';
export {
  type ChargeDifference,
  carryOutRefunding,
  chargeDifferences,
  createProvisioning,
  moveAfterAnswer,
  type ProvisionedWorld,
  type Provisioning,
  type ProvisioningOptions,
  provisioningJobs,
} from './provision.ts';
export type { Routing } from './route-on.ts';
export { paidOrderOf, paidSupply, type SupplyTerms } from './supplier-calls.ts';

export type Checkout = ReturnType<typeof openCheckout>;

interface CheckoutWorld extends ChargeWorld {
  readonly provisioning: Pick<Provisioning, 'firstDueAt' | 'provision'>;
  /** Brings these orders up to date before they are read; returns how many changed. */
  beforeRead(partnerId: number, orderIds: readonly bigint[]): Promise<number>;
}

const TWIN_POLL_MS = 50;

export function openCheckout(world: CheckoutWorld, { log }: { log: Log }) {
  const { provisioning } = world;
  const lanes = openLanes(world, { log });
  /** Orders this process is provisioning right now. */
  const inFlight = new Map<bigint, Promise<unknown>>();
  /** Orders whose outcome is being waited for. However many duplicate requests wait, only one of them polls. */
  const awaited = new Map<bigint, Promise<Purchase | undefined>>();

  async function buy(wanted: Wanted): Promise<BuyOutcome> {
    const charged = await chargeByDeadline<ChargeByDeadline>(wanted, lanes.one, (outcome) => outcome);
    switch (charged.outcome) {
      case 'paid':
        return { outcome: 'bought', purchase: await deliverInTime(wanted, charged) };
      case 'recorded':
        return replay(charged, wanted.partnerId);
      case 'refused':
        return refused(wanted, charged);
      default:
        return notCharged(world.db, wanted.partnerId, charged);
    }
  }

  /** A paid order is on record. If the time is up, the buyer gets it as deferred. */
  async function deliverInTime(wanted: Wanted, charged: Extract<Charged, { outcome: 'paid' }>): Promise<Purchase> {
    const { order, wallet, queueFull } = charged;
    const onItsWay = () => fresh(wanted, order.id, wallet, { state: 'paid', reason: '' }, queueFull);
    const { budget } = wanted;
    return budget ? budget.within(deliver(wanted, charged), onItsWay) : deliver(wanted, charged);
  }

  async function deliver(wanted: Wanted, charged: Extract<Charged, { outcome: 'paid' }>): Promise<Purchase> {
    const { order, wallet, queueFull } = charged;
    const running = provisioning.provision(order, wanted.clock, wanted.routing);
    inFlight.set(order.id, running);
    try {
      const result = await running;
      const purchase = fresh(wanted, order.id, wallet, result, queueFull);
      // The refund has changed the balance since the charge.
      return result.state === 'failed'
        ? { ...purchase, balance: await readBalance(world.db, wanted.partnerId) }
        : purchase;
    } catch (error) {
      noteInterrupted(log, order, error);
      return fresh(wanted, order.id, wallet, { state: 'paid', reason: '' }, queueFull);
    } finally {
      inFlight.delete(order.id);
    }
  }

  async function replay(charged: Extract<Charged, { outcome: 'recorded' }>, partnerId: number): Promise<BuyOutcome> {
    const { orderId, wallet } = charged;
    if (!charged.isSame) return { outcome: 'key_conflict' };
    if (charged.isOpen) return { outcome: 'charge_incomplete', orderId, wallet };
    await world.beforeRead(partnerId, [orderId]);
    await inFlight.get(orderId)?.catch(() => {});
    const looking = awaited.get(orderId) ?? asItStands(orderId).finally(() => awaited.delete(orderId));
    awaited.set(orderId, looking);
    const purchase = await looking;
    // Deleted by a reset since it was found. The next try with this key is a new purchase.
    return purchase ? { outcome: 'bought', purchase } : { outcome: 'charge_in_progress', wallet };
  }

  /** The order as recorded, once the process that is provisioning it (this one or another) has had its time. */
  async function asItStands(orderId: bigint): Promise<Purchase | undefined> {
    const deadline = Date.now() + TWIN_WAIT_MS;
    for (;;) {
      const row = await world.db.maybe<RecordedRow>(sql`
        select o.id as "orderId", o.billing_mode as "billingMode", w.cash + w.promo as balance, o.status, o.delivery,
          o.delivery_reason as reason, o.product_id as "productId", o.product_title as "productTitle",
          o.product_price as "productPrice", o.sale_price as "salePrice", o.supplier_order as "supplierOrder",
          o.created_at as "createdAt", o.reference
        from orders o join wallets w using (partner_id) where o.id = ${orderId}`);
      if (!row) return undefined;
      const state = stateOf(row);
      if (state !== 'paid' || Date.now() > deadline) return { ...row, state, queueFull: false };
      await wait(TWIN_POLL_MS);
    }
  }

  return {
    buy,
    ...openBatches(world, lanes, { log }),
    /** What a buyer has spent of each of its limits. */
    limitUses: (buyer: Parameters<typeof limitUses>[1]): Promise<LimitUse[]> => limitUses(world.db, buyer),
    /** The outcome recorded under a key; undefined: the key is unused. */
    async recorded(partnerId: number, key: string, target: PurchaseTarget): Promise<BuyOutcome | undefined> {
      const row = await world.db.maybe<EarlierOrder>(sql`
        select id, product_id as "productId", refill_of as "refillOf", status, batch_id as "batchId" from orders
        where partner_id = ${partnerId} and idempotency_key = ${key}`);
      if (!row) return undefined;
      const wallet = await readWallet(world.db, partnerId);
      const isSame = isSamePurchase(row, target);
      const isOpen = row.status === states.created.status;
      return replay({ outcome: 'recorded', orderId: row.id, isSame, isOpen, wallet }, partnerId);
    },
  };
}

type RecordedRow = Omit<Purchase, 'state' | 'queueFull'> & { status: number; delivery: string };

/** A failed order is on record and nothing was charged: there was no room, the ledger refused, or a scenario asked for it. */
function refused(wanted: Wanted, charged: Extract<Charged, { outcome: 'refused' }>): BuyOutcome {
  const { orderId, shortfall, reason, wallet, queueFull } = charged;
  if (shortfall) return { outcome: 'no_room', orderId, shortfall };
  if (reason === 'credit_charge_failed') return { outcome: 'credit_refused', orderId, wallet };
  return { outcome: 'bought', purchase: fresh(wanted, orderId, wallet, { state: 'failed', reason }, queueFull) };
}

function fresh(
  { plan, price, reference, at }: Wanted,
  orderId: bigint,
  wallet: WalletFigures,
  result: { state: State; reason: string; supplierOrder?: string | null },
  queueFull: boolean,
): Purchase {
  return {
    orderId,
    reference,
    billingMode: wallet.billingMode,
    balance: wallet.spendable,
    state: result.state,
    reason: result.reason,
    productId: plan.alias,
    productTitle: plan.title,
    productPrice: plan.listPrice,
    salePrice: price,
    supplierOrder: result.supplierOrder ?? null,
    createdAt: at,
    queueFull,
  };
}
