import type { Order, Product } from './model.ts';

/* What follows from a plan and a price alone, as the contract says it. */

/** Is it a refill of this eSIM? In the sandbox, of every eSIM of its destination. */
export const isRefillOf = ({ fits, destination }: Product, { product, world, deliveredBy }: Order): boolean =>
  fits !== undefined &&
  (world === 'sandbox' ? destination === product.destination : fits.includes(deliveredBy ?? product));

/**
 * The suppliers that may deliver an order, in the order in which they are tried: alternates only within the price paid, also for the
 * eSIM that replaces it.
 */
export const deliverers = ({ product, worth }: Pick<Order, 'product' | 'worth'>): readonly Product[] => [
  product,
  ...product.alternates.filter(({ costMicros }) => costMicros <= worth * 10_000),
];

/** List price less the partner's share of the margin, half up to a cent and never below cost. */
export function partnerPrice(list: number, costMicros: number, sharePct: number): number {
  const margin = BigInt(list) * 10_000n - BigInt(costMicros);
  if (margin <= 0n) return list;
  const exact = BigInt(list) * 1_000_000n - margin * BigInt(sharePct);
  const lowest = Math.ceil(costMicros / 10_000);
  return Math.max(lowest, Number((exact + 500_000n) / 1_000_000n));
}

/** The partner's share of what the unused data cost, within what the cap of 60 % leaves beside the discount. */
export function revenueShare({ partner, product, list, price }: Order, usedMb: number): number {
  const { amountMb, costMicros } = product;
  const unused = BigInt(amountMb - usedMb);
  const scale = BigInt(amountMb) * 1_000_000n;
  const agreed = Number((BigInt(costMicros) * unused * BigInt(partner.revenueShare) * 2n + scale) / (2n * scale));
  const room = Math.max(0, Math.floor(((list * 10_000 - costMicros) * 60) / 1_000_000) - (list - price));
  return Math.min(agreed, room);
}
