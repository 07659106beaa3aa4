import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Sparkline } from '../../parts/charts/Sparkline.tsx';

interface HeadlineProps {
  name: string;
  children: ReactNode;
  note?: ReactNode;
  /** How it went day by day. */
  trend?: readonly number[] | undefined;
}

/** One figure with its name, and a few words on what it is made of. */
export function Headline({ name, children, note, trend }: HeadlineProps) {
  return (
    <Card withBorder padding="md" style={{ display: 'flex', flexDirection: 'column' }}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={{ base: 'lg', sm: 'xxl' }} fw={600} lh={1.3} className="num" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" className="num">
          {note}
        </Text>
      )}
      {trend && <Sparkline values={trend} />}
    </Card>
  );
}
