import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      {/* Written out: as a file it would be one more request of the first visit. */}
      <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#3b5bdb" />
        <path
          d="m7 11 4.5 11L16 12l4.5 10L25 11"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={700} visibleFrom="xs" component="span">
        Wayfare
      </Text>
    </Group>
  );
}
