import { Code, Group } from '@mantine/core';

export function EventNames({ names }: { names: readonly string[] }) {
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
