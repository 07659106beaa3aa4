import { Card, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { site } from '../../parts/site.ts';
import { Unreachable } from '../../parts/Unreachable.tsx';

interface DoorProps {
  title: string;
  about?: ReactNode;
  width?: number;
  children: ReactNode;
}

/** The layout of pages outside the session: one centred card. */
export function Door({ title, about, width = 400, children }: DoorProps) {
  useDocumentTitle(`${title} · ${site.name}`);
  return (
    <>
      <Unreachable />
      <Center component="main" mih="100vh" p="md">
        <Card withBorder padding="xl" w="100%" maw={width}>
          <Stack>
            {site.logo === '' ? (
              <Text fw={700}>{site.name}</Text>
            ) : (
              <img src={site.logo} height={40} alt={site.name} style={{ alignSelf: 'start', maxWidth: '100%' }} />
            )}
            <div>
              <Title order={1}>{title}</Title>
              {about && (
                <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
                  {about}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Card>
      </Center>
    </>
  );
}
