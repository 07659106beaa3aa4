import assert from 'node:assert/strict';
import test from 'node:test';
import type { Candidate } from '../../../../src/domains/billing/revenue-share/candidates.ts';
import { paced } from '../../../../src/domains/billing/revenue-share/rounds.ts';
import type { Reading } from '../../../../src/domains/billing/revenue-share/schedule.ts';

const sales = (supplier: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ supplier, orderId: BigInt(from + i) })) as Candidate[];
const reading: Reading = { totalMb: null, usedMb: 1, expiresAt: null, fetchedAt: new Date(0) };
const answering = async (ids: readonly bigint[]) => new Map(ids.map((id) => [id, reading]));
const anyPace = async () => undefined;

test('every sale gets an answer, whichever supplier it belongs to', async () => {
  const answers = await paced(answering, anyPace)([...sales('a', 0, 10), ...sales('b', 10, 3)]);
  assert.equal(answers.size, 13);
  assert.ok([...answers.values()].every((answer) => answer === reading));
});

test('no supplier is called faster than its limit, and a slow one does not hold up the others', async () => {
  const started = performance.now();
  const asked: [number, number][] = [];
  const ask = (ids: readonly bigint[]) => {
    asked.push([Number(ids[0]), performance.now() - started]);
    return answering(ids);
  };
  await paced(ask, async (supplier) => (supplier === 'slow' ? 40 : undefined))([
    ...sales('slow', 0, 12),
    ...sales('quick', 100, 12),
  ]);
  const at = (first: number) => asked.find(([id]) => id === first)?.[1] ?? Number.NaN;
  assert.ok(at(4) - at(0) >= 95 && at(8) - at(4) >= 95, `asked at ${at(0)}, ${at(4)}, ${at(8)} ms`);
  assert.ok(at(108) < at(8));
});

test('a supplier that does not answer is skipped for the rest of the round, and its sales count as asked', async () => {
  let questions = 0;
  const ask = async (ids: readonly bigint[]) => {
    questions += ids.length;
    return new Map<bigint, Reading>();
  };
  const answers = await paced(ask, anyPace)(sales('silent', 0, 100));
  assert.equal(questions, 8);
  assert.equal(answers.size, 100);
});

test('on shutdown it stops where it is; what was not reached has no answer and stays due', async () => {
  const stop = new AbortController();
  const ask = (ids: readonly bigint[]) => {
    stop.abort();
    return answering(ids);
  };
  const answers = await paced(ask, async () => 1)(sales('a', 0, 100), stop.signal);
  assert.equal(answers.size, 4);
});
