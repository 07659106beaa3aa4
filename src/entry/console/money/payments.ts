import { shownTopup } from '../../../actions/money/topup.ts';
import type { Topup } from '../../../domains/billing/topups/topups.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorAction, operatorAction } from '../action.ts';

const PER_PAGE = 50;
const kinds = ['open', 'failed', 'disputed'] as const;

/** Card payments, newest first. */
export const paymentActions = ({ worlds: { live } }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/money/payments',
    may: 'see',
    async handle(call) {
      const only = filtersFrom(call, 'invalid_input').oneOf('only', kinds);
      const before = filtersFrom(call, 'ignored').id('before');
      const found = await live.topups.list({ only, before, limit: PER_PAGE + 1 });
      return {
        body: {
          /** Undefined: card payments are off. */
          provider: live.topups.offer.provider ?? null,
          payments: found.slice(0, PER_PAGE).map(view),
          has_more: found.length > PER_PAGE,
        } satisfies PaymentsView,
      };
    },
  }),
];

const view = (topup: Topup) => ({ ...shownTopup(topup), id: String(topup.id), created_at: iso(topup.createdAt) });

export type PaymentView = ReturnType<typeof view>;
export interface PaymentsView {
  readonly provider: string | null;
  readonly payments: readonly PaymentView[];
  readonly has_more: boolean;
}
