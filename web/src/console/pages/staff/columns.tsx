import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '../../../parts/DataTable.tsx';
import { When } from '../../../parts/When.tsx';
import { me } from '../../api/session.ts';
import type { Operator } from '../../api/staff.ts';
import { operatorRoles } from '../../operatorRoles.ts';
import { NewLink, Remove, ResetSecondFactor, RoleOf } from './changes.tsx';

export const columns: readonly Column<Operator>[] = [
  { label: 'Email', cell: (operator) => <Name of={operator} /> },
  { label: 'Role', cell: ({ role }) => operatorRoles.name[role] },
  { label: 'Two-step sign-in', cell: (operator) => <Factor of={operator} /> },
  { label: 'Added (UTC)', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Last sign-in (UTC)', cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} never="Never" /> },
];

export const actions: Column<Operator> = {
  label: 'Actions',
  kind: 'actions',
  cell: (operator) => (
    <Group gap="xs" justify="flex-end">
      <NewLink of={operator} />
      <RoleOf operator={operator} />
      {operator.second_factor && <ResetSecondFactor of={operator} />}
      <Remove of={operator} />
    </Group>
  ),
};

function Name({ of: { id, email, accepted } }: { of: Operator }) {
  const isSelf = useQuery(me).data?.operator.id === id;
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
        {email}
      </Text>
      {isSelf && <Badge color="gray">You</Badge>}
      {!accepted && <Badge color="yellow">Invited</Badge>}
    </Group>
  );
}

function Factor({ of: { second_factor, needs_second_factor, accepted } }: { of: Operator }) {
  if (second_factor) return <Badge color="teal">On</Badge>;
  return needs_second_factor && accepted ? (
    <Badge color="yellow">Must be set up</Badge>
  ) : (
    <Badge color="gray">Off</Badge>
  );
}
