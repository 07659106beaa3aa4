import { setTimeout as wait } from 'node:timers/promises';
import type { EsimReference, WithdrawAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { objectOf, parseObject, textOf } from '../loose.ts';
import type { ZenditClient } from './client.ts';
import { readPlans } from './installed-plans.ts';
import { codeIn } from './refusals.ts';
import { purchasePath } from './transactions.ts';

/** What Zendit says about the refund of a purchase; `none`: there is none. */
type Refund = WithdrawAnswer | 'none' | 'under way';

/** Statuses that refuse this refund, however often it is requested. */
const REFUSED = [400, 404, 409, 422];

/**
 * Asks for the refund of an eSIM that was never installed. Their conditions are not public, so an eSIM that was installed or runs
 * is not even asked for. A refund is one of the purchase's transaction, so we look for it first: a lost reply is resolved by asking
 * again.
 */
export async function withdraw(
  client: ZenditClient,
  { iccid, supplierOrder: id }: EsimReference,
  deadline: Deadline,
  pollMs: number,
): Promise<WithdrawAnswer> {
  if (id === null) return { outcome: 'refused', reason: 'no such eSIM' };
  const before = await readRefund(client, id, deadline);
  if (typeof before === 'object') return before;
  if (before === 'none') {
    const found = await readPlans(client, iccid, deadline);
    if ('reason' in found) return { outcome: 'unavailable', reason: found.reason };
    if (found.known?.firstInstalledAt || found.known?.plans.some(({ isRunning }) => isRunning))
      return { outcome: 'refused', reason: 'it was installed or used' };
    const called = await client.post(`${purchasePath(id)}/refund`, {}, deadline);
    if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
    const { status } = called;
    if (status !== 200 && !REFUSED.includes(status)) return { outcome: 'unavailable', reason: `HTTP ${status}` };
    if (status !== 200) {
      const now = await readRefund(client, id, deadline);
      if (now === 'none') return { outcome: 'refused', reason: `HTTP ${status}` };
      if (typeof now === 'object') return now;
    }
  }
  for (;;) {
    const now = await readRefund(client, id, deadline);
    if (typeof now === 'object') return now;
    if (deadline.leftMs() <= pollMs) return { outcome: 'unavailable', reason: 'the refund is not done yet' };
    await wait(pollMs);
  }
}

async function readRefund(client: ZenditClient, id: string, deadline: Deadline): Promise<Refund> {
  const called = await client.get(`${purchasePath(id)}/refund`, deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  const body = parseObject(called.text);
  if (called.status === 404 && body.errorCode === 'NOT_FOUND') return 'none';
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  // An answer about another purchase belongs to another call. Which of the two ids is ours is not documented.
  if (![body.refundedTransactionId, body.transactionId].includes(id))
    return { outcome: 'unavailable', reason: 'HTTP 200, not our purchase' };
  const status = textOf(body.status);
  if (status === 'DONE') return { outcome: 'withdrawn' };
  if (status === 'FAILED' || status === 'FAIL')
    return { outcome: 'refused', reason: `the refund failed: ${codeIn(objectOf(body.error).code)}` };
  return 'under way';
}
