import { queryOptions } from '@tanstack/react-query';
import type { OrdersInsight, RequestsInsight, SpendInsight } from '../../../../src/panel/insight.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type { OrdersInsight, RequestsInsight, SpendInsight } from '../../../../src/panel/insight.ts';

/** Days in UTC, both included; undefined: the last 30. */
export interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly per?: string | undefined;
}

const insight = <T>(mode: Mode, about: 'orders' | 'spend' | 'requests', asked: Asked) =>
  queryOptions({
    queryKey: [mode, 'insight', about, asked],
    queryFn: () => get<T>(`/api/${mode}/insight/${about}`, { ...asked }),
  });

export const ordersInsight = (mode: Mode, asked: Asked) => insight<OrdersInsight>(mode, 'orders', asked);
export const spendInsight = (mode: Mode, asked: Asked) => insight<SpendInsight>(mode, 'spend', asked);
export const requestsInsight = (mode: Mode, asked: Asked) => insight<RequestsInsight>(mode, 'requests', asked);
