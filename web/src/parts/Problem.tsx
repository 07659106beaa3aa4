import { Alert, Button, Group, Text } from '@mantine/core';
import { useContext, useLayoutEffect, useRef, useState } from 'react';
import { FormContext } from './Form.tsx';
import { IconAlertTriangle, IconUserCheck } from './icons.ts';
import { Proposed, Refusal } from './server/client.ts';

interface ProblemProps {
  error: unknown;
  retry?: () => void;
}

/**
 * Explains why a request failed, or that it has to be approved first. In a form, a refusal about a field is shown there instead. Elsewhere it
 * has the error code, to search for or to quote to support; that something does not exist needs none.
 */
export function Problem({ error, retry }: ProblemProps) {
  const refuse = useContext(FormContext);
  const [isAtField, setAtField] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const found = Boolean(error && refuse?.(error));
    setAtField(found);
    if (error && refuse && !found) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error, refuse]);
  if (!error || isAtField) return null;
  if (error instanceof Proposed)
    return (
      <Alert color="blue" role="status" icon={<IconUserCheck size={18} />} p="sm">
        <Text size="sm">{error.message}</Text>
      </Alert>
    );
  const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  const isMissing = error instanceof Refusal && error.status === 404;
  return (
    <Alert ref={box} color="red" role="alert" icon={<IconAlertTriangle size={18} />} p="sm">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm">{message}</Text>
          {error instanceof Refusal && !refuse && !isMissing && (
            <Text c="dimmed" className="mono">
              {error.code}
            </Text>
          )}
        </div>
        {/* What is not there will not be there the next time either. */}
        {retry && !isMissing && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
