import { Card, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** For tables, which reach to the card's edges and bring their own padding. */
  flush?: boolean;
  children: ReactNode;
}

/** Of a section in an address, after `#`. */
export const sectionId = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** A titled card. An address that names it scrolls to it. */
export function Section({ title, about, actions, flush = false, children }: SectionProps) {
  const card = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === `#${sectionId(title)}`) card.current?.scrollIntoView();
  }, [hash, title]);
  return (
    <Card ref={card} component="section" withBorder padding="lg" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="md" gap="xs">
        <div>
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" mt={2} maw={720}>
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
