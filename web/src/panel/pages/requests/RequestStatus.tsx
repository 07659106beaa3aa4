import { Badge } from '@mantine/core';
import type { RequestRow } from '../../api/requests.ts';

const colors: Readonly<Record<string, string>> = { 2: 'teal', 3: 'gray', 4: 'yellow', 5: 'red' };

export function RequestStatus({ of: { status } }: { of: Pick<RequestRow, 'status'> }) {
  return <Badge color={colors[String(status).charAt(0)] ?? 'gray'}>{status}</Badge>;
}
