import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { probe } from '../../api/webhooks.ts';
import { Problem } from '../../components/Problem.tsx';
import { Section } from '../../components/Section.tsx';
import type { Mode } from '../../paths.ts';
import { ProbeResult } from './ProbeResult.tsx';

/** One signed request to any public address, and everything that came of it. Nothing is saved. */
export function Probe({ mode, events }: { mode: Mode; events: readonly string[] }) {
  const run = useMutation({ mutationFn: (wanted: { url: string; event: string }) => probe(mode, wanted) });
  return (
    <Section
      title="Probe an address"
      about="Sends one signed request, signed with a secret of its own, and shows the exchange."
    >
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget);
            run.mutate({ url: String(typed.get('url')), event: String(typed.get('event')) });
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              name="url"
              type="url"
              label="Address"
              placeholder="https://example.com/wayfare"
              maxLength={500}
              required
              flex={1}
              miw={220}
            />
            <NativeSelect name="event" label="Event" data={[...events]} defaultValue="order.test" />
            <Button type="submit" loading={run.isPending}>
              Send
            </Button>
          </Group>
        </form>
        <Problem error={run.error} />
        {run.data && <ProbeResult result={run.data} />}
      </Stack>
    </Section>
  );
}
