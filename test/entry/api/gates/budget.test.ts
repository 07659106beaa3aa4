import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Budgets } from '../../../../src/platform/limits/budget.ts';

/** A budget that is forgotten would be waited for without end. */
const timeout = 10_000;
const never = new Promise<string>(() => {});

test('a request whose time is up is answered, and others are not, in whatever order they end', {
  timeout,
}, async () => {
  const budgets = new Budgets(40);
  const patient = () => budgets.begin(60_000).within(never, () => 'too late');
  const others = [patient(), patient()];
  const done = Promise.withResolvers<string>();
  const ended = budgets.begin().within(done.promise, () => 'too late');
  const first = budgets.begin().within(never, () => 'late');
  const second = budgets.begin().within(never, (): string => {
    throw new Error('its time was up');
  });
  others.push(patient());
  done.resolve('in time');
  assert.equal(await ended, 'in time');
  const settled = Promise.allSettled([first, second]);
  // The timer that looks does not keep a process alive.
  await wait(80);
  const [late, refused] = await settled;
  assert.deepEqual(late, { status: 'fulfilled', value: 'late' });
  assert.equal(refused.status === 'rejected' && refused.reason.message, 'its time was up');
  assert.equal(await Promise.race([...others, wait(50, 'still waiting')]), 'still waiting');
  budgets.close();
});

test('the innermost step that waits is asked first, then the one around it; one that ended is not asked', {
  timeout,
}, async () => {
  const budgets = new Budgets(40);
  const budget = budgets.begin();
  const asked: string[] = [];
  const late = (step: string) => () => asked.push(step);
  const outer = budget.within<unknown>(never, late('outer'));
  const gone = Promise.withResolvers<unknown>();
  const middle = budget.within(gone.promise, late('middle'));
  const inner = budget.within<unknown>(never, late('inner'));
  gone.reject(new Error('broken'));
  await assert.rejects(middle, /broken/);
  await wait(100);
  await Promise.all([outer, inner]);
  assert.deepEqual(asked, ['inner', 'outer']);
  budgets.close();
});
