import type { Plan } from '../catalog/catalog.ts';
import type { Clock } from '../clock.ts';
import { isConnectionError, type Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Funds, fundsOf, type Shortfall } from '../money/funds.ts';
import { apply, lockWallets, type Movement, post, spendable, type Transfer, type Wallet } from '../money/ledger.ts';
import { type Cents, toMicros, ZERO } from '../money/money.ts';
import { states } from '../orders/transitions.ts';
import type { EventsAhead, OrderEvent, OrderEventName, Published } from '../webhooks/webhooks.ts';
import type { PaidOrder } from './provision.ts';

/** One purchase asked for, everything about it already checked but the money. */
export interface Wanted {
  readonly partnerId: number;
  readonly plan: Plan;
  /** What the partner is charged. */
  readonly price: Cents;
  readonly key: string | undefined;
  readonly at: Date;
  /** The order fails with this reason and is never charged: a scenario a world plays. */
  readonly refuse?: string | undefined;
  /** What a scripted supplier is to play; kept with the order. */
  readonly script?: unknown;
  /** Events the order is sure to send once paid, where a limit counts them. */
  readonly eventsAhead?: readonly OrderEventName[] | undefined;
  /** The buyer's time as it goes on. */
  readonly clock?: Clock;
}

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

export interface Balance {
  readonly billingMode: Wallet['billingMode'];
  readonly spendable: Cents;
  readonly outstanding: Cents;
  readonly creditLimit: Cents;
}

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
  publish(tx: Tx, events: readonly OrderEvent[], ahead: EventsAhead): Promise<Published>;
  firstDueAt(paidAt: Date): Date;
}

interface Recorded {
  id: bigint;
  partnerId: number;
  key: string;
  productId: string;
  status: number;
}

interface Decision {
  readonly wanted: Wanted;
  readonly funds: Funds;
  /** Empty when nothing is charged. */
  readonly transfers: readonly Transfer[];
  readonly reason: string;
  readonly shortfall: Shortfall | undefined;
  readonly wallet: Balance;
  readonly orderId: bigint;
}

/**
 * Transaction 1 of a purchase, for any number of purchases at once: key, order, charge, transfers and events are written
 * together or not at all. The wallet's lock comes first and every purchase of a partner takes it, so what follows (the key's
 * earlier outcome, the credit left) cannot change under it.
 */
export async function chargeAll(
  tx: Tx,
  parts: ChargeParts,
  batch: readonly Wanted[],
  options: { wait: boolean },
): Promise<Charged[]> {
  const partnerIds = [...new Set(batch.map(({ partnerId }) => partnerId))];
  // Started together, run in this order: the keys are read once the wallets are held.
  const [wallets, recorded, orderIds] = await Promise.all([
    lockWallets(tx, partnerIds, { skipLocked: !options.wait }),
    recordedUnder(tx, batch),
    takeOrderIds(tx, batch.length),
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
    parts.publish(tx, decisions.flatMap(eventsOf), ahead),
    insertOrders(tx, parts, decisions),
    writeCharges(tx, wallets, decisions),
  ]);
  await keepQuiet(tx, refusedOrders);
  return decided.map((one) => ('outcome' in one ? one : outcomeOf(one, refusedOrders.has(one.orderId))));
}

/** What the order will send after this transaction. */
const aheadOf = ({ wanted, reason }: Decision): readonly OrderEventName[] =>
  (reason === '' && wanted.eventsAhead) || [];

/** Their events did not all fit: what comes later is not sent either. */
async function keepQuiet(tx: Tx, orderIds: ReadonlySet<bigint>): Promise<void> {
  if (orderIds.size === 0) return;
  await tx.run(sql`update orders set is_quiet = true, events_ahead = '{}' where id = any(${[...orderIds]}::bigint[])`);
}

const keyName = (partnerId: number, key: string): string => `${partnerId} ${key}`;

async function recordedUnder(tx: Tx, batch: readonly Wanted[]): Promise<Map<string, Recorded>> {
  const keyed = batch.filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return new Map();
  const rows = await tx.query<Recorded>(sql`
    select o.id, o.partner_id as "partnerId", o.idempotency_key as key, o.product_id as "productId", o.status
    from unnest(${keyed.map(({ partnerId }) => partnerId)}::int[], ${keyed.map(({ key }) => key)}::text[]) as asked (partner_id, key)
    join orders o on o.partner_id = asked.partner_id and o.idempotency_key = asked.key collate "C"`);
  return new Map(rows.map((row) => [keyName(row.partnerId, row.key), row]));
}

/** One for each purchase that may become an order; what is not used is a gap nobody misses. */
async function takeOrderIds(tx: Tx, count: number): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(
    sql`select nextval('orders_id_seq') as id from generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => id);
}

/** Pays from the running balances, so that the next purchase of the same wallet sees what this one left. */
function decide(wanted: Wanted, wallet: Wallet, orderId: bigint): Decision {
  const funds = fundsOf(wallet);
  const charge = wanted.refuse === undefined ? funds.charge(wallet, wanted.price) : [];
  const shortfall = 'code' in charge ? charge : undefined;
  const transfers = 'code' in charge ? [] : charge;
  const reason = wanted.refuse ?? shortfall?.code ?? '';
  for (const transfer of transfers) apply(wallet, transfer);
  return { wanted, funds, transfers, reason, shortfall, wallet: balanceOf(wallet), orderId };
}

const balanceOf = (wallet: Wallet): Balance => ({
  billingMode: wallet.billingMode,
  spendable: spendable(wallet),
  outstanding: wallet.outstanding,
  creditLimit: wallet.creditLimit,
});

const failed = ({ reason }: Decision): boolean => reason !== '';

async function insertOrders(tx: Tx, parts: ChargeParts, decisions: readonly Decision[]): Promise<void> {
  if (decisions.length === 0) return;
  const column = <T>(value: (decision: Decision) => T): T[] => decisions.map(value);
  const state = (decision: Decision) => (failed(decision) ? states.failed : states.paid);
  await tx.run(sql`
    insert into orders (id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, events_ahead)
    overriding system value
    select id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, string_to_array(ahead, ',')
    from unnest(
      ${column(({ orderId }) => orderId)}::bigint[], ${column(({ wanted }) => wanted.partnerId)}::int[],
      ${column(({ wanted }) => wanted.key ?? null)}::text[],
      ${column(({ wanted }) => wanted.plan.id)}::int[], ${column(({ wanted }) => wanted.plan.alias)}::text[],
      ${column((decision) => state(decision).status)}::smallint[], ${column((decision) => state(decision).delivery)}::text[],
      ${column(({ reason }) => reason)}::text[], ${column(({ wallet }) => wallet.billingMode)}::text[],
      ${column(({ wanted }) => wanted.plan.listPrice)}::bigint[], ${column(({ wanted }) => wanted.price)}::bigint[],
      ${column(({ wanted }) => wanted.plan.cost ?? toMicros(0n))}::bigint[], ${column(({ wanted }) => wanted.plan.title)}::text[],
      ${column(({ wanted }) => wanted.plan.data)}::text[], ${column(({ wanted }) => wanted.plan.amountMb)}::int[],
      ${column(({ wanted }) => wanted.plan.day)}::int[], ${column(({ wanted }) => wanted.plan.isUnlimited)}::boolean[],
      ${column(({ wanted }) => wanted.plan.destination.code)}::text[], ${column(({ wanted }) => wanted.plan.supplier.slug)}::text[],
      ${column(({ wanted }) => wanted.plan.supplierPlan)}::text[],
      ${column(({ wanted }) => (wanted.script === undefined ? null : JSON.stringify(wanted.script)))}::jsonb[],
      ${column(({ wanted }) => wanted.at)}::timestamptz[],
      ${column((decision) => (failed(decision) ? null : decision.wanted.at))}::timestamptz[],
      ${column((decision) => (failed(decision) ? decision.wanted.at : null))}::timestamptz[],
      ${column((decision) => (failed(decision) ? null : parts.firstDueAt(decision.wanted.at)))}::timestamptz[],
      ${column((decision) => aheadOf(decision).join())}::text[]
    ) as line (id, partner_id, idempotency_key, plan_id, product_id, status, delivery, delivery_reason, billing_mode,
      product_price, sale_price, cost_micros, product_title, data, amount_mb, day, is_unlimited, country_code,
      supplier, supplier_plan, script, created_at, paid_at, failed_at, provision_due_at, ahead)
    order by id`);
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

function eventsOf({ wanted, orderId, reason }: Decision): OrderEvent[] {
  const of = { partnerId: wanted.partnerId, orderId, iccid: '', qrCode: '', occurredAt: wanted.at.getTime() };
  const created: OrderEvent = { ...of, event: 'order.created', delivery: '', deliveryReason: '' };
  const next: OrderEvent =
    reason === ''
      ? { ...of, event: 'order.paid', delivery: '', deliveryReason: '' }
      : { ...of, event: 'order.failed', delivery: 'failed', deliveryReason: reason };
  return [created, next];
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
    attempts: 0,
    script: script ?? null,
  };
  return { outcome: 'paid', order, wallet, queueFull };
}
