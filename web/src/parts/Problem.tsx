import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from './icons.ts';
import { Refusal } from './server/client.ts';

interface ProblemProps {
  error: unknown;
  retry?: () => void;
}

/** Explains why a request failed, with the error code to search for or quote to support. */
export function Problem({ error, retry }: ProblemProps) {
  if (!error) return null;
  const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} p="sm">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm">{message}</Text>
          {error instanceof Refusal && (
            <Text c="dimmed" className="mono">
              {error.code}
            </Text>
          )}
        </div>
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
