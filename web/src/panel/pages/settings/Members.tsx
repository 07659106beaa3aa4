import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { ChangeRole } from '../../../subjects/people/ChangeRole.tsx';
import { InvitationLink } from '../../../subjects/people/InvitationLink.tsx';
import { Invite } from '../../../subjects/people/Invite.tsx';
import { memberRoles, roleName } from '../../../subjects/people/roleName.ts';
import { changeRole, invite, inviteAgain, type Member, members, removeMember } from '../../api/members.ts';
import { me } from '../../api/session.ts';
import { useMay } from '../../useMay.ts';

export function Members() {
  const all = useQuery(members);
  const manages = useMay()('manage');
  return (
    <Section
      title="Members"
      about="What members see and change here is decided by their role."
      actions={manages && <InviteMember />}
      flush
    >
      <Loaded query={all}>
        {(data) => (
          <DataTable
            label="Members"
            columns={manages ? [...columns, actions] : columns}
            rows={data.members}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Member>[] = [
  { label: 'Email', cell: (member) => <Name of={member} /> },
  { label: 'Role', cell: ({ role }) => roleName[role] },
  { label: 'Invited (UTC)', cell: ({ invited_at }) => <When at={invited_at} /> },
  { label: 'Last sign-in (UTC)', cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} never="Never" /> },
];

const actions: Column<Member> = {
  label: 'Actions',
  kind: 'actions',
  cell: (member) => (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!member.accepted && <InviteAgain of={member} />}
      <RoleOf member={member} />
      <Remove of={member} />
    </Group>
  ),
};

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

function InviteMember() {
  const change = useChange(invite, ['members']);
  return <Invite title="Invite a member" roles={memberRoles} firstRole="read-only" change={change} />;
}

function RoleOf({ member }: { member: Member }) {
  return <ChangeRole of={member} roles={memberRoles} change={useChange(changeRole, ['members'])} />;
}

/** For an invitation that was lost or has expired: the link there was stops working. */
function InviteAgain({ of: { id } }: { of: Member }) {
  const change = useChange(() => inviteAgain(id), ['members']);
  return (
    <>
      <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate(undefined)}>
        New link
      </Button>
      <Problem error={change.error} />
      <InvitationLink made={change.data} onClose={change.reset} />
    </>
  );
}

function Remove({ of: { id, email, accepted } }: { of: Member }) {
  const remove = useChange(() => removeMember(id), ['members']);
  if (!accepted)
    return (
      <ConfirmButton size="xs" label="Revoke" title={`Revoke the invitation of ${email}?`} change={remove}>
        The link stops working. You can invite {email} again later.
      </ConfirmButton>
    );
  return (
    <ConfirmButton size="xs" label="Remove" title={`Remove ${email}?`} change={remove}>
      {email} will be signed out and loses access to this account. API keys keep working.
    </ConfirmButton>
  );
}
