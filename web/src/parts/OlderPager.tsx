import { Button, Group } from '@mantine/core';

interface OlderPagerProps {
  /** Already past the newest ones. */
  isFurther: boolean;
  hasMore: boolean;
  onNewest: () => void;
  onOlder: () => void;
}

/** For lists that continue after the last id shown. To go back by one page, use the browser's back button. */
export function OlderPager({ isFurther, hasMore, onNewest, onOlder }: OlderPagerProps) {
  if (!isFurther && !hasMore) return null;
  return (
    <Group justify="flex-end" gap="xs" p="lg" pt="md" component="nav" aria-label="Pages of this list">
      <Button size="xs" variant="default" disabled={!isFurther} onClick={onNewest}>
        Newest
      </Button>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={onOlder}>
        Older
      </Button>
    </Group>
  );
}
