import { Badge } from '@mantine/core';
import type { Delivery } from '../../api/webhooks.ts';

const shown: Record<Delivery['status'], { label: string; color: string }> = {
  pending: { label: 'Pending', color: 'blue' },
  sent: { label: 'Sent', color: 'teal' },
  failed: { label: 'Failed, will retry', color: 'yellow' },
  dead: { label: 'Dead', color: 'red' },
};

export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  return <Badge color={shown[status].color}>{shown[status].label}</Badge>;
}
