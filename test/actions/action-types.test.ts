import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actions } from '../../src/actions/actions.ts';
import { actions } from '../../src/actions/actions.ts';

// These hold at compile time: `npm run check` fails when an expected error is missing.

type Input<N extends keyof Actions> = Actions[N]['input'];
type Result<N extends keyof Actions> = Actions[N]['result'];

test('a page can only run what the console may run, under its name', () => {
  const names: (keyof Actions)[] = ['order refund', 'wallet credit'];
  // @ts-expect-error: there is no such action
  names.push('order refnd');
  // @ts-expect-error: it changes nothing, so a page shows the same
  names.push('order list');
  // @ts-expect-error: it is left to the command line
  names.push('stock import');
  const known: readonly string[] = actions.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !known.includes(name)),
    ['order refnd'],
  );
});

test('a page sends the fields of the action: those that are required, and of a choice only its values', () => {
  const inputs: Input<'order refund'>[] = [
    { id: '7', mode: 'live' },
    { id: '7', amount: '1.00', note: undefined },
  ];
  // @ts-expect-error: the order is missing
  inputs.push({ amount: '1.00' });
  // @ts-expect-error: there is no such field
  inputs.push({ id: '7', amout: '1.00' });
  // @ts-expect-error: neither live nor sandbox
  inputs.push({ id: '7', mode: 'test' });
  const credit: Input<'wallet credit'> = { partner: '7', amount: '1', promo: true };
  // @ts-expect-error: a switch is on or off
  const wrong: Input<'wallet credit'> = { ...credit, promo: 'yes' };
  assert.deepEqual([inputs.length, wrong.amount], [5, '1']);
});

test('a page gets what the action returns, as JSON has it: times are text, ids are numbers', () => {
  const retried: Result<'order retry'> = { order_id: 7, next_attempt_at: '2030-05-01 12:00:00', brought_forward: true };
  // @ts-expect-error: a time is text by now
  const at: Date = retried.next_attempt_at;
  // @ts-expect-error: there is no such field
  assert.equal(retried.expedited, undefined);
  assert.equal(typeof at, 'string');
});
