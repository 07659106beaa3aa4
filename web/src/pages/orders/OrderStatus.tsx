import { Badge } from '@mantine/core';

const shown: Record<string, { label: string; color: string }> = {
  '1': { label: 'Delivered', color: 'teal' },
  '2': { label: 'Failed', color: 'red' },
  '3': { label: 'Created', color: 'gray' },
  '4': { label: 'Paid, on its way', color: 'yellow' },
};

export function OrderStatus({ status }: { status: string }) {
  const { label, color } = shown[status] ?? { label: `Status ${status}`, color: 'gray' };
  return <Badge color={color}>{label}</Badge>;
}
