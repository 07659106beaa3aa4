import { Badge } from '@mantine/core';
import type { Subscription } from './webhooks.ts';

const shown: Record<Subscription['status'], { label: string; color: string }> = {
  1: { label: 'Active', color: 'teal' },
  2: { label: 'Paused', color: 'gray' },
  3: { label: 'Disabled', color: 'red' },
};

export const isActive = ({ status }: Subscription): boolean => status === 1;

/** Whether deliveries are signed with the old secret, too. */
export const isRotating = ({ rotation_ends_at }: Subscription): boolean =>
  rotation_ends_at !== null && Date.parse(rotation_ends_at) > Date.now();

export function SubscriptionStatus({ of }: { of: Subscription }) {
  const { label, color } = shown[of.status];
  return <Badge color={color}>{label}</Badge>;
}
