import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WantedSubscription } from '../../api/webhooks.ts';
import { Problem } from '../../components/Problem.tsx';

interface SubscriptionFormProps {
  title: string;
  submitLabel: string;
  events: readonly string[];
  initial: WantedSubscription;
  isPending: boolean;
  error: unknown;
  onSubmit: (wanted: WantedSubscription) => void;
  onClose: () => void;
}

/** The URL and events of a new or existing subscription. Mounted on opening, so it starts fresh each time. */
export function SubscriptionForm({
  title,
  submitLabel,
  events,
  initial,
  onClose,
  onSubmit,
  ...state
}: SubscriptionFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [chosen, setChosen] = useState<string[]>([...initial.events]);
  const all = chosen.length === events.length;
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit({ url, events: chosen });
        }}
      >
        <Stack>
          <TextInput
            label="URL"
            description="A public https:// URL on your server."
            type="url"
            placeholder="https://example.com/wayfare"
            maxLength={500}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Checkbox
            label="All events"
            checked={all}
            indeterminate={!all && chosen.length > 0}
            onChange={() => setChosen(all ? [] : [...events])}
          />
          <Checkbox.Group aria-label="Events" value={chosen} onChange={setChosen}>
            <Stack gap={8} pl="lg">
              {events.map((name) => (
                <Checkbox key={name} value={name} label={name} size="xs" />
              ))}
            </Stack>
          </Checkbox.Group>
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
      </form>
    </Modal>
  );
}
