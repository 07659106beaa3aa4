import { Badge } from '@mantine/core';
import type { Subscription } from '../../api/webhooks.ts';

const shown: Record<string, { label: string; color: string }> = {
  '1': { label: 'Active', color: 'teal' },
  '2': { label: 'Paused', color: 'gray' },
  '3': { label: 'Disabled after failures', color: 'red' },
};

export const isActive = ({ status }: Subscription): boolean => String(status) === '1';

export function SubscriptionStatus({ of }: { of: Subscription }) {
  const { label, color } = shown[of.status] ?? { label: String(of.status), color: 'gray' };
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  );
}
