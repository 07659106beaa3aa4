import { Box, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons.ts';

interface EmptyProps {
  icon: Icon;
  title: string;
  /** What to do next. */
  children?: ReactNode;
}

export function Empty({ icon: Picture, title, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl">
        <Picture size={22} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      <Box c="dimmed" fz="sm" maw={620} w="100%">
        {children}
      </Box>
    </Stack>
  );
}
