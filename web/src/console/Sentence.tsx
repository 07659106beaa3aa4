import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { FieldChange, Thing } from '../../../src/actions/system/audit-words.ts';
import { paths } from './paths.ts';

const pathOf = (thing: Thing): string => {
  switch (thing.kind) {
    case 'partner':
      return paths.partner(thing.id);
    case 'order':
      return paths.order(thing.id, thing.mode);
    case 'product':
      return paths.plan(thing.id);
    case 'page':
      return `${paths.home}/${thing.id}`;
  }
};

interface SentenceProps {
  /** Who did it. */
  by: ReactNode;
  parts: readonly { readonly text: string; readonly of: Thing | null }[];
}

/** Who did what, with links to what it was done to. */
export const Sentence = ({ by, parts }: SentenceProps) => (
  <span>
    {by}{' '}
    {parts.map(({ text, of }, i) =>
      of === null ? (
        text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places.
        <Anchor key={i} component={Link} to={pathOf(of)} size="sm" underline="always" display="inline" mih={0}>
          {text}
        </Anchor>
      ),
    )}
  </span>
);

/** The fields a change set, one line each. */
export const Difference = ({ of }: { of: readonly FieldChange[] }) =>
  of.length > 0 && (
    <Stack gap={0}>
      {of.map(({ field, before, after }) => (
        <Text key={field} size="xs" c="dimmed" span style={{ overflowWrap: 'anywhere' }}>
          {field}: {before !== null && `${before} → `}
          {after ?? 'none'}
        </Text>
      ))}
    </Stack>
  );
