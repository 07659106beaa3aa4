import type { SupplierOrder } from '../../../src/domains/supply/port/port.ts';
import { toMicros } from '../../../src/platform/amounts/cents.ts';
import type { TestClock } from '../clock.ts';

let last = 0;

/** An order as provisioning asks a supplier for one, just paid, under a reference of its own. */
export function orderForSupplier(clock: TestClock, special: Partial<SupplierOrder> = {}): SupplierOrder {
  last += 1;
  const now = new Date(clock.now());
  const usual = { reference: `wf-live-${last}`, plan: 'one-gb', amountMb: 1024, day: 7, cost: toMicros(1_800_000n) };
  return { ...usual, paidAt: now, orderedAt: now, supplierOrder: null, refillOf: null, script: null, ...special };
}
