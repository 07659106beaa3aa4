import { Button, Group, Text } from '@mantine/core';
import { count } from './count.ts';

interface PagerProps {
  /** Counted from 1. */
  page: number;
  perPage: number;
  /** How many rows all pages have together, of what. */
  of: readonly [total: number, noun: string];
  onPage: (page: number) => void;
}

/** For lists whose rows are counted: their number, and the pages by theirs. */
export function Pager({ page, perPage, of: [total, noun], onPage }: PagerProps) {
  const last = Math.ceil(total / perPage);
  if (total === 0) return null;
  const first = (page - 1) * perPage + 1;
  return (
    <Group justify="flex-end" gap={6} p="lg" pt="md" component="nav" aria-label="Pages of this list">
      <Text size="sm" c="dimmed" mr="auto" className="num">
        {last > 1 && first <= total && `${figure(first)} to ${figure(Math.min(total, first + perPage - 1))} of `}
        {count(total, noun)}
      </Text>
      {last > 1 && (
        <Group gap={6} wrap="nowrap">
          {shownPages(page, last).map((one, i, all) => (
            <Group key={one} gap={6} wrap="nowrap">
              {i > 0 && one - (all[i - 1] ?? 0) > 1 && (
                <Text span size="sm" c="dimmed">
                  …
                </Text>
              )}
              <Button
                size="xs"
                px="xs"
                miw={{ base: 44, sm: 30 }}
                variant={one === page ? 'light' : 'default'}
                aria-current={one === page ? 'page' : undefined}
                aria-label={`Page ${figure(one)}`}
                onClick={() => onPage(one)}
              >
                {figure(one)}
              </Button>
            </Group>
          ))}
        </Group>
      )}
    </Group>
  );
}

const figure = (number: number): string => number.toLocaleString('en-US');

/** The first, the last, and those around the page. */
const shownPages = (page: number, last: number): number[] =>
  [...new Set([1, page - 1, page, page + 1, last])].filter((one) => one >= 1 && one <= last).sort((a, b) => a - b);
