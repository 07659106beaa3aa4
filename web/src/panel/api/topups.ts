import { queryOptions } from '@tanstack/react-query';
import type { ResumedTopup, TopupsView } from '../../../../src/entry/panel/money/topups.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, newKey, post } from '../../parts/server/client.ts';

export type {
  ResumedTopup,
  TopupOfferView as TopupOffer,
  TopupView as Payment,
} from '../../../../src/entry/panel/money/topups.ts';

const WHILE_OPEN_MS = 3_000;
const ASK_PROVIDER_MS = 15_000;

export const isOpen = ({ status }: TopupsView['topups'][number]): boolean => status === 'requires_payment';

/** The latest payments as the server has them; the provider notifies the server. Polled while one is open. */
export const topups = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'topups'],
    queryFn: () => get<TopupsView>(`/api/${mode}/topups`),
    refetchInterval: ({ state }) => (state.data?.topups.some(isOpen) ? WHILE_OPEN_MS : false),
  });

export const resumeTopUp = (paymentKey: string) =>
  post<ResumedTopup>(`/api/live/topups/${encodeURIComponent(paymentKey)}/resume`);

/** The payment's state at the provider. It contains payment secrets, so it is dropped from the cache when the page is left. */
export const resumedTopUp = (paymentKey: string) =>
  queryOptions({
    queryKey: ['live', 'topup', paymentKey],
    queryFn: () => resumeTopUp(paymentKey)(newKey()),
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data && ['open', 'processing', 'unanswered'].includes(state.data.state) ? ASK_PROVIDER_MS : false,
  });
