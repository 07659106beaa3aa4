import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, moves, type State, stateOf, states } from '../../../../src/domains/sales/orders/transitions.ts';

const all = Object.keys(states) as State[];

test('the moves of the contract, each with its event, and no other', () => {
  const found = all.flatMap((from) =>
    all.filter((to) => moves[from][to] !== undefined).map((to) => [from, to, eventOf(from, to)] as const),
  );
  assert.deepEqual(found, [
    ['created', 'paid', 'order.paid'],
    ['created', 'failed', 'order.failed'],
    ['paid', 'deferred', 'order.deferred'],
    ['paid', 'delivered', 'order.delivered'],
    ['paid', 'failed', 'order.failed'],
    ['deferred', 'deferred', null],
    ['deferred', 'delivered', 'order.delivered'],
    ['deferred', 'failed', 'order.failed'],
  ]);
  assert.throws(() => eventOf('failed', 'delivered'), /cannot go from failed to delivered/);
});

test('status and delivery name the state, both ways', () => {
  for (const state of all) assert.equal(stateOf(states[state]), state);
  assert.throws(() => stateOf({ status: 1, delivery: 'failed' }));
});
