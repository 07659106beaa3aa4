import { fail } from '../../api/errors.ts';
import type { RawValue } from '../../api/fields.ts';
import type { Script } from './scripted-supplier.ts';

const scenarios = ['success', 'deferred', 'failed'] as const;
const usages = ['not_active', 'active', 'depleted', 'expired'] as const;

/** What a purchase asks its order to play; empty means success and an eSIM nobody has switched on. */
export function readScript(scenario: RawValue, usage: RawValue): { script: Script; refuse?: string } {
  const played = scenario === undefined ? 'success' : scenarios.find((known) => known === scenario);
  if (!played) throw fail('invalid_sandbox_scenario');
  const used = usage === undefined ? 'not_active' : usages.find((known) => known === usage);
  if (!used) throw fail('invalid_sandbox_usage');
  const script: Script = { scenario: played, usage: used };
  return played === 'failed' ? { script, refuse: 'sandbox_scenario' } : { script };
}
