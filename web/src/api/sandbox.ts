import { queryOptions } from '@tanstack/react-query';
import { get, post, postV3 } from './client.ts';

/** `now` is what the sandbox takes the time to be, `real` the server's own. */
interface Clock {
  readonly on: boolean;
  readonly now: string;
  readonly real: string;
  readonly ahead_seconds: number;
}

interface ClockAnswer {
  readonly test_clock: Clock;
}

/** Others of the same partner may turn it too, so it is asked for again now and then. */
export const clock = queryOptions({
  queryKey: ['sandbox', 'clock'],
  queryFn: () => get<ClockAnswer>('/api/sandbox/clock'),
  refetchInterval: 60_000,
});

export const advanceClock = (by: string) => post<ClockAnswer>('/api/sandbox/clock/advance', { by });
export const resetClock = () => post<ClockAnswer>('/api/sandbox/clock/reset');

export type BalanceOperation = 'add' | 'subtract' | 'set';

export const changeBalance = (change: { operation: BalanceOperation; amount: string }) =>
  postV3<{ balance: number; previous_balance: number }>('sandbox', 'account/sandboxBalance', change);
export const resetSandbox = () =>
  postV3<{ deleted_orders: number; balance: number }>('sandbox', 'account/sandboxReset');
