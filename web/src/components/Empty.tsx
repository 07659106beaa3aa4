import { Box, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';

interface EmptyProps {
  icon: IconName;
  title: string;
  /** What to do next. */
  children?: ReactNode;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl">
        <Icon name={icon} size={22} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      <Box c="dimmed" fz="sm" maw={620} w="100%">
        {children}
      </Box>
    </Stack>
  );
}
