import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';

/** A request or response body: JSON on several lines, or exactly as it was sent. */
export function Body({ title, text, what }: { title: string; text: string; what: string }) {
  const formatted = indented(text);
  const [isRaw, setRaw] = useState(false);
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        {formatted !== undefined && (
          <Choice
            isSmall
            label={`How to show ${what}`}
            options={[
              { value: 'formatted', label: 'Formatted' },
              { value: 'raw', label: 'As sent' },
            ]}
            value={isRaw ? 'raw' : 'formatted'}
            onChange={(value) => setRaw(value === 'raw')}
          />
        )}
      </Group>
      <CodeBlock text={isRaw ? text : (formatted ?? text)} what={what} />
    </Stack>
  );
}

/** Undefined: it is not JSON, or one line either way. */
function indented(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}
