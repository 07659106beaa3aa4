import { SECOND } from '../../../platform/clock.ts';
import { iso } from '../json/action.ts';

export const clockView = (aheadMs: number, now: number) => ({
  on: aheadMs > 0,
  now: iso(new Date(now + aheadMs)),
  real: iso(new Date(now)),
  ahead_seconds: Math.round(aheadMs / SECOND),
});

export type ClockView = ReturnType<typeof clockView>;
