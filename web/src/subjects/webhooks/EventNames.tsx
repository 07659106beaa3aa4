import { Code, Group } from '@mantine/core';

interface EventNamesProps {
  names: readonly string[];
  all: readonly string[];
  standard: readonly string[];
}

/** The events a subscription receives. */
export function EventNames({ names, all, standard }: EventNamesProps) {
  if (names.length === all.length) return <span>All events</span>;
  if (names.length === standard.length && names.every((name) => standard.includes(name)))
    return <span>Standard events</span>;
  return (
    <Group gap={4}>
      {names.map((name) => (
        <Code key={name} fz="xs">
          {name}
        </Code>
      ))}
    </Group>
  );
}
