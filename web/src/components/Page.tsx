import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface PageProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Where a detail page came from. */
  back?: { readonly to: string; readonly label: string };
  children: ReactNode;
}

export function Page({ title, about, actions, back, children }: PageProps) {
  useDocumentTitle(`${title} · Wayfare`);
  return (
    <Stack gap="lg">
      <div>
        {back && (
          <Anchor component={Link} to={back.to} size="sm" c="dimmed" mb={4} display="inline-flex">
            <IconChevronLeft size={16} /> {back.label}
          </Anchor>
        )}
        <Group justify="space-between" align="flex-end" gap="sm">
          <div>
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {about && (
              <Text c="dimmed" size="sm" mt={4} maw={640}>
                {about}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}
