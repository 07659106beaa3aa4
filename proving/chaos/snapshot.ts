import type { TriedRow } from './events.ts';
import type { Site } from './site.ts';

/** What is on record, read at one moment. Amounts in cents. */
export interface Snapshot {
  readonly orders: readonly OrderRow[];
  readonly wallets: readonly WalletRow[];
  readonly topups: readonly { readonly world: string; readonly key: string; readonly status: string }[];
  /** Movements with a note of the operator's. */
  readonly notes: readonly { readonly id: number; readonly note: string }[];
  readonly shares: readonly ShareRow[];
  /** By number, the oldest first. */
  readonly replacements: readonly ReplacementRow[];
  readonly phones: readonly PhoneRow[];
  /** The rules by which eSIMs refill themselves, also those that have ended. */
  readonly rules: readonly RuleRow[];
  /** How often help was asked for with each eSIM. */
  readonly helps: readonly { readonly world: 'live' | 'sandbox'; readonly orderId: number; readonly count: number }[];
  readonly budgets: readonly { readonly partnerId: number; readonly cents: number }[];
  readonly items: readonly ItemRow[];
  readonly products: readonly ProductRow[];
  readonly keys: readonly { readonly id: number; readonly revoked: boolean }[];
  /** The attempts at live subscriptions that are disabled. A reset of a sandbox removes its part of the log. */
  readonly tried: readonly TriedRow[];
}

export interface OrderRow {
  readonly world: 'live' | 'sandbox';
  readonly id: number;
  readonly partnerId: number;
  readonly productId: string;
  readonly key: string | null;
  readonly status: number;
  readonly delivery: string;
  readonly reason: string;
  readonly billing: 'prepaid' | 'postpaid';
  readonly list: number;
  readonly price: number;
  readonly paid: boolean;
  /** The amount refunded according to the ledger. */
  readonly refunded: number;
  readonly refund: 'requested' | 'refunded' | 'rejected' | 'withdrawing' | null;
  readonly withdrawn: boolean;
  readonly supplier: string;
  readonly code: string;
  readonly cost: number;
  readonly iccid: string | null;
  readonly isRefill: boolean;
  /** The order of the eSIM it refills. */
  readonly refillOf: number | null;
  readonly cancel: 'none' | 'requested' | 'cancelled' | 'too_late';
}

export interface WalletRow {
  readonly world: 'live' | 'sandbox';
  readonly partnerId: number;
  readonly billing: 'prepaid' | 'postpaid';
  readonly creditLimit: number;
  readonly suspended: boolean;
  readonly balance: number;
  readonly debt: number;
}

export interface ShareRow {
  readonly orderId: number;
  readonly amount: number;
  readonly fromDebt: number;
  readonly toWallet: number;
}

export interface ReplacementRow {
  readonly world: 'live' | 'sandbox';
  readonly id: number;
  readonly oldOrderId: number;
  readonly orderId: number | null;
  readonly key: string;
  readonly status: 'requested' | 'pending' | 'replaced' | 'rejected';
  /** What is booked, and what its order costs. In millionths of a dollar. */
  readonly cost: number | null;
  readonly orderCost: number | null;
  readonly became: 'withdrawn' | 'suspended' | 'left' | null;
}

/** What is known of an eSIM beside its order. */
export interface PhoneRow {
  readonly world: 'live' | 'sandbox';
  readonly orderId: number;
  readonly isSuspended: boolean;
  readonly switches: number;
  /** What its phone shows; null: nothing was told. */
  readonly profile: string | null;
}

export interface RuleRow {
  readonly world: 'live' | 'sandbox';
  /** Of the eSIM. */
  readonly orderId: number;
  readonly product: string;
  readonly atPercent: number;
  readonly times: number;
  readonly done: number;
  readonly maxPrice: number;
  readonly stopped: 'price' | 'money' | 'limit' | 'product' | 'done' | null;
  readonly isEnded: boolean;
  /** Counts the rules of its eSIM. */
  readonly version: number;
  /** The number of its next order. */
  readonly n: number;
  readonly crossedMb: number | null;
  /** A refill is being bought. */
  readonly isDue: boolean;
}

export interface ItemRow {
  readonly iccid: string;
  readonly state: 'available' | 'sold' | 'returned' | 'discarded';
  readonly reference: string | null;
}

interface ProductRow {
  readonly alias: string;
  readonly list: number;
  readonly onSale: boolean;
  readonly behaviour: string;
}

const ofBothWorlds = (select: (world: string) => string) => `${select('live')} union all ${select('sandbox')}`;

export interface Wanted {
  readonly products: readonly string[];
  /** Undefined: everything there is. */
  readonly only: Only | undefined;
}

/** What may have changed since the last time. */
export interface Only {
  readonly orders: {
    /** Those of each world after a number, */
    readonly after: Readonly<Record<string, number>>;
    /** these, */
    readonly these: readonly number[];
    /** and all there are in the sandboxes of these partners. */
    readonly sandboxesOf: readonly number[];
  };
  /** The keys of payments. */
  readonly topups: readonly string[];
  readonly movementsAfter: number;
}

export function takeSnapshot(site: Site, { products, only }: Wanted): Promise<Snapshot> {
  return site.snapshot(async (client) => {
    const rows = async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[];
    const orders = await rows<OrderRow>(
      ofBothWorlds(
        (world) => `
        select '${world}' as world, id::int, partner_id as "partnerId", product_id as "productId", idempotency_key as key,
          status::int, delivery, delivery_reason as reason, billing_mode as billing, product_price::int as list,
          sale_price::int as price, paid_at is not null as paid, withdrawn_at is not null as withdrawn,
          coalesce(cancel_status, 'none') as cancel, supplier, supplier_plan as code, cost_micros::int as cost, iccid,
          refill_of is not null as "isRefill", refill_of::int as "refillOf",
          (select coalesce(sum(abs(amount)), 0)::int from ${world}.movements where order_id = orders.id and type = 'refund') as refunded,
          (select refunds.status from ${world}.refunds where order_id = orders.id) as refund
        from ${world}.orders where $1::int[] is null or id > ($2::jsonb ->> '${world}')::bigint or id = any($1)
          or ('${world}' = 'sandbox' and partner_id = any($3::int[]))`,
      ),
      [only?.orders.these ?? null, JSON.stringify(only?.orders.after ?? {}), only?.orders.sandboxesOf ?? []],
    );
    return {
      orders,
      wallets: await rows(
        ofBothWorlds(
          (world) => `
          select '${world}' as world, partner_id as "partnerId", billing_mode as billing, credit_limit::int as "creditLimit",
            status = 2 as suspended, (cash + promo)::int as balance, outstanding::int as debt from ${world}.wallets`,
        ),
      ),
      topups: await rows(
        ofBothWorlds(
          (world) => `select '${world}' as world, payment_key as key, status from ${world}.topups
            where $1::text[] is null or payment_key = any($1)`,
        ),
        [only?.topups ?? null],
      ),
      notes: await rows("select id::int, note from live.movements where id > $1 and note like 'chaos %'", [
        only?.movementsAfter ?? 0,
      ]),
      shares: await rows(`
        select order_id::int as "orderId", amount::int, settle_debt::int as "fromDebt", settle_wallet::int as "toWallet"
        from live.revenue_shares where status = 'settled'`),
      replacements: await rows(
        `${ofBothWorlds(
          (world) => `
          select '${world}' as world, esim_replacements.id::int, old_order_id::int as "oldOrderId", order_id::int as "orderId",
            esim_replacements.idempotency_key as key, esim_replacements.status,
            esim_replacements.cost_micros::int as cost, orders.cost_micros::int as "orderCost", old_esim as became
          from ${world}.esim_replacements left join ${world}.orders on orders.id = order_id`,
        )} order by id`,
      ),
      phones: await rows(
        ofBothWorlds(
          (world) => `
          select '${world}' as world, order_id::int as "orderId", suspended_at is not null as "isSuspended", switches, state as profile
          from ${world}.esim_profiles`,
        ),
      ),
      rules: await rows(
        ofBothWorlds(
          (world) => `
          select '${world}' as world, order_id::int as "orderId", product_id as product, at_percent as "atPercent", times, done,
            max_price::int as "maxPrice", stopped, ended_at is not null as "isEnded", version, n, crossed_mb as "crossedMb",
            due_at is not null as "isDue"
          from ${world}.autorefills`,
        ),
      ),
      helps: await rows(
        ofBothWorlds(
          (world) => `
          select '${world}' as world, order_id::int as "orderId", count(*)::int as count from ${world}.help_requests group by order_id`,
        ),
      ),
      budgets: await rows('select id as "partnerId", replacement_budget::int as cents from shared.partners'),
      items: await rows('select iccid, state, reference from live.stock_items'),
      products: await rows(
        `select alias, list_price::int as list, on_sale as "onSale", coalesce(behaviour, 'deliver') as behaviour
        from shared.plans join shared.suppliers on suppliers.id = supplier_id
        left join simulated.behaviours on plan = slug || '/' || supplier_plan where alias = any($1)`,
        [products],
      ),
      tried: await rows(`
        select subscription.id::int as subscription, extract(epoch from held_since)::float8 * 1000 as "disabledAt",
          extract(epoch from tried.started_at)::float8 * 1000 as from,
          extract(epoch from tried.started_at)::float8 * 1000 + tried.duration_ms as to,
          tried.error = '' and coalesce(tried.http_code between 200 and 299, false) as succeeded
        from live.webhook_subscriptions as subscription
        join live.webhook_deliveries as delivery on delivery.subscription_id = subscription.id
        join live.webhook_attempts as tried on tried.delivery_id = delivery.id
        where subscription.status = 3`),
      keys: await rows('select id, revoked_at is not null as revoked from shared.api_keys'),
    };
  });
}
