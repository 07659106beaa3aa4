import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../../../../src/domains/catalog/catalog.ts';
import { SalesEffect } from '../../../../src/domains/catalog/prices/preview.ts';
import { toCents, toMicros } from '../../../../src/platform/amounts/cents.ts';

const plan = (alias: string, cost: bigint | null) => ({ alias, cost: cost === null ? null : toMicros(cost) }) as Plan;
const sold = (partnerId: number, of: string, orders: number, charged: bigint, returned = 0n) => ({
  partnerId,
  plan: of,
  orders,
  charged: toCents(charged),
  returned: toCents(returned),
});

test('sales at another price: what was given back counts in proportion, and plans without a cost have no margin', () => {
  const effect = new SalesEffect([
    // A quarter came back: of 30.00 kept, the new price makes 24.00, at a cost of 15.00.
    sold(1, 'plan-a', 4, 4_000n, 1_000n),
    sold(2, 'plan-a', 1, 1_000n),
    sold(1, 'plan-b', 2, 600n),
    // All of it came back.
    sold(1, 'plan-c', 1, 500n, 500n),
  ]);
  effect.add(new Set([1]), plan('plan-a', 5_000_000n), toCents(800n));
  effect.add(new Set([1]), plan('plan-b', null), toCents(400n));
  effect.add(new Set([1]), plan('plan-c', 1_000_000n), toCents(900n));
  assert.deepEqual(effect.summary(), {
    orders: 7,
    revenue_before: '36.00',
    revenue_after: '32.00',
    margin_before: '15.00',
    margin_after: '9.00',
    without_cost: 2,
  });
});

test('without a sale of what changes there is no margin to show', () => {
  const effect = new SalesEffect([sold(2, 'plan-a', 1, 1_000n)]);
  effect.add(new Set([1]), plan('plan-a', 5_000_000n), toCents(800n));
  assert.deepEqual(effect.summary(), {
    orders: 0,
    revenue_before: '0.00',
    revenue_after: '0.00',
    margin_before: null,
    margin_after: null,
    without_cost: 0,
  });
});
