import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One figure with its name, and a few words on what it is made of. */
export function Headline({ name, children, note }: { name: string; children: ReactNode; note?: ReactNode }) {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={{ base: 20, sm: 26 }} fw={600} lh={1.3} className="num" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" className="num">
          {note}
        </Text>
      )}
    </Card>
  );
}
