import { fail } from '../../contract/errors.ts';
import type { RawValue } from '../../contract/fields.ts';
import type { Wanted } from '../../purchase/purchase.ts';
import type { Script } from './scripted-supplier.ts';

const scenarios = ['success', 'deferred', 'failed'] as const;
const usages = ['not_active', 'active', 'depleted', 'expired'] as const;

/** What each scenario sends once its order is paid. */
const eventsAhead = {
  success: ['order.delivered'],
  deferred: ['order.deferred', 'order.delivered'],
} as const;

/** What a purchase asks its order to play; empty means success and an eSIM nobody has switched on. */
export function readScript(scenario: RawValue, usage: RawValue): Pick<Wanted, 'refuse' | 'script' | 'eventsAhead'> {
  const played = scenario === undefined ? 'success' : scenarios.find((known) => known === scenario);
  if (!played) throw fail('invalid_sandbox_scenario');
  const used = usage === undefined ? 'not_active' : usages.find((known) => known === usage);
  if (!used) throw fail('invalid_sandbox_usage');
  const script: Script = { scenario: played, usage: used };
  if (played === 'failed') return { script, refuse: 'sandbox_scenario' };
  return { script, eventsAhead: eventsAhead[played] };
}
