import { Alert, Anchor, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface NoticeProps {
  /** Red: something is refused or not sent. Yellow: it may come to that. */
  color: 'red' | 'yellow';
  title: string;
  /** Where it can be dealt with. */
  links: readonly { readonly to: string; readonly label: string }[];
  children: ReactNode;
}

export function Notice({ color, title, links, children }: NoticeProps) {
  return (
    <Alert
      color={color}
      role="status"
      icon={<IconAlertTriangle size={18} />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Text size="sm">{children}</Text>
      <Group gap="md" mt={4} style={{ rowGap: 0 }}>
        {links.map(({ to, label }) => (
          <Anchor
            key={to}
            component={Link}
            to={to}
            size="sm"
            c="inherit"
            td="underline"
            style={{ overflowWrap: 'anywhere' }}
          >
            {label}
          </Anchor>
        ))}
      </Group>
    </Alert>
  );
}
