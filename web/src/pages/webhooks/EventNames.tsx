import { Code, Group } from '@mantine/core';

/** The events a subscription receives. */
export function EventNames({ names, all }: { names: readonly string[]; all: readonly string[] }) {
  if (names.length === all.length) return <span>All events</span>;
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Code key={name} fz={12}>
          {name}
        </Code>
      ))}
    </Group>
  );
}
