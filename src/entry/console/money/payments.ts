import { shownTopup } from '../../../actions/money/topup.ts';
import type { Topup } from '../../../domains/billing/topups/topups.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorRead } from '../action.ts';

const PER_PAGE = 50;
const kinds = ['open', 'failed', 'disputed'] as const;

/** Card payments, newest first. */
export const paymentActions = [operatorRead('/operator/api/money/payments', payments)];

async function payments(call: OperatorCall) {
  const { topups } = call.context.worlds.live;
  const only = filtersFrom(call, 'invalid_input').oneOf('only', kinds);
  const before = filtersFrom(call, 'ignored').id('before');
  const found = await topups.list({ only, before, limit: PER_PAGE + 1 });
  return {
    /** Undefined: card payments are off. */
    provider: topups.offer.provider ?? null,
    payments: found.slice(0, PER_PAGE).map(view),
    has_more: found.length > PER_PAGE,
  };
}

const view = (topup: Topup) => ({ ...shownTopup(topup), id: String(topup.id), created_at: iso(topup.createdAt) });
