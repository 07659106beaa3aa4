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

/** A replacement comes as quickly as the eSIM it replaces, and unused. */
export function replacedScript(script: unknown): {
  script: Script;
  eventsAhead: (typeof eventsAhead)[keyof typeof eventsAhead];
} {
  const scenario = (script as Partial<Script> | null)?.scenario === 'deferred' ? 'deferred' : 'success';
  return { script: { scenario, usage: 'not_active' }, eventsAhead: eventsAhead[scenario] };
}

/** What a script changes about a purchase. A scenario that fails is refused before any money moves. */
export function scripted(script: Script): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'> {
  if (script.scenario === 'failed') return { script, refuse: 'sandbox_scenario' };
  return { script, eventsAhead: eventsAhead[script.scenario] };
}
