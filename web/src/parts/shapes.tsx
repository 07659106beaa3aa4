import { Card, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Lines } from './Loaded.tsx';

/** A card with a title and rows, as most pages have one. */
export const CardShape = () => (
  <Card withBorder padding="lg">
    <Stack gap="xl">
      <Skeleton height={20} width={160} />
      <Lines lines={6} />
    </Stack>
  </Card>
);

/** Figures in tiles, and what is below them: a chart, a list. */
export const FiguresShape = () => (
  <>
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {['first', 'second', 'third', 'fourth'].map((tile) => (
        <Skeleton key={tile} height={134} />
      ))}
    </SimpleGrid>
    <Skeleton height={380} />
    <Skeleton height={380} />
  </>
);

/** A page of which not even the title is there. */
export const PageShape = ({ children = <CardShape /> }: { children?: ReactNode }) => (
  <>
    <Skeleton height={52} width={240} />
    {children}
  </>
);
