import { useInterval } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClockView } from '../../../../src/entry/site/views/records.ts';

export interface SandboxTime {
  readonly on: boolean;
  readonly now: Date;
  readonly real: Date;
  readonly aheadSeconds: number;
}

type Answer = Pick<UseQueryResult<{ readonly test_clock: ClockView }>, 'data' | 'dataUpdatedAt'>;

/** The sandbox's and the server's time, ticking every second from the last answer. */
export function useTicking({ data, dataUpdatedAt }: Answer): SandboxTime | undefined {
  const [tick, setTick] = useState(Date.now);
  useInterval(() => setTick(Date.now()), 1000, { autoInvoke: true });
  if (!data) return undefined;
  const { on, now, real, ahead_seconds } = data.test_clock;
  const since = Math.max(0, tick - dataUpdatedAt);
  return {
    on,
    now: new Date(Date.parse(now) + since),
    real: new Date(Date.parse(real) + since),
    aheadSeconds: ahead_seconds,
  };
}
