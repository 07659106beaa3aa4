import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Member, members, removeMember } from '../../api/members.ts';
import { useChange } from '../../api/queries.ts';
import { me } from '../../api/session.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { Invite } from './Invite.tsx';

export function Members() {
  const all = useQuery(members);
  return (
    <Section title="Members" about="Every member has full access to this panel." actions={<Invite />} flush>
      <Loaded query={all}>
        {(data) => <DataTable label="Members" columns={columns} rows={data.members} rowKey={({ id }) => id} />}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Member>[] = [
  { label: 'Email', cell: (member) => <Name of={member} /> },
  { label: 'Invited (UTC)', cell: ({ invited_at }) => <When at={invited_at} /> },
  { label: 'Last sign-in (UTC)', cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} never="Never" /> },
  { label: 'Actions', kind: 'actions', cell: (member) => <Remove of={member} /> },
];

function Name({ of: { id, email, accepted } }: { of: Member }) {
  const self = useQuery(me).data?.member.id === id;
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
        {email}
      </Text>
      {self && <Badge color="gray">You</Badge>}
      {!accepted && <Badge color="yellow">Invited</Badge>}
    </Group>
  );
}

function Remove({ of: { id, email } }: { of: Member }) {
  const remove = useChange(() => removeMember(id), ['members']);
  return (
    <ConfirmButton size="xs" label="Remove" title={`Remove ${email}?`} change={remove}>
      {email} will be signed out and loses access to this account. API keys keep working.
    </ConfirmButton>
  );
}
