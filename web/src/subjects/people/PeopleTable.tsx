import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { When } from '../../parts/When.tsx';
import type { RoleWords } from './roleName.ts';

interface Person {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly accepted: boolean;
  readonly last_sign_in_at: string | null;
}

interface PeopleTableProps<P extends Person> {
  label: string;
  people: readonly P[];
  roles: RoleWords<P['role']>['name'];
  /** The reader, if they are in the list. */
  selfId?: number | undefined;
  /** Further columns. */
  more?: readonly Column<P>[];
  since: { readonly label: string; readonly of: (person: P) => string };
  /** Undefined: nothing may be changed. */
  actions?: ((person: P) => ReactNode) | undefined;
}

/** Who can sign in. */
export function PeopleTable<P extends Person>(props: PeopleTableProps<P>) {
  const { label, people, roles, selfId, more = [], since, actions } = props;
  const columns: Column<P>[] = [
    { label: 'Email', cell: (person) => <Name of={person} isSelf={person.id === selfId} /> },
    { label: 'Role', cell: ({ role }) => roles[role as P['role']] },
    ...more,
    { label: since.label, cell: (person) => <When at={since.of(person)} /> },
    { label: 'Last sign-in', cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} never="Never" /> },
  ];
  if (actions) columns.push({ label: 'Actions', kind: 'actions', cell: actions });
  return <DataTable label={label} columns={columns} rows={people} rowKey={({ id }) => id} />;
}

const Name = ({ of: { email, accepted }, isSelf }: { of: Person; isSelf: boolean }) => (
  <Group gap="xs">
    <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
      {email}
    </Text>
    {isSelf && <Badge color="gray">You</Badge>}
    {!accepted && <Badge color="yellow">Invited</Badge>}
  </Group>
);
