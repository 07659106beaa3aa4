import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { OrderAnswer } from '../../supply/port/port.ts';
import type { Move } from './moves.ts';
import type { PaidOrder } from './supplier-calls.ts';

/** Wait before the next try, by tries so far; the last one repeats. */
const waits = [5 * SECOND, 10 * SECOND, 20 * SECOND, 40 * SECOND, 80 * SECOND, 160 * SECOND, 5 * MINUTE, 10 * MINUTE];

/** One that waits for a person is looked up at its supplier this often, which may have corrected it. */
const HELD_MS = 10 * MINUTE;

/** No order waits longer than this for its next try. A due time further ahead was written while the clock was wrong. */
export const LONGEST_WAIT_MS = HOUR;

/** What a supplier's answer means for the order. `isFree`: certainly no supplier has it. */
export function moveAfterAnswer(
  order: Pick<PaidOrder, 'id' | 'partnerId' | 'reference' | 'refillOf' | 'state' | 'attempts' | 'hasNoSubscriber'>,
  answer: OrderAnswer,
  now: number,
  isFree = false,
): Move {
  const { id: orderId, partnerId, reference, refillOf } = order;
  const hasNoSubscriber = order.hasNoSubscriber ?? false;
  const of = {
    orderId,
    partnerId,
    reference,
    refillOf,
    from: order.state,
    at: new Date(now),
    hasNoSubscriber,
  } as const;
  const { attempts } = order;
  const wait = waits[Math.min(attempts, waits.length - 1)] as number;
  switch (answer.outcome) {
    case 'delivered':
      return {
        ...of,
        to: 'delivered',
        reason: '',
        supplierOrder: answer.supplierOrder,
        esim: answer.esim,
        charged: answer.charged,
      };
    case 'refilled':
      return { ...of, to: 'delivered', reason: '', supplierOrder: answer.supplierOrder, charged: answer.charged };
    case 'refused':
      return { ...of, to: 'failed', reason: 'provider_rejected' };
    case 'pending': {
      const dueAt = answer.readyAt ?? new Date(now + wait);
      return {
        ...of,
        to: 'deferred',
        reason: 'awaiting_profile',
        supplierOrder: answer.supplierOrder,
        dueAt,
        attempts,
      };
    }
    case 'held': {
      const { supplierOrder, reason: held } = answer;
      // The partner reads what is true for them: the profile is not there yet.
      const put = { to: 'deferred', reason: 'awaiting_profile', dueAt: new Date(now + HELD_MS), attempts } as const;
      return { ...of, ...put, supplierOrder, held };
    }
    default:
      return { ...of, to: 'deferred', reason: 'provider_unavailable', dueAt: new Date(now + wait), attempts, isFree };
  }
}
