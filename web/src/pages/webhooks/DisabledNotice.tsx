import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { subscriptions } from '../../api/webhooks.ts';
import { type Mode, paths } from '../../paths.ts';

/** Says which receivers no longer get events, what becomes of the events, and how to continue. */
export function DisabledNotice({ mode }: { mode: Mode }) {
  const disabled = useQuery(subscriptions(mode)).data?.subscriptions.filter(({ status }) => status === 3) ?? [];
  if (disabled.length === 0) return null;
  return (
    <Alert
      color="red"
      role="status"
      icon={<IconAlertTriangle size={18} />}
      title={disabled.length === 1 ? 'A webhook is disabled' : `${disabled.length} webhooks are disabled`}
    >
      <Text size="sm">
        Ten attempts in a row failed, so we stopped sending to the URLs below. Events are held for 7 days and sent when
        you resume the webhook.
      </Text>
      {disabled.map(({ id, url }) => (
        <Anchor
          key={id}
          component={Link}
          to={paths.webhook(mode, id)}
          size="sm"
          display="block"
          mt={4}
          c="inherit"
          td="underline"
          style={{ overflowWrap: 'anywhere' }}
        >
          {url}
        </Anchor>
      ))}
    </Alert>
  );
}
