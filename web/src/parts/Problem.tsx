import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconUserCheck } from './icons.ts';
import { Proposed, Refusal } from './server/client.ts';

interface ProblemProps {
  error: unknown;
  retry?: () => void;
}

/** Explains why a request failed, or that it has to be approved first, with the error code to search for or quote to support. */
export function Problem({ error, retry }: ProblemProps) {
  if (!error) return null;
  if (error instanceof Proposed)
    return (
      <Alert color="blue" role="status" icon={<IconUserCheck size={18} />} p="sm">
        <Text size="sm">{error.message}</Text>
      </Alert>
    );
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
