import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { Form } from '../../../parts/Form.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { probe } from '../../api/webhooks.ts';
import { ProbeResult } from './ProbeResult.tsx';

/** Sends one signed request to any public URL and shows the whole exchange. Nothing is saved. */
export function Probe({ mode, events }: { mode: Mode; events: readonly string[] }) {
  const run = useChange((wanted: { url: string; event: string }) => probe(mode, wanted));
  return (
    <Section
      title="Test a URL"
      about="Send one request, signed with a one-time secret, to any public URL and see the whole exchange. Nothing is saved."
    >
      <Stack>
        <Form
          onSubmit={(typed) => {
            run.mutate({ url: String(typed.get('url')), event: String(typed.get('event')) });
          }}
        >
          <Group align="flex-end" gap="xs">
            <TextInput
              name="url"
              type="url"
              label="URL"
              placeholder="https://example.com/webhooks"
              maxLength={500}
              required
              flex={1}
              miw={220}
            />
            <NativeSelect name="event" label="Event" data={[...events]} defaultValue="order.test" />
            <Button type="submit" loading={run.isPending}>
              Send request
            </Button>
          </Group>
        </Form>
        <Problem error={run.error} />
        {run.data && <ProbeResult result={run.data} />}
      </Stack>
    </Section>
  );
}
