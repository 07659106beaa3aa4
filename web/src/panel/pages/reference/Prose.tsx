import { List, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

/** The little Markdown that the API's description uses: paragraphs, lists, `code` and **bold**. */
export function Prose({ text, size = 'sm' }: { text: string; size?: 'sm' | 'md' }) {
  return (
    <Stack gap="xs">
      {text.split('\n\n').map((block) => (
        <Block key={block} text={block} size={size} />
      ))}
    </Stack>
  );
}

function Block({ text, size }: { text: string; size: 'sm' | 'md' }) {
  if (!text.startsWith('- '))
    return (
      <Text size={size} style={{ overflowWrap: 'anywhere' }}>
        {inline(text)}
      </Text>
    );
  return (
    <List size={size} spacing={2}>
      {text.split('\n').map((line) => (
        <List.Item key={line}>{inline(line.slice(2))}</List.Item>
      ))}
    </List>
  );
}

/** Inside a line. */
export function inline(text: string): ReactNode {
  const parts = text.split(/(`[^`]+`|\*\*.+?\*\*)/).map((part, place) => ({ part, place }));
  return parts.map(({ part, place }) => {
    if (part.startsWith('**')) return <strong key={place}>{inline(part.slice(2, -2))}</strong>;
    if (!part.startsWith('`')) return <Fragment key={place}>{part}</Fragment>;
    return (
      <code className="mono" key={place}>
        {part.slice(1, -1)}
      </code>
    );
  });
}
