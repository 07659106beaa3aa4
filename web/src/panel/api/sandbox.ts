import { queryOptions } from '@tanstack/react-query';
import type { ReplyOf } from '../../../../src/entry/api/endpoint.ts';
import type { sandboxBalance } from '../../../../src/entry/api/endpoints/account/sandboxBalance.ts';
import type { sandboxReset } from '../../../../src/entry/api/endpoints/account/sandboxReset.ts';
import type { profile } from '../../../../src/entry/api/endpoints/sandbox/profile.ts';
import { get, post } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';
import { postV3 } from './v3.ts';

/** Other members of the partner may move the clock too, so it is polled. */
export const clock = queryOptions({
  queryKey: ['sandbox', 'clock'],
  queryFn: () => get('/api/sandbox/clock'),
  refetchInterval: 60_000,
});

export const advanceClock = (by: string) => post('/api/sandbox/clock/advance', { by });
export const resetClock = () => post('/api/sandbox/clock/reset');

export type BalanceOperation = 'add' | 'subtract' | 'set';

export const changeBalance = (change: { operation: BalanceOperation; amount: string }) =>
  postV3<ReplyOf<typeof sandboxBalance>>('sandbox', 'account/sandboxBalance', change);
export const resetSandbox = () => postV3<ReplyOf<typeof sandboxReset>>('sandbox', 'account/sandboxReset');

export const playPhone = (phone: Query) => postV3<ReplyOf<typeof profile>>('sandbox', 'sandbox/profile', phone);
