import { type Cents, centsToMicros } from '../../../platform/amounts/cents.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { lockWallets, type Wallet } from '../../money/ledger/ledger.ts';
import type { Esim } from '../esims/esims.ts';
import type { paidOrderOf } from '../purchase/purchase.ts';
import { type NotReplaceable, whyNotReplaceable } from './eligibility.ts';
import { expectedCost, type Placement, placeReplacement, planOf, type ReplacementRoutes } from './place.ts';
import { budgetUse, type Replacement, replacementRows } from './rows.ts';

/** A request to replace an eSIM. */
export interface ReplaceRequest {
  readonly partnerId: number;
  readonly iccid: string;
  /** The idempotency key. */
  readonly key: string;
  readonly reason: string;
  /** The account's time. */
  readonly at: Date;
  readonly by: 'partner' | 'traveller';
  /** Without them the order is left to the provisioning job, and the request is answered as pending. */
  readonly routes?: ReplacementRoutes | undefined;
  /** The call that asks. */
  readonly call?: Placement['by'];
}

export type Opened =
  | { readonly outcome: 'not_found' | 'key_conflict' }
  | { readonly outcome: 'not_replaceable'; readonly why: NotReplaceable }
  /** Nothing to do now: it was requested before, or waits for the operator. */
  | { readonly outcome: 'on_record'; readonly replacement: Replacement }
  | { readonly outcome: 'placed'; readonly replacement: Replacement; readonly order: ReturnType<typeof paidOrderOf> };

/** What a world decides about replacements. */
export interface ReplacementTerms {
  readonly webhooks: Pick<Webhooks, 'publish'>;
  /** When an order placed at a time becomes due for the provisioning job. */
  firstDueAt(at: Date): Date;
  /** What the new order plays, by the script of the old one. Nothing in a world without scripts. */
  scriptOf(script: unknown): Pick<Placement, 'script' | 'eventsAhead'>;
}

interface Facts {
  readonly isRefunded: boolean;
  /** What was paid for the first eSIM, however often it was replaced. */
  readonly price: Cents;
  /** A refill of it was bought, and was delivered or is on its way. */
  readonly isRefilled: boolean;
  /** It is a replacement itself. */
  readonly isReplacement: boolean;
  readonly reference: string;
  readonly script: unknown;
}

/**
 * Records the request and, if nobody has to decide, places the order. It holds the wallet, as every purchase and every refund does: so
 * an eSIM is replaced once, no refund comes in between, and the month's budget is spent by one request at a time.
 */
export async function openReplacement(
  tx: Tx,
  terms: ReplacementTerms,
  wanted: ReplaceRequest,
  esim: Esim,
): Promise<Opened> {
  const { partnerId, key, reason, at, by } = wanted;
  const wallet = (await lockWallets(tx, [partnerId])).get(partnerId);
  const known = await replacementRows.byKey(tx, partnerId, key);
  if (known) return ofKey(known, wanted);
  const facts = await factsOf(tx, esim.orderId);
  // Its world was reset meanwhile.
  if (!wallet || !facts) return { outcome: 'not_found' };
  const earlier = await replacementRows.ofOld(tx, esim.orderId);
  if (earlier?.status === 'requested') return { outcome: 'on_record', replacement: earlier };
  const why = whyNotReplaceable({ ...esim, isRefunded: facts.isRefunded, replacement: earlier?.status ?? null });
  if (why) return { outcome: 'not_replaceable', why };
  const { id } = await tx.one<{ id: bigint }>(sql`
    insert into esim_replacements
      (partner_id, old_order_id, old_iccid, idempotency_key, reason, requested_by, status, price, requested_at)
    values (${partnerId}, ${esim.orderId}, ${esim.iccid}, ${key}, ${reason}, ${by}, 'requested', ${facts.price}, ${at})
    returning id`);
  // A replacement gives the plan alone, so a person looks at what was added; also at what was replaced or rejected before.
  const needsPerson = facts.isReplacement || earlier !== undefined || facts.isRefilled;
  const placement = needsPerson ? undefined : await withinBudget(tx, terms, wallet, wanted, { id, esim, facts });
  if (!placement) return { outcome: 'on_record', replacement: await requireRow(tx, id) };
  const order = await placeReplacement(tx, terms, wallet, placement);
  return { outcome: 'placed', replacement: await requireRow(tx, id), order };
}

/** A key may be sent again only for the same eSIM. */
export const ofKey = (replacement: Replacement, { iccid }: Pick<ReplaceRequest, 'iccid'>): Opened =>
  replacement.oldIccid === iccid ? { outcome: 'on_record', replacement } : { outcome: 'key_conflict' };

async function requireRow(tx: Tx, id: bigint): Promise<Replacement> {
  const row = await replacementRows.byId(tx, id);
  if (!row) throw new Error(`replacement ${id} is gone`);
  return row;
}

/** What its order says; undefined: there is no such order. The caller holds the wallet. */
export const factsOf = (tx: Tx, orderId: bigint): Promise<Facts | undefined> =>
  tx.maybe(sql`
    select orders.withdrawn_at is not null or orders.cancel_due_at is not null
        or (orders.sale_price > 0 and orders.refunded >= orders.sale_price)
        or exists (select from refunds where refunds.order_id = orders.id and refunds.status in ('withdrawing', 'requested'))
        as "isRefunded",
      exists (select from orders refill where refill.refill_of = orders.id and refill.status <> 2) as "isRefilled",
      coalesce(former.price, orders.sale_price) as price, former.id is not null as "isReplacement", orders.reference, orders.script
    from orders left join esim_replacements former on former.order_id = orders.id where orders.id = ${orderId}`);

/** Undefined: the operator has to decide, because of the budget or because what it costs is not known. */
async function withinBudget(
  tx: Tx,
  terms: ReplacementTerms,
  wallet: Wallet,
  { partnerId, routes, call, at }: ReplaceRequest,
  { id, esim, facts }: { readonly id: bigint; readonly esim: Esim; readonly facts: Facts },
): Promise<Placement | undefined> {
  const sold = await planOf(tx, esim.orderId);
  if (!sold?.isOnSale || wallet.suspended) return undefined;
  const { plan } = sold;
  const { price } = facts;
  const start = routes?.start({ productId: plan.alias, price });
  const cost = expectedCost(plan, start);
  const { budget, spent } = await budgetUse(tx, partnerId, at);
  if (!cost || spent + cost > centsToMicros(budget)) return undefined;
  const dueAt = routes ? terms.firstDueAt(at) : at;
  const { reference } = esim;
  return {
    replacementId: id,
    partnerId,
    plan,
    price,
    reference,
    ...terms.scriptOf(esim.script),
    start,
    by: call,
    dueAt,
    at,
  };
}
