import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventsView } from '../../../../src/entry/site/views/records.ts';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { EventChoice } from './EventChoice.tsx';
import type { WantedSubscription } from './webhooks.ts';

interface SubscriptionFormProps {
  /** What there is to choose from. */
  events: UseQueryResult<EventsView>;
  title: string;
  submitLabel: string;
  initial: WantedSubscription;
  isPending: boolean;
  error: unknown;
  onSubmit: (wanted: WantedSubscription) => void;
  onClose: () => void;
}

/** The URL and events of a new or existing subscription. Mounted on opening, so it starts fresh each time. */
export function SubscriptionForm({
  events,
  title,
  submitLabel,
  initial,
  onClose,
  onSubmit,
  ...state
}: SubscriptionFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [chosen, setChosen] = useState<readonly string[]>(initial.events);
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Form
        onSubmit={() => {
          onSubmit({ url, events: chosen });
        }}
      >
        <Stack>
          <TextInput
            label="URL"
            description="A public https:// URL on the server that receives them."
            type="url"
            placeholder="https://example.com/webhooks"
            maxLength={500}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            required
            data-autofocus
          />
          <EventChoice found={events} chosen={chosen} onChange={setChosen} />
          <Problem error={state.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={state.isPending} disabled={chosen.length === 0}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
