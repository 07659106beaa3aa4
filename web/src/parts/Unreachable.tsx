import { Button, Group, Text } from '@mantine/core';
import { useInterval, useWindowEvent } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { IconAlertTriangle } from './icons.ts';
import { isServerThere } from './server/client.ts';
import { useAwaySince } from './server/useAwaySince.ts';
import classes from './Unreachable.module.css';

const RETRY_MS = 5_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** While the server cannot be reached, pages keep what they loaded before. This says so and since when, so that old data is not taken for new. */
export function Unreachable() {
  const client = useQueryClient();
  const since = useAwaySince();
  const isAway = since !== undefined;
  const askAgain = useCallback(async () => {
    // First whether it is there: a page with many queries would send all of them in vain.
    if (!(await isServerThere())) return;
    // They report what they got.
    await client.refetchQueries({ type: 'active' });
  }, [client]);
  // Asks on its own, too, so that the page is right again when the server is back.
  const asking = useInterval(askAgain, RETRY_MS);
  useEffect(() => {
    if (isAway) asking.start();
    return asking.stop;
  }, [isAway, asking.start, asking.stop]);
  useWindowEvent('online', () => {
    if (isAway) void askAgain();
  });
  if (!isAway) return null;
  return (
    <Group className={classes.band} justify="space-between" gap="xs" role="alert">
      <Group gap={8} wrap="nowrap">
        <IconAlertTriangle size={18} />
        <Text size="sm">
          The server can’t be reached since {clock.format(since)}. What you see is from before. It is brought up to date
          as soon as the server answers.
        </Text>
      </Group>
      <Button size="compact-sm" variant="white" color="dark" onClick={askAgain}>
        Try again
      </Button>
    </Group>
  );
}
