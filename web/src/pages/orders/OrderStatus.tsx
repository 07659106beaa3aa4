import { Badge } from '@mantine/core';

const shown: Record<string, { label: string; color: string }> = {
  '1': { label: 'Delivered', color: 'teal' },
  '2': { label: 'Failed', color: 'red' },
  '3': { label: 'Created', color: 'gray' },
  '4': { label: 'Awaiting delivery', color: 'yellow' },
};

export const isDelivered = (status: string): boolean => status === '1';
export const isFailed = (status: string): boolean => status === '2';
/** The price was taken and not given back by a failure. */
export const isCharged = (status: string): boolean => status === '1' || status === '4';
/** Neither delivered nor failed: it will still change. */
export const isOpen = (status: string): boolean => status === '3' || status === '4';

export function OrderStatus({ status }: { status: string }) {
  const { label, color } = shown[status] ?? { label: `Status ${status}`, color: 'gray' };
  return <Badge color={color}>{label}</Badge>;
}
