import { centsOf, dollars } from './money.ts';
import { openFrom } from './open.ts';
import { type Shop, sweep } from './orders.ts';
import { type Difference, differences, type Listed, type Movement } from './reconcile.ts';
import { WayfareError } from './sdk.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Top-ups, corrections and shares of unused data are not about an order of ours. */
const ORDER_MOVEMENTS: readonly string[] = ['purchase', 'charge', 'refund'];

export interface Report {
  readonly from: string;
  readonly to: string;
  readonly orders: number;
  readonly chargedCents: number;
  readonly refundedCents: number;
  readonly differences: readonly Difference[];
}

/** Compares the shop's records with Wayfare's books, for what happened in a time. */
export async function reconcile(shop: Shop, from: string, to: string): Promise<Report> {
  // First finish what can be finished, so that only real differences are left.
  await sweep(shop, Number.MAX_SAFE_INTEGER);
  const ledger = await ledgerOf(shop);
  const movements = await ledger({ from, to });
  const listed = await listedOrders(shop, { from, to });
  const ids = [...movements, ...listed].map(({ reference }) => reference);
  const ours = new Map(shop.store.touched(from, to).map((order) => [order.id, order]));
  for (const id of ids) {
    const order = shop.store.order(id);
    if (order) ours.set(id, order);
  }
  // An order of today may be refunded tomorrow: those that do not agree are compared again with all their movements.
  const suspects = new Set(differences([...ours.values()], movements, listed).map(({ order }) => order));
  const settled = movements.filter(({ reference }) => !suspects.has(reference) || !ours.has(reference));
  for (const id of suspects) if (ours.has(id)) settled.push(...(await ledger({ reference: id })));
  const sum = (sign: 1 | -1) => movements.reduce((total, { cents }) => total + Math.max(0, sign * cents), 0);
  const found = differences([...ours.values()], settled, listed);
  const report = { from, to, orders: ours.size, chargedCents: sum(-1), refundedCents: sum(1), differences: found };
  shop.store.keep('report', JSON.stringify(report));
  return report;
}

type Which = { readonly from: string; readonly to: string } | { readonly reference: string };

/** Reads charges and refunds page by page. An account on invoice terms has them in its statement, with the opposite sign. */
async function ledgerOf({ wayfare: { account } }: Shop): Promise<(which: Which) => Promise<Movement[]>> {
  const isOnInvoice = await account.statement({ limit: 1 }).then(
    ({ billing_mode }) => billing_mode === 'postpaid',
    (error) => {
      // Never on invoice terms.
      if (error instanceof WayfareError && error.code === 'partner_account_not_found') return false;
      throw error;
    },
  );
  const [all, sign] = isOnInvoice ? [account.allStatement, -1] : [account.allHistory, 1];
  return async (which) => {
    const found: Movement[] = [];
    for await (const { id, type, amount, reference, product_title: title } of all({ ...which, sandbox_ledger: '1' }))
      if (ORDER_MOVEMENTS.includes(type)) found.push({ id, reference, title, cents: sign * centsOf(amount) });
    return found;
  };
}

/** Without a status, failed orders are left out. */
async function listedOrders({ wayfare }: Shop, time: { from: string; to: string }): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const status of [{}, { status: 'failed' as const }])
    for await (const order of wayfare.order.all({ ...time, ...status })) found.push(order);
  return found;
}

export function reportText({ from, to, orders, chargedCents, refundedCents, differences: found }: Report): string {
  const lines = [
    `${from} to ${to}: ${orders} orders, charged ${dollars(chargedCents)}, given back ${dollars(refundedCents)}`,
    found.length === 0 ? 'No differences' : `${found.length} differences:`,
    ...found.map(({ order, what }) => `  ${order}: ${what}`),
  ];
  return lines.join('\n');
}

/** `node nightly.ts 2026-11-15` looks at that day, in UTC; without one, at yesterday. Ends with 1 if there are differences. */
if (import.meta.main) {
  const day = process.argv[2] ?? new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const from = new Date(`${day}T00:00:00Z`);
  const { shop } = await openFrom(process.env);
  const report = await reconcile(shop, from.toISOString(), new Date(from.getTime() + DAY_MS).toISOString());
  console.log(reportText(report));
  process.exitCode = report.differences.length === 0 ? 0 : 1;
}
