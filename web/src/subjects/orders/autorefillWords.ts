import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { autorefill } from '../../../../src/entry/api/endpoints/esim/autorefill.ts';
import { dollars } from '../../parts/Money.tsx';

export type AutorefillRule = NonNullable<ReplyOf<typeof autorefill>['autorefill']>;
type Stopped = NonNullable<AutorefillRule['stopped']>;

/** What the rule does, and how far it is. `plan` names the refill. */
export const ruleWords = ({ at_percent, times, done, max_price }: AutorefillRule, plan: string): string =>
  `Adds ${plan} for up to ${dollars(max_price)} when ${at_percent} % of the data is used. ${done} of ${times} done.`;

/** Why it buys no more. */
export const whyStopped: Readonly<Record<Stopped, string>> = {
  price: 'The refill costs more than the highest price that was allowed.',
  money: 'There was not enough money or credit, or the account is suspended.',
  limit: 'A spending limit had no room for the refill.',
  product:
    'The refill could not be added: it is no longer sold, the eSIM takes none, or the supplier did not deliver it.',
  done: 'All refills were bought.',
};
