import { Button, Group, NativeSelect, Text } from '@mantine/core';

interface OlderPagerProps {
  /** Already past the newest ones. */
  isFurther: boolean;
  hasMore: boolean;
  onNewest: () => void;
  onOlder: () => void;
  /** What this page has. */
  shown?: string;
  size?: { readonly value: number; readonly choose: (size: number) => void } | undefined;
}

export const pageSizes = [20, 50, 100] as const;

/** For lists that continue after the last id shown. To go back by one page, use the browser's back button. */
export function OlderPager({ isFurther, hasMore, onNewest, onOlder, shown, size }: OlderPagerProps) {
  const isOther = size !== undefined && size.value !== pageSizes[0];
  if (!isFurther && !hasMore && !isOther) return null;
  return (
    <Group justify="flex-end" gap="xs" p="lg" pt="md" component="nav" aria-label="Pages of this list">
      {shown && (
        <Text size="sm" c="dimmed" mr="auto" className="num">
          {shown} on this page
        </Text>
      )}
      {size && (
        <NativeSelect
          size="xs"
          aria-label="Rows on a page"
          data={pageSizes.map((one) => ({ value: String(one), label: `${one} a page` }))}
          value={String(size.value)}
          onChange={({ currentTarget }) => size.choose(Number(currentTarget.value))}
        />
      )}
      <Button size="xs" variant="default" disabled={!isFurther} onClick={onNewest}>
        Newest
      </Button>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={onOlder}>
        Older
      </Button>
    </Group>
  );
}
