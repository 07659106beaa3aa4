import { Badge } from '@mantine/core';
import type { EsimState as State } from '../../api/esims.ts';

export const stateName: Record<State, string> = {
  not_active: 'Not activated',
  active: 'Active',
  depleted: 'Used up',
  expired: 'Expired',
  cancelled: 'Withdrawn',
  suspended: 'Suspended',
};

const color: Record<State, string> = {
  not_active: 'gray',
  active: 'teal',
  depleted: 'red',
  expired: 'gray',
  cancelled: 'gray',
  suspended: 'yellow',
};

export const EsimState = ({ state }: { state: State }) => <Badge color={color[state]}>{stateName[state]}</Badge>;
