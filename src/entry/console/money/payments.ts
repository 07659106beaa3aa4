import { shownTopup } from '../../../actions/money/topup.ts';
import type { Topup } from '../../../domains/billing/topups/topups.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { type OperatorAction, type OperatorCall, operatorAction } from '../action.ts';

const PER_PAGE = 50;
const kinds = ['open', 'failed', 'disputed'] as const;

/** Card payments, newest first. */
export const paymentActions = ({ worlds: { live } }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/money/payments',
    may: 'see',
    async handle(call) {
      const found = await live.topups.list({ only: kindOf(call), before: beforeOf(call), limit: PER_PAGE + 1 });
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

function kindOf({ query }: OperatorCall): (typeof kinds)[number] | undefined {
  const only = query('only');
  if (only === '') return undefined;
  const kind = kinds.find((one) => one === only);
  if (!kind) throw new Refused('invalid_input', 'only must be open, failed or disputed');
  return kind;
}

const beforeOf = ({ query }: OperatorCall): bigint | undefined =>
  /^\d{1,18}$/.test(query('before')) ? BigInt(query('before')) : undefined;

const view = (topup: Topup) => ({ ...shownTopup(topup), id: String(topup.id), created_at: iso(topup.createdAt) });

export type PaymentView = ReturnType<typeof view>;
export interface PaymentsView {
  readonly provider: string | null;
  readonly payments: readonly PaymentView[];
  readonly has_more: boolean;
}
