import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/icon.svg" width={26} height={26} alt="" />
      <Text fw={700} visibleFrom="xs" component="span">
        Wayfare
      </Text>
    </Group>
  );
}
