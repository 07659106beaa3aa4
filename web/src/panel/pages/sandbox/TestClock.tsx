import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { ClockFaces } from '../../../subjects/sandbox/ClockFaces.tsx';
import { advanceClock, resetClock } from '../../api/sandbox.ts';
import { useSandboxTime } from '../../useSandboxTime.ts';

const steps = [
  { by: '1m', label: '+1 minute' },
  { by: '1h', label: '+1 hour' },
  { by: '1d', label: '+1 day' },
  { by: '30d', label: '+30 days' },
] as const;

export function TestClock() {
  const time = useSandboxTime();
  const [by, setBy] = useState('');
  const advance = useChange(advanceClock, ['sandbox']);
  const reset = useChange(resetClock, ['sandbox']);
  return (
    <Section
      title="Test clock"
      about="Advance sandbox time to see deferred orders arrive, plans expire and webhooks retry. You can only move it forward."
    >
      <Stack>
        <ClockFaces time={time} />
        <Group gap="xs">
          {steps.map((step) => (
            <Button
              key={step.by}
              variant="default"
              disabled={advance.isPending}
              onClick={() => advance.mutate(step.by)}
            >
              {step.label}
            </Button>
          ))}
        </Group>
        <Form
          onSubmit={() => {
            advance.mutate(by.trim(), { onSuccess: () => setBy('') });
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              label="Custom duration"
              description="For example 90s, 15m, 3h or 40d."
              placeholder="40d"
              value={by}
              onChange={(event) => setBy(event.currentTarget.value)}
              required
              w={{ base: '100%', xs: 300 }}
            />
            <Button type="submit" loading={advance.isPending}>
              Advance
            </Button>
            <Button
              variant="default"
              disabled={!time?.on}
              loading={reset.isPending}
              onClick={() => reset.mutate(undefined)}
            >
              Return to real time
            </Button>
          </Group>
        </Form>
        <Problem error={advance.error ?? reset.error} />
        <Text size="xs" c="dimmed">
          After returning to real time, anything dated in the future keeps its date until you reset the sandbox.
        </Text>
      </Stack>
    </Section>
  );
}
