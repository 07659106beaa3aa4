import { Badge } from '@mantine/core';
import type { PartnerRow } from '../../api/partners.ts';

const shown: Record<PartnerRow['status'], { label: string; color: string }> = {
  active: { label: 'Active', color: 'teal' },
  suspended: { label: 'Suspended', color: 'yellow' },
  disabled: { label: 'Disabled', color: 'red' },
  closed: { label: 'Closed', color: 'gray' },
};

export const statusNames = Object.entries(shown).map(([value, { label }]) => ({ value, label }));

export function PartnerStatus({ of }: { of: Pick<PartnerRow, 'status'> }) {
  const { label, color } = shown[of.status];
  return <Badge color={color}>{label}</Badge>;
}

export const billingName = { prepaid: 'Prepaid', postpaid: 'On invoice' } as const;
