import { setTimeout as wait } from 'node:timers/promises';
import { fail } from '../contract/errors.ts';
import { sql } from '../db/sql.ts';
import type { Log } from '../log.ts';
import { readBalance } from '../money/balance.ts';
import { type Cents, centsToNumber } from '../money/money.ts';
import { type State, stateOf, states } from '../orders/transitions.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { World } from '../worlds/world.ts';
import type { Charged } from './charge.ts';
import { openLanes, TWIN_WAIT_MS } from './charge-lanes.ts';
import type { Balance, Wanted } from './decide.ts';

export type { Wanted } from './decide.ts';
export { parseIdempotencyKey } from './idempotency.ts';

/** A purchase as its buyer is told of it: the order as it stands, and today's balance. */
export interface Purchase {
  readonly orderId: bigint;
  readonly billingMode: 'prepaid' | 'postpaid';
  readonly balance: Cents;
  readonly state: State;
  readonly reason: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly productPrice: Cents;
  readonly salePrice: Cents;
  readonly supplierOrder: string | null;
  readonly createdAt: Date;
  /** Its events did not fit under the world's waiting limit: none was queued. */
  readonly queueFull: boolean;
}

/** Sells eSIMs in one world. */
export interface Checkout {
  buy(wanted: Wanted): Promise<Purchase>;
  /** The outcome recorded under a key, if there is one; a key used for another product is a conflict. */
  recorded(partnerId: number, key: string, productId: string): Promise<Purchase | undefined>;
}

const TWIN_POLL_MS = 50;

/** The part of a world a purchase needs. */
export type CheckoutWorld = Pick<World, 'db' | 'codes' | 'webhooks' | 'provisioning' | 'beforeRead'>;

export function openCheckout(world: CheckoutWorld, parts: { webhooks: Webhooks; log: Log }): Checkout {
  const { provisioning } = world;
  const charge = openLanes(world, parts);
  /** Orders this process is provisioning right now. */
  const inFlight = new Map<bigint, Promise<unknown>>();
  /** Orders whose outcome is being waited for: however many twins ask, one looks. */
  const awaited = new Map<bigint, Promise<Purchase>>();

  async function buy(wanted: Wanted): Promise<Purchase> {
    const charged = await charge(wanted);
    switch (charged.outcome) {
      case 'suspended':
        throw fail('partner_account_suspended', { billing_mode: charged.wallet.billingMode, status: 2 });
      case 'refused':
        throwShortfall(charged, wanted.price);
        return fresh(
          wanted,
          charged.orderId,
          charged.wallet,
          { state: 'failed', reason: charged.reason },
          charged.queueFull,
        );
      case 'recorded':
        return replay(charged, wanted.partnerId);
      case 'paid':
        return deliver(wanted, charged);
    }
  }

  async function deliver(wanted: Wanted, charged: Extract<Charged, { outcome: 'paid' }>): Promise<Purchase> {
    const { order, wallet, queueFull } = charged;
    const running = provisioning.provision(order, wanted.clock);
    inFlight.set(order.id, running);
    try {
      const standing = await running;
      const purchase = fresh(wanted, order.id, wallet, standing, queueFull);
      // A refund came back to the wallet.
      return standing.state === 'failed'
        ? { ...purchase, balance: await readBalance(world.db, wanted.partnerId) }
        : purchase;
    } catch (error) {
      // Paid and on record: the provisioning job brings it to its end, whatever went wrong here.
      parts.log.error(
        { err: error, orderId: order.id.toString() },
        'provisioning was interrupted; the job goes on with it',
      );
      return fresh(wanted, order.id, wallet, { state: 'paid', reason: '' }, queueFull);
    } finally {
      inFlight.delete(order.id);
    }
  }

  async function replay(charged: Extract<Charged, { outcome: 'recorded' }>, partnerId: number): Promise<Purchase> {
    const { orderId, wallet } = charged;
    if (!charged.sameProduct) throw fail('idempotency_key_conflict');
    if (charged.isOpen) {
      const { billingMode: billing_mode, outstanding } = wallet;
      throw fail('charge_incomplete', {
        order_id: Number(orderId),
        billing_mode,
        outstanding: centsToNumber(outstanding),
      });
    }
    await world.beforeRead(partnerId, [orderId]);
    await inFlight.get(orderId)?.catch(() => {});
    const looking = awaited.get(orderId) ?? asItStands(orderId).finally(() => awaited.delete(orderId));
    awaited.set(orderId, looking);
    return looking;
  }

  /** The order as recorded, once whoever is provisioning it (here or in another process) has had its time. */
  async function asItStands(orderId: bigint): Promise<Purchase> {
    const deadline = Date.now() + TWIN_WAIT_MS;
    for (;;) {
      const row = await world.db.one<RecordedRow>(sql`
        select o.id as "orderId", o.billing_mode as "billingMode", w.cash + w.promo as balance, o.status, o.delivery,
          o.delivery_reason as reason, o.product_id as "productId", o.product_title as "productTitle",
          o.product_price as "productPrice", o.sale_price as "salePrice", o.supplier_order as "supplierOrder",
          o.created_at as "createdAt"
        from orders o join wallets w using (partner_id) where o.id = ${orderId}`);
      const state = stateOf(row);
      if (state !== 'paid' || Date.now() > deadline) return { ...row, state, queueFull: false };
      await wait(TWIN_POLL_MS);
    }
  }

  return {
    buy,
    async recorded(partnerId, key, productId) {
      const row = await world.db.maybe<{ id: bigint; product_id: string; status: number }>(sql`
        select id, product_id, status from orders where partner_id = ${partnerId} and idempotency_key = ${key}`);
      if (!row) return undefined;
      const balance = await readWallet(world, partnerId);
      const sameProduct = row.product_id === productId;
      return replay(
        {
          outcome: 'recorded',
          orderId: row.id,
          sameProduct,
          isOpen: row.status === states.created.status,
          wallet: balance,
        },
        partnerId,
      );
    },
  };
}

type RecordedRow = Omit<Purchase, 'state' | 'queueFull'> & { status: number; delivery: string };

function readWallet(world: CheckoutWorld, partnerId: number): Promise<Balance> {
  return world.db.one<Balance>(sql`
    select billing_mode as "billingMode", cash + promo as spendable, outstanding, credit_limit as "creditLimit"
    from wallets where partner_id = ${partnerId}`);
}

function fresh(
  { plan, price, at }: Wanted,
  orderId: bigint,
  wallet: Balance,
  standing: { state: State; reason: string; supplierOrder?: string | null },
  queueFull: boolean,
): Purchase {
  return {
    orderId,
    billingMode: wallet.billingMode,
    balance: wallet.spendable,
    state: standing.state,
    reason: standing.reason,
    productId: plan.alias,
    productTitle: plan.title,
    productPrice: plan.listPrice,
    salePrice: price,
    supplierOrder: standing.supplierOrder ?? null,
    createdAt: at,
    queueFull,
  };
}

/** No room for the price: the failed order is on record, and the answer says what was missing. */
function throwShortfall(
  { shortfall, reason, orderId, wallet }: Extract<Charged, { outcome: 'refused' }>,
  price: Cents,
): void {
  const required = centsToNumber(price);
  const order_id = Number(orderId);
  const credit = {
    outstanding: centsToNumber(wallet.outstanding),
    credit_limit: centsToNumber(wallet.creditLimit),
    available: centsToNumber((wallet.creditLimit - wallet.outstanding) as Cents),
  };
  if (shortfall?.code === 'insufficient_balance') {
    throw fail('insufficient_balance', { balance: centsToNumber(shortfall.balance), required, order_id });
  }
  if (shortfall) throw fail('credit_limit_exceeded', { ...credit, required, order_id });
  if (reason === 'credit_charge_failed') {
    throw fail('credit_charge_failed', {
      billing_mode: 'postpaid',
      ...credit,
      required,
      order_id,
      reason: 'ledger_write_failed',
    });
  }
}
