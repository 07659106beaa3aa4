import { Badge, Stack, Text } from '@mantine/core';
import { When } from '../../parts/When.tsx';
import type { Delivery } from './webhooks.ts';

const labels: Record<Delivery['status'], string> = {
  pending: 'Queued',
  sent: 'Delivered',
  failed: 'Failed, will retry',
  dead: 'Failed, gave up',
};
const heldLabels: Partial<typeof labels> = { pending: 'On hold', failed: 'Failed, on hold' };
const colors: Record<Delivery['status'], string> = { pending: 'blue', sent: 'teal', failed: 'yellow', dead: 'red' };

/** `isHeld`: the subscription is paused or disabled, so nothing is retried until it is active again. */
export const statusLabel = (status: Delivery['status'], isHeld: boolean): string =>
  (isHeld && heldLabels[status]) || labels[status];

export const isWaiting = ({ status }: Delivery): boolean => status === 'pending' || status === 'failed';

export function DeliveryStatus({ of }: { of: Delivery }) {
  const label = of.is_under_way && !of.is_held ? 'Sending' : statusLabel(of.status, of.is_held);
  return <Badge color={colors[of.status]}>{label}</Badge>;
}

/** In a list: the status, and when the next attempt is. */
export function StatusAndNext({ of }: { of: Delivery }) {
  const isLater = of.status === 'failed' && !of.is_under_way && of.next_attempt_at !== null;
  return (
    <Stack gap={2} align="flex-start">
      <DeliveryStatus of={of} />
      {isLater && (
        <Text size="xs" c="dimmed" span>
          at <When at={of.next_attempt_at} />
        </Text>
      )}
    </Stack>
  );
}
