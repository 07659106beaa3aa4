import { queryOptions } from '@tanstack/react-query';
import type { OrdersInsight, RequestsInsight, SpendInsight } from '../../../../src/entry/panel/insight/insight.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type { OrdersInsight, RequestsInsight, SpendInsight } from '../../../../src/entry/panel/insight/insight.ts';

/** Days in UTC, both included; undefined: the last 30. */
export interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly per?: string | undefined;
}

const insight = <T>(mode: Mode, about: 'orders' | 'spend' | 'requests', period: Period) =>
  queryOptions({
    queryKey: [mode, 'insight', about, period],
    queryFn: () => get<T>(`/api/${mode}/insight/${about}`, { ...period }),
  });

export const ordersInsight = (mode: Mode, period: Period) => insight<OrdersInsight>(mode, 'orders', period);
export const spendInsight = (mode: Mode, period: Period) => insight<SpendInsight>(mode, 'spend', period);
export const requestsInsight = (mode: Mode, period: Period) => insight<RequestsInsight>(mode, 'requests', period);
