import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { count } from './count.ts';
import type { PageSize } from './pageSize.ts';

interface OlderPagerProps {
  /** What this page has: how many of what, and their plural unless it only adds an s. */
  shown: readonly [rows: number, noun: string, plural?: string];
  /** Already past the newest ones. */
  isFurther: boolean;
  hasMore: boolean;
  onNewest: () => void;
  onOlder: () => void;
  size?: PageSize | undefined;
}

/** For lists that continue after the last id shown. To go back by one page, use the browser's back button. */
export function OlderPager({ shown, isFurther, hasMore, onNewest, onOlder, size }: OlderPagerProps) {
  const isPart = isFurther || hasMore;
  if (!isPart && shown[0] === 0) return null;
  return (
    <Group justify="flex-end" gap="xs" p="lg" pt="md" component="nav" aria-label="Pages of this list">
      <Text size="sm" c="dimmed" mr="auto" className="num">
        {count(...shown)}
        {isPart && ' on this page'}
      </Text>
      {size && (isPart || !size.isUsual) && (
        <NativeSelect
          size="xs"
          aria-label="Rows on a page"
          data={size.sizes.map((one) => ({ value: String(one), label: `${one} a page` }))}
          value={String(size.value)}
          onChange={({ currentTarget }) => size.choose(Number(currentTarget.value))}
        />
      )}
      {isPart && (
        <>
          <Button size="xs" variant="default" disabled={!isFurther} onClick={onNewest}>
            Newest
          </Button>
          <Button size="xs" variant="default" disabled={!hasMore} onClick={onOlder}>
            Older
          </Button>
        </>
      )}
    </Group>
  );
}
