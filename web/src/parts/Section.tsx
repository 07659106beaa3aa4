import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** For tables, which reach to the card's edges and bring their own padding. */
  flush?: boolean;
  children: ReactNode;
}

/** A titled card. */
export function Section({ title, about, actions, flush = false, children }: SectionProps) {
  return (
    <Card component="section" withBorder padding="lg" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="md" gap="xs">
        <div>
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" mt={2}>
              {about}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {flush ? <Card.Section className="flush">{children}</Card.Section> : children}
    </Card>
  );
}
