import { Badge } from '@mantine/core';
import type { Delivery } from '../../api/webhooks.ts';

const labels: Record<Delivery['status'], string> = {
  pending: 'Queued',
  sent: 'Delivered',
  failed: 'Failed, will retry',
  dead: 'Failed, gave up',
};
const heldLabels: Partial<typeof labels> = { pending: 'On hold', failed: 'Failed, on hold' };
const colors: Record<Delivery['status'], string> = { pending: 'blue', sent: 'teal', failed: 'yellow', dead: 'red' };

/** `isHeld`: the subscription is paused or disabled, so nothing is retried until it is resumed. */
export const statusLabel = (status: Delivery['status'], isHeld: boolean): string =>
  (isHeld && heldLabels[status]) || labels[status];

export function DeliveryStatus({ status, isHeld }: { status: Delivery['status']; isHeld: boolean }) {
  return <Badge color={colors[status]}>{statusLabel(status, isHeld)}</Badge>;
}
