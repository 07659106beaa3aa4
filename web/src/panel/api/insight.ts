import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

type About = 'orders' | 'spend' | 'requests';
type Insight<A extends About> = AnswerOf<`GET /api/{mode}/insight/${A}`>;
export type OrdersInsight = Insight<'orders'>;
export type SpendInsight = Insight<'spend'>;
export type RequestsInsight = Insight<'requests'>;

/** Days in UTC, both included; undefined: the last 30. */
export interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly per?: string | undefined;
}

const insight = <A extends About>(mode: Mode, about: A, period: Period) =>
  queryOptions({
    queryKey: [mode, 'insight', about, period],
    queryFn: () => get(`/api/{mode}/insight/${about}`, { ...period, mode }),
  });

export const ordersInsight = (mode: Mode, period: Period) => insight(mode, 'orders', period);
export const spendInsight = (mode: Mode, period: Period) => insight(mode, 'spend', period);
export const requestsInsight = (mode: Mode, period: Period) => insight(mode, 'requests', period);
