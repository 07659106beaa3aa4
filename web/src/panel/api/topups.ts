import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, address, get, post, postToRead } from '../../parts/server/calls.ts';

type Topups = AnswerOf<'GET /api/{mode}/topups'>;
export type TopupOffer = Topups['offer'];
export type Payment = Topups['topups'][number];
export type ResumedTopup = AnswerOf<'POST /api/live/topups/{paymentKey}/resume'>;

const WHILE_OPEN_MS = 3_000;
const ASK_PROVIDER_MS = 15_000;

export const isOpen = ({ status }: Payment): boolean => status === 'requires_payment';

/** The latest payments as the server has them; the provider notifies the server. Polled while one is open. */
export const topups = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'topups'],
    queryFn: () => get('/api/{mode}/topups', { mode }),
    refetchInterval: ({ state }) => (state.data?.topups.some(isOpen) ? WHILE_OPEN_MS : false),
  });

export const receiptAddress = (mode: Mode, paymentKey: string) =>
  address('/api/{mode}/topups/{paymentKey}/receipt', { mode, paymentKey });

export const resumeTopUp = (paymentKey: string) => post('/api/live/topups/{paymentKey}/resume', { paymentKey });

/** The payment's state at the provider. It contains payment secrets, so it is dropped from the cache when the page is left. */
export const resumedTopUp = (paymentKey: string) =>
  queryOptions({
    queryKey: ['live', 'topup', paymentKey],
    queryFn: () => postToRead('/api/live/topups/{paymentKey}/resume', { paymentKey }),
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data && ['open', 'processing', 'unanswered'].includes(state.data.state) ? ASK_PROVIDER_MS : false,
  });
