import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitFor, PLANNED } from '../../../proving/ha/gaps.ts';

const took = (name: string, ...seconds: number[]) => seconds.map((each) => ({ name, recoveredMs: each * 1_000 }));

test('purchases work again within ten seconds; on a machine that gives less, in proportion to its planned switchovers', () => {
  const died = took("the leader's machine dies", 30);
  assert.equal(limitFor(died), 10_000);
  assert.equal(limitFor([...died, ...took(PLANNED, 3, 3.5, 4)]), 10_000);
  assert.equal(limitFor([...died, ...took(PLANNED, 4, 5, 50)]), 14_000);
});
