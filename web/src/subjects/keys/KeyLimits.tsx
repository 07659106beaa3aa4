import { Group, Stack, Text } from '@mantine/core';
import { ModeBadge } from '../../parts/ModeBadge.tsx';
import { Section } from '../../parts/Section.tsx';
import { LimitFields } from '../limits/LimitFields.tsx';
import { LimitUses } from '../limits/LimitUses.tsx';
import { type KeyCalls, KeyDialog } from './KeyActions.tsx';
import { type Key, keyName, keyState } from './keys.ts';

interface KeyLimitsProps<K extends Key> {
  keys: readonly K[];
  calls: KeyCalls<K>;
  mayChange: boolean;
}

/** What may be spent with each key that works, and what was used of it. */
export function KeyLimits<K extends Key>({ keys, calls, mayChange }: KeyLimitsProps<K>) {
  const active = keys.filter((key) => keyState(key) === 'active');
  if (active.length === 0) return null;
  return (
    <Section
      title="Spending limits of keys"
      about="Purchases beyond a limit are refused, so a bug or a leaked key costs no more than you allow."
    >
      <Stack gap="xl">
        {active.map((key) => (
          <Stack key={key.id} gap="xs" role="group" aria-label={`Limits of ${keyName(key)}`}>
            <Group justify="space-between" gap="xs">
              <Group gap="xs">
                <ModeBadge mode={key.mode} />
                {key.name && (
                  <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} span>
                    {key.name}
                  </Text>
                )}
                <span className="mono">{key.mask}</span>
              </Group>
              {mayChange && (
                <KeyDialog of={key} calls={calls} label="Edit limits" title={`Spending limits of ${keyName(key)}`}>
                  <LimitFields of={key.limits}>
                    A purchase beyond one of them is refused, and nothing is charged. Hours, days and months begin in
                    UTC. Agents can buy only with a key that has a limit.
                  </LimitFields>
                </KeyDialog>
              )}
            </Group>
            {key.limits.length > 0 ? (
              <LimitUses of={key.limits} label={`Spending limits of ${keyName(key)}`} />
            ) : (
              <Text size="sm" c="dimmed">
                No limits
              </Text>
            )}
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
