import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** A page that failed to load or render, usually because the server was updated while it was open. */
export function Crashed() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="xs" ta="center">
        <Title order={1}>Something went wrong</Title>
        <Text c="dimmed" size="sm" maw={420}>
          This page could not be displayed. The server may have just been updated; reloading usually helps.
        </Text>
        <Button mt="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Stack>
    </Center>
  );
}
