import { Button, Group, Text } from '@mantine/core';

interface PagerProps {
  page: number;
  /** The API returns no totals, so a full page means there may be more. */
  full: boolean;
  onPage: (page: number) => void;
  /** For lists that are not sorted by time. */
  newer?: string;
  older?: string;
}

export function Pager({ page, full, onPage, newer = 'Newer', older = 'Older' }: PagerProps) {
  if (page === 1 && !full) return null;
  return (
    <Group justify="flex-end" gap="xs" p="lg" pt="md" component="nav" aria-label="Pages of this list">
      <Text size="sm" c="dimmed" mr="xs" className="num">
        Page {page}
      </Text>
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {newer}
      </Button>
      <Button size="xs" variant="default" disabled={!full} onClick={() => onPage(page + 1)}>
        {older}
      </Button>
    </Group>
  );
}
