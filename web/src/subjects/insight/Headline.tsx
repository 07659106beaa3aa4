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

/** As large as the tile has room for an amount of five digits. */
const fontSize = 'clamp(var(--mantine-font-size-lg), 18cqi, var(--mantine-font-size-xxl))';

/** One figure with its name, and a few words on what it is made of. */
export function Headline({ name, children, note, trend }: HeadlineProps) {
  return (
    <Card withBorder padding="md" style={{ display: 'flex', flexDirection: 'column', containerType: 'inline-size' }}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={600} lh={1.3} className="num" style={{ fontSize, overflowWrap: 'anywhere' }}>
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
