import { type Cents, toMicros } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { columnsOf } from '../../../platform/db/query/columns.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Plan } from '../../catalog/catalog.ts';
import { offerOf } from '../../supply/routes/routes.ts';
import { type Attempt, type AttemptedPlan, orderAttempts } from './attempts.ts';
import { states } from './transitions.ts';

/** What an order keeps of its plan, and what is needed to order it from its supplier. */
export interface OrderedPlan
  extends Pick<
    Plan,
    'id' | 'alias' | 'title' | 'supplierPlan' | 'amountMb' | 'day' | 'isUnlimited' | 'data' | 'listPrice' | 'cost'
  > {
  readonly destination: Pick<Plan['destination'], 'code'>;
  readonly supplier: Pick<Plan['supplier'], 'slug'>;
}

export interface Ordered {
  readonly partnerId: number;
  readonly keyId?: number | undefined;
  readonly requestId?: string;
  readonly plan: OrderedPlan;
  /** Set: another supplier than the plan's own is asked first. */
  readonly start?: { readonly offer: AttemptedPlan; readonly reason: string } | undefined;
  readonly price: Cents;
  readonly key: string | undefined;
  /** The partner's own reference; empty: none. */
  readonly reference: string;
  /** Set: the plan is a refill of the eSIM of this earlier order. Otherwise the order delivers a new one. */
  readonly refillOf?: { readonly orderId: bigint; readonly iccid: string } | undefined;
  readonly at: Date;
  /** What a scripted supplier is to play; stored with the order. */
  readonly script?: unknown;
  /** The request that orders it, for traces. */
  readonly cause?: string | undefined;
}

/** An order as it is first written: paid, or failed. */
interface PlacedOrder {
  readonly orderId: bigint;
  /** The batch it is a member of, by its first order. */
  readonly batchId?: bigint | undefined;
  readonly wanted: Ordered;
  readonly wallet: { readonly billingMode: string };
  /** Why it fails; empty: it is paid. */
  readonly reason: string;
  readonly eventsAhead: readonly string[];
  /** When provisioning takes over if its purchase does not finish it. */
  readonly dueAt: Date;
}

const isPaid = ({ reason }: PlacedOrder): boolean => reason === '';
const stateOf = (order: PlacedOrder) => (isPaid(order) ? states.paid : states.failed);

const columns = columnsOf<PlacedOrder>()({
  id: ['bigint', ({ orderId }) => orderId],
  partner_id: ['int', ({ wanted }) => wanted.partnerId],
  key_id: ['int', ({ wanted }) => wanted.keyId ?? null],
  request_id: ['uuid', ({ wanted }) => wanted.requestId ?? null],
  idempotency_key: ['text', ({ wanted }) => wanted.key ?? null],
  reference: ['text', ({ wanted }) => wanted.reference],
  batch_id: ['bigint', ({ batchId }) => batchId ?? null],
  refill_of: ['bigint', ({ wanted }) => wanted.refillOf?.orderId ?? null],
  iccid: ['text', ({ wanted }) => wanted.refillOf?.iccid ?? null],
  plan_id: ['int', ({ wanted }) => wanted.plan.id],
  product_id: ['text', ({ wanted }) => wanted.plan.alias],
  status: ['smallint', (order) => stateOf(order).status],
  delivery: ['text', (order) => stateOf(order).delivery],
  delivery_reason: ['text', ({ reason }) => reason],
  billing_mode: ['text', ({ wallet }) => wallet.billingMode],
  product_price: ['bigint', ({ wanted }) => wanted.plan.listPrice],
  sale_price: ['bigint', ({ wanted }) => wanted.price],
  cost_micros: ['bigint', ({ wanted: { plan, start } }) => start?.offer.cost ?? plan.cost ?? toMicros(0n)],
  product_title: ['text', ({ wanted }) => wanted.plan.title],
  data: ['text', ({ wanted }) => wanted.plan.data],
  amount_mb: ['int', ({ wanted }) => wanted.plan.amountMb],
  day: ['int', ({ wanted }) => wanted.plan.day],
  is_unlimited: ['boolean', ({ wanted }) => wanted.plan.isUnlimited],
  country_code: ['text', ({ wanted }) => wanted.plan.destination.code],
  supplier: ['text', ({ wanted: { plan, start } }) => start?.offer.supplier ?? plan.supplier.slug],
  supplier_plan: ['text', ({ wanted: { plan, start } }) => start?.offer.supplierPlan ?? plan.supplierPlan],
  script: ['jsonb', ({ wanted }) => (wanted.script === undefined ? null : JSON.stringify(wanted.script))],
  created_at: ['timestamptz', ({ wanted }) => wanted.at],
  paid_at: ['timestamptz', (order) => (isPaid(order) ? order.wanted.at : null)],
  failed_at: ['timestamptz', (order) => (isPaid(order) ? null : order.wanted.at)],
  provision_due_at: ['timestamptz', (order) => (isPaid(order) ? order.dueAt : null)],
  traceparent: ['text', ({ wanted }) => wanted.cause ?? null],
  events_ahead: ['text', ({ eventsAhead }) => eventsAhead.join(), `string_to_array(events_ahead, ',')`],
});

/** Suppliers that were skipped before the first call. Empty: none. */
export function startingAttempts({ plan, start, at }: Pick<Ordered, 'plan' | 'start' | 'at'>): Attempt[] {
  if (!start) return [];
  return [
    { ...offerOf(plan), position: 1, number: null, outcome: 'passed_over', reason: start.reason, at },
    { ...start.offer, position: 2, number: 1, outcome: 'asked', reason: '', at },
  ];
}

const insertRows = columns.statement(sql`
  insert into orders (${columns.names}) overriding system value
  select ${columns.stored} from ${columns.unnested} order by id`);

export async function insertOrders(tx: Tx, placed: readonly PlacedOrder[]): Promise<void> {
  if (placed.length === 0) return;
  const attempts = placed.flatMap((order) =>
    isPaid(order) && order.wanted.start
      ? startingAttempts(order.wanted).map((attempt) => ({ ...attempt, orderId: order.orderId }))
      : [],
  );
  await Promise.all([tx.run(insertRows(placed)), orderAttempts.insert(tx, attempts)]);
}

/** The id of a new order, as part of a statement. */
export const newOrderId = sql`nextval('orders_id_seq')`;

/** Their events did not all fit, so their later ones are not sent either. */
export async function keepQuiet(tx: Tx, orderIds: ReadonlySet<bigint>): Promise<void> {
  if (orderIds.size === 0) return;
  await tx.run(sql`update orders set is_quiet = true, events_ahead = '{}' where id = any(${[...orderIds]}::bigint[])`);
}
