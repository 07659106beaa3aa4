import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '../../../parts/Facts.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { ClockFaces } from '../../../subjects/sandbox/ClockFaces.tsx';
import { useTicking } from '../../../subjects/sandbox/useTicking.ts';
import { useAction } from '../../api/actions.ts';
import { allPartners, clockOf, type Partner } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';

const EVERY_MS = 60_000;

/** The time and the play money of the partner's sandbox. */
export function SandboxTab({ of }: { of: Partner }) {
  const may = useMay();
  const clock = useQuery({ ...clockOf(of.id), refetchInterval: EVERY_MS });
  const time = useTicking(clock);
  return (
    <Section
      title="Sandbox"
      about="Its clock can run ahead, so that deferred orders arrive, plans expire and webhooks retry."
    >
      <Stack>
        <Facts facts={[['Test balance', <Money key="balance" amount={of.sandbox_balance} />]]} />
        <ClockFaces time={time} />
        <Problem error={clock.error} />
        {may('support') && of.status !== 'closed' && <Turn of={of} isTurned={time?.on ?? false} />}
      </Stack>
    </Section>
  );
}

function Turn({ of, isTurned }: { of: Partner; isTurned: boolean }) {
  const [by, setBy] = useState('');
  const partner = String(of.id);
  const advance = useAction('sandbox clock advance', allPartners);
  const reset = useAction('sandbox clock reset', allPartners);
  return (
    <Form
      onSubmit={() => {
        advance.mutate({ partner, by: by.trim() }, { onSuccess: () => setBy('') });
      }}
    >
      <Stack>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Advance by"
            description="For example 90s, 15m, 3h or 40d. It can only go forward."
            placeholder="40d"
            value={by}
            onChange={(event) => setBy(event.currentTarget.value)}
            autoComplete="off"
            required
            w={{ base: '100%', xs: 320 }}
          />
          <Button type="submit" loading={advance.isPending}>
            Advance
          </Button>
          <Button
            variant="default"
            disabled={!isTurned}
            loading={reset.isPending}
            onClick={() => reset.mutate({ partner })}
          >
            Return to real time
          </Button>
        </Group>
        <Problem error={advance.error ?? reset.error} />
        <Text size="xs" c="dimmed">
          The partner’s own tests use this clock, so tell them before you change it.
        </Text>
      </Stack>
    </Form>
  );
}
