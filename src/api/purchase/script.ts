import { Type } from 'typebox';
import { fail } from '../../contract/errors.ts';
import { custom, type RawValue } from '../../contract/fields.ts';
import type { Script } from '../../worlds/world.ts';

const scenarios = ['success', 'deferred', 'failed'] as const;
const usages = ['not_active', 'active', 'depleted', 'expired'] as const;

/** Left raw here: only a world with scripts reads them. */
const scripted = (values: readonly string[], error: 'invalid_sandbox_scenario' | 'invalid_sandbox_usage') =>
  custom({
    schema: Type.Enum([...values]),
    required: false,
    errors: [error],
    parse: (raw: RawValue): RawValue => raw,
  });

export const scriptFields = {
  sandbox_scenario: scripted(scenarios, 'invalid_sandbox_scenario'),
  sandbox_usage: scripted(usages, 'invalid_sandbox_usage'),
};

/** What a purchase asks its order to play. By default it succeeds, with an eSIM that is not activated. */
export function parseScript(raw: { sandbox_scenario: RawValue; sandbox_usage: RawValue }): Script {
  const scenario = raw.sandbox_scenario ?? 'success';
  const usage = raw.sandbox_usage ?? 'not_active';
  const played = scenarios.find((known) => known === scenario);
  if (!played) throw fail('invalid_sandbox_scenario');
  const used = usages.find((known) => known === usage);
  if (!used) throw fail('invalid_sandbox_usage');
  return { scenario: played, usage: used };
}
