import { Checkbox, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventsView } from '../../../../src/entry/site/views/records.ts';
import { CodeBlock } from '../../parts/Copy.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import classes from './EventChoice.module.css';
import type { WebhookEvent } from './webhooks.ts';

interface EventChoiceProps {
  /** What there is to choose from. */
  found: UseQueryResult<EventsView>;
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}

/** Every event with its meaning and a sample of its body. */
export function EventChoice({ found, chosen, onChange }: EventChoiceProps) {
  return (
    <Loaded query={found} lines={8}>
      {({ events }) => {
        const all = chosen.length === events.length;
        return (
          <>
            <Checkbox
              label="All events"
              checked={all}
              indeterminate={!all && chosen.length > 0}
              onChange={() => onChange(all ? [] : events.map(({ name }) => name))}
            />
            <Checkbox.Group aria-label="Events" value={[...chosen]} onChange={onChange}>
              <Stack gap="lg">
                <EventGroup title="Standard events" of={events.filter(({ is_standard }) => is_standard)} />
                <EventGroup
                  title="More events, sent only if you choose them"
                  of={events.filter((it) => !it.is_standard)}
                />
              </Stack>
            </Checkbox.Group>
            <Text size="xs" c="dimmed">
              Samples describe no order: where they have 0 or nothing, a real body has the values of the order or eSIM.
            </Text>
          </>
        );
      }}
    </Loaded>
  );
}

function EventGroup({ title, of }: { title: string; of: readonly WebhookEvent[] }) {
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {of.map(({ name, about, sample }) => (
        <div key={name}>
          <Checkbox value={name} label={name} description={about} size="xs" />
          <Sample of={name} body={sample} />
        </div>
      ))}
    </Stack>
  );
}

function Sample({ of, body }: { of: string; body: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <details className={classes.sample} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary aria-label={`Sample body of ${of}`}>Sample body</summary>
      {opened && <CodeBlock text={indented(body)} what={`the sample body of ${of}`} />}
    </details>
  );
}

/** Sent on one line; a person reads it better on several. */
const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
