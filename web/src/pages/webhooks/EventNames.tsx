import { Code, Group } from '@mantine/core';

/** The events of a subscription, of all there are. */
export function EventNames({ names, all }: { names: readonly string[]; all: readonly string[] }) {
  if (names.length === all.length) return <span>All</span>;
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
