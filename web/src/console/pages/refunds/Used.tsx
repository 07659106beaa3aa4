import { Stack, Text } from '@mantine/core';
import { megabytes } from '../../../parts/megabytes.ts';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import type { RefundRow } from '../../api/orders.ts';

const states: Record<string, string> = {
  not_active: 'not activated',
  active: 'in use',
  depleted: 'used up',
  expired: 'expired',
};

/** As of the last reading: the supplier is not asked for this page. */
export function Used({ usage, data, mode }: { usage: RefundRow['usage']; data: string; mode: Mode }) {
  if (usage === null) return 'Never read';
  const total = usage.total_mb === null ? data : megabytes(usage.total_mb);
  return (
    <Stack gap={0}>
      <span>
        {megabytes(usage.used_mb)} of {total}, {states[usage.state]}
      </span>
      <Text size="xs" c="dimmed" span>
        {mode === 'sandbox' && 'scripted, whatever the plan holds; '}read <When at={usage.fetched_at} exact />
      </Text>
    </Stack>
  );
}
