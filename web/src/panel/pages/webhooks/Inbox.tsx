import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { type Inbox as Found, inbox, openInbox } from '../../api/inbox.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

/** A built-in receiver that shows sandbox events as they arrive. */
export function Inbox() {
  const found = useQuery(inbox).data;
  const may = useMay();
  const open = useChange(openInbox, ['sandbox']);
  if (!found) return null;
  if (found.inbox) return <Messages of={found.inbox} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" c="dimmed">
        Events of your test orders arrive here, signed as they would be for your server. It closes by itself after an
        hour.
      </Text>
      {may('develop') && (
        <Button size="xs" loading={open.isPending} onClick={() => open.mutate(undefined)}>
          Open inbox
        </Button>
      )}
      <Problem error={open.error} />
    </Stack>
  );
}

const badges = {
  valid: { color: 'teal', label: 'Signature valid' },
  invalid: { color: 'red', label: 'Signature wrong' },
} as const;

function Messages({ of: { id, closes_at, messages, latest_body } }: { of: Found }) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {messages.length === 0 ? 'Waiting for an event.' : 'Newest first.'} The inbox closes <When at={closes_at} />.{' '}
        <Anchor component={Link} to={paths.webhook('sandbox', id)} size="sm" underline="always">
          Its deliveries
        </Anchor>
      </Text>
      {messages.map((message) => (
        <Group key={message.id} gap="sm">
          <Anchor component={Link} to={paths.delivery('sandbox', id, message.id)} className="mono" underline="always">
            {message.event}
          </Anchor>
          {message.signature === null ? (
            <Badge color="gray">On its way</Badge>
          ) : (
            <Badge color={badges[message.signature].color}>{badges[message.signature].label}</Badge>
          )}
          <Text size="xs" c="dimmed" component="span">
            <When at={message.sent_at} never="" />
          </Text>
        </Group>
      ))}
      {latest_body && <CodeBlock text={pretty(latest_body)} what="the body" />}
    </Stack>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
