import { randomBytes } from 'node:crypto';
import { importCatalog } from '../../../src/domains/catalog/import/import-list.ts';
import { lockWallets, post } from '../../../src/domains/money/ledger/transfers.ts';
import type { PaidOrder } from '../../../src/domains/sales/purchase/supplier-calls.ts';
import { toCents, toMicros } from '../../../src/platform/amounts/cents.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { World } from '../../../src/worlds/world.ts';
import type { TestApp } from '../program/app.ts';

export interface TestPlan {
  readonly id: number;
  readonly alias: string;
  readonly code: string;
}

/** One plan of a simulated supplier, on sale in France. */
export async function testPlan(t: TestApp, special: Record<string, unknown> = {}): Promise<TestPlan> {
  const code = `fr-${randomBytes(4).toString('hex')}`;
  const plan = {
    code,
    destination: 'FR',
    title: '1 GB 7 days',
    amount: 1024,
    day: 7,
    network_type: '4G',
    price: 10,
    cost: 4,
  };
  const europe = { code: 'europe', scope: 'regional', title: 'Europe', slug: 'europe' };
  const france = { code: 'FR', scope: 'country', title: 'France', slug: 'france', region: 'europe' };
  await t.base.db.tx((tx) =>
    importCatalog(
      tx,
      {
        supplier: { slug: 'aurora', title: 'Aurora', kind: 'simulated' },
        full: false,
        destinations: [europe, france].map((entry, line) => ({ entry, line })),
        plans: [{ entry: { ...plan, ...special }, line: 1 }],
      },
      t.base.vault.sign,
    ),
  );
  return t.base.db.one<TestPlan>(sql`select id, alias, supplier_plan as code from plans where supplier_plan = ${code}`);
}

export interface Bought {
  readonly partnerId: number;
  readonly plan: TestPlan;
  readonly world?: World;
  readonly supplier?: string;
  readonly script?: unknown;
}

export const PRICE = toCents(900n);
/** Of the price, what the wallet pays from promo money. */
export const PROMO = toCents(200n);

/** An order just after its payment, charged as its partner pays: what provisioning starts from. */
export async function paidOrder(t: TestApp, bought: Bought): Promise<PaidOrder> {
  const { partnerId, plan, world = t.base.worlds.live, supplier = 'aurora', script = null } = bought;
  const at = new Date(t.clock.now());
  const dueAt = world.provisioning.firstDueAt(at);
  return world.db.tx(async (tx) => {
    const wallets = await lockWallets(tx, [partnerId]);
    const mode = wallets.get(partnerId)?.billingMode ?? 'prepaid';
    const row = await tx.one<{ id: bigint }>(sql`
      insert into orders (partner_id, plan_id, product_id, status, billing_mode, product_price, sale_price, cost_micros,
        product_title, data, amount_mb, day, is_unlimited, country_code, supplier, supplier_plan, provision_due_at, script,
        created_at, paid_at)
      values (${partnerId}, ${plan.id}, ${plan.alias}, 4, ${mode}, 1000, ${PRICE}, 4000000, '1 GB 7 days', '1 GB', 1024, 7,
        false, 'FR', ${supplier}, ${plan.code}, ${dueAt}, ${script === null ? null : JSON.stringify(script)}::jsonb,
        ${at}, ${at})
      returning id`);
    const line = { partnerId, orderId: row.id, at };
    const paid = toCents(PRICE - PROMO);
    if (mode === 'postpaid') {
      const charge = [{ debit: 'receivable', credit: 'revenue', amount: PRICE } as const];
      await post(tx, wallets, [{ ...line, book: 'debt', type: 'charge', transfers: charge }]);
    } else {
      const topup = { debit: 'bank_clearing', credit: 'cash', amount: paid } as const;
      const promo = { debit: 'promo_expense', credit: 'promo', amount: PROMO } as const;
      await post(tx, wallets, [
        { partnerId, at, book: 'wallet', type: 'topup', transfers: [topup] },
        { partnerId, at, book: 'wallet', type: 'promo', transfers: [promo] },
        {
          ...line,
          book: 'wallet',
          type: 'purchase',
          transfers: [
            { debit: 'promo', credit: 'revenue', amount: PROMO },
            { debit: 'cash', credit: 'revenue', amount: paid },
          ],
        },
      ]);
    }
    return {
      id: row.id,
      partnerId,
      reference: '',
      refillOf: null,
      state: 'paid',
      productId: plan.alias,
      price: PRICE,
      number: 1,
      attempted: [],
      supplier,
      supplierPlan: plan.code,
      supplierOrder: null,
      amountMb: 1024,
      day: 7,
      cost: toMicros(4_000_000n),
      paidAt: at,
      orderedAt: at,
      attempts: 0,
      script,
    };
  });
}
