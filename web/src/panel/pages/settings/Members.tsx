import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { Invite } from '../../../subjects/people/Invite.tsx';
import { InviteAgain, type Member, RemoveMember, RoleOf } from '../../../subjects/people/MemberActions.tsx';
import { PeopleTable } from '../../../subjects/people/PeopleTable.tsx';
import { memberRoles, roleName } from '../../../subjects/people/roleName.ts';
import { memberCalls as calls, members } from '../../api/members.ts';
import { me } from '../../api/session.ts';
import { useMay } from '../../useMay.ts';

export function Members() {
  const all = useQuery(members);
  const selfId = useQuery(me).data?.member.id;
  const manages = useMay()('manage');
  return (
    <Section
      title="Members"
      about="Their role decides what members can see and change."
      actions={manages && <InviteMember />}
      flush
    >
      <Loaded query={all}>
        {(data) => (
          <PeopleTable
            label="Members"
            people={data.members}
            roles={roleName}
            selfId={selfId}
            since={{ label: 'Invited', of: ({ invited_at }) => invited_at }}
            actions={manages ? (member) => <Actions of={member} /> : undefined}
          />
        )}
      </Loaded>
    </Section>
  );
}

function InviteMember() {
  const change = useChange(calls.invite, calls.touches);
  return <Invite title="Invite a member" roles={memberRoles} firstRole="read-only" change={change} />;
}

const Actions = ({ of: member }: { of: Member }) => (
  <Group gap="xs" justify="flex-end" wrap="nowrap">
    {!member.accepted && <InviteAgain of={member} calls={calls} />}
    <RoleOf of={member} calls={calls} />
    <RemoveMember of={member} calls={calls}>
      {member.email} will be signed out and loses access to this account. API keys keep working.
    </RemoveMember>
  </Group>
);
