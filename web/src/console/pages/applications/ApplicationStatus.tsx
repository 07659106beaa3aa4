import { Badge } from '@mantine/core';
import type { Application } from '../../api/applications.ts';

const shown: Record<Application['status'], { label: string; color: string }> = {
  unconfirmed: { label: 'Not confirmed', color: 'gray' },
  waiting: { label: 'Waiting for you', color: 'yellow' },
  asked: { label: 'Asked', color: 'blue' },
  approved: { label: 'Approved', color: 'teal' },
  rejected: { label: 'Rejected', color: 'red' },
  opened: { label: 'Account open', color: 'teal' },
  expired: { label: 'Closed, unused', color: 'gray' },
};

export const kindName = { sign_up: 'An account', live: 'Live' } as const;

export function ApplicationStatus({ of }: { of: Pick<Application, 'status'> }) {
  const { label, color } = shown[of.status];
  return <Badge color={color}>{label}</Badge>;
}
