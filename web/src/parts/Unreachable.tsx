import { Button, Group, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { IconAlertTriangle } from './icons.ts';
import { isUnreachable } from './server/client.ts';
import classes from './Unreachable.module.css';

const RETRY_MS = 10_000;

/** While the server cannot be reached, pages keep what they loaded before. This says so, so that old data is not taken for new. */
export function Unreachable() {
  const client = useQueryClient();
  const [isAway, setAway] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setAway(false);
        if ((action.type === 'error' || action.type === 'failed') && isUnreachable(action.error)) setAway(true);
      }),
    [client],
  );
  const askAgain = useCallback(() => client.refetchQueries({ type: 'active' }), [client]);
  // Polls on its own, too, so that the band disappears when the server is back.
  const asking = useInterval(askAgain, RETRY_MS);
  useEffect(() => {
    if (isAway) asking.start();
    return asking.stop;
  }, [isAway, asking.start, asking.stop]);
  if (!isAway) return null;
  return (
    <Group className={classes.band} justify="space-between" gap="xs" role="alert">
      <Group gap={8} wrap="nowrap">
        <IconAlertTriangle size={18} />
        <Text size="sm">The server can’t be reached. What you see may be out of date.</Text>
      </Group>
      <Button size="compact-sm" variant="white" color="dark" onClick={askAgain}>
        Try again
      </Button>
    </Group>
  );
}
