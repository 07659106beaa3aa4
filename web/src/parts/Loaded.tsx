import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Problem } from './Problem.tsx';
import { isUnreachable } from './server/client.ts';

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** Placeholder lines: about as many as the content has, so that the page does not jump. */
  lines?: number;
  /** In place of lines, where the content has another shape. */
  shape?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows a placeholder while a query loads, the error if it fails, and then its data. */
export function Loaded<T>({ query, lines = 3, shape, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  // The page says so once, for all its parts, and asks again.
  if (isUnreachable(query.error))
    return (
      <Text size="sm" c="dimmed" role="status">
        Not loaded: the server can’t be reached.
      </Text>
    );
  if (query.error) return <Problem error={query.error} retry={() => query.refetch()} />;
  return <Waiting gap={shape ? 'lg' : 'sm'}>{shape ?? <Lines lines={lines} />}</Waiting>;
}

/** Around a placeholder, which it announces. */
export const Waiting = ({ gap = 'lg', children }: { gap?: 'sm' | 'lg'; children: ReactNode }) => (
  <Stack gap={gap} role="status" aria-busy="true" aria-label="Loading">
    {children}
  </Stack>
);

export const Lines = ({ lines }: { lines: number }) =>
  Array.from({ length: lines }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a placeholder have nothing else.
    <Skeleton key={line} height={16} width={`${100 - (line % 3) * 12}%`} />
  ));
