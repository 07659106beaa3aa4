import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** A page that could not be loaded or drawn; most often the server was updated while it was open. */
export function Crashed() {
  return (
    <Center mih="100vh" p="md">
      <Stack align="center" gap="xs" ta="center">
        <Title order={1}>This page could not be shown</Title>
        <Text c="dimmed" size="sm" maw={420}>
          If the server was updated a moment ago, loading the page again is all it takes.
        </Text>
        <Button mt="sm" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </Stack>
    </Center>
  );
}
