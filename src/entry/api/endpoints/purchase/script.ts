import { type Meanings, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { type RawValue, rawField } from '../../../../platform/contract/fields.ts';
import type { Script } from '../../../../worlds/world.ts';

const scenarios = ['success', 'deferred', 'failed'] as const;
const usages = ['not_active', 'active', 'depleted', 'expired'] as const;

/** Left raw here: only a world with scripts reads them. */
const scripted = (
  about: string,
  meanings: Meanings,
  error: 'invalid_sandbox_scenario' | 'invalid_sandbox_usage',
  byDefault: string,
) =>
  rawField({ ...vocabulary(`${about} Sandbox keys only; live keys ignore it.`, meanings), default: byDefault }, error);

export const scriptFields = {
  sandbox_scenario: scripted(
    'What becomes of the order.',
    {
      success: 'Delivered at once.',
      deferred: 'Paid, and delivered by the first read after 60 seconds.',
      failed: 'Not delivered; nothing is taken from the balance.',
    } satisfies Meanings<(typeof scenarios)[number]>,
    'invalid_sandbox_scenario',
    'success',
  ),
  sandbox_usage: scripted(
    'What the usage of the eSIM shows.',
    {
      not_active: '0 of 1024 MB used.',
      active: '512 of 1024 MB used.',
      depleted: '1024 of 1024 MB used.',
      expired: 'The end has passed.',
    } satisfies Meanings<(typeof usages)[number]>,
    'invalid_sandbox_usage',
    'not_active',
  ),
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
