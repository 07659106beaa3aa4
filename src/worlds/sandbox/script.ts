import type { Wanted } from '../../domains/sales/purchase/purchase.ts';
import type { UsageState } from '../../domains/supply/port/port.ts';

/** What a purchase asks its sandbox order to play. */
export interface Script {
  readonly scenario: 'success' | 'deferred' | 'failed';
  readonly usage: UsageState;
}

/** What each scenario sends once its order is paid. */
const eventsAhead = {
  success: ['order.delivered'],
  deferred: ['order.deferred', 'order.delivered'],
} as const;

/** What a script changes about a purchase. A scenario that fails is refused before any money moves. */
export function scripted(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'> {
  if (script.scenario === 'failed') return { script, refuse: 'sandbox_scenario' };
  return { script, eventsAhead: eventsAhead[script.scenario] };
}
