import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import type { Column } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconUsers } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { InvitationLink } from '../../../subjects/people/InvitationLink.tsx';
import { Invite } from '../../../subjects/people/Invite.tsx';
import { InviteAgain, type MemberCalls, RemoveMember, RoleOf } from '../../../subjects/people/MemberActions.tsx';
import { PeopleTable } from '../../../subjects/people/PeopleTable.tsx';
import { memberRoles, roleName } from '../../../subjects/people/roleName.ts';
import { runAction, useAction } from '../../api/actions.ts';
import { allPartners, membersOf, type Partner, type PartnerMember } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { invite } from './invite.ts';
import { withInput } from './withInput.ts';

const EVERY_MS = 30_000;

/** Who signs in to the panel for this partner. */
export function Members({ of }: { of: Partner }) {
  const may = useMay();
  const all = useQuery({ ...membersOf(of.id), refetchInterval: EVERY_MS });
  const isOpen = of.status !== 'closed';
  const mayAct = isOpen && may('invite');
  const calls = callsFor(of);
  return (
    <Section
      title="Members"
      about="People who sign in to the panel for this partner."
      actions={mayAct && <InviteMember of={of} calls={calls} />}
      flush
    >
      <Loaded query={all}>
        {({ members }) =>
          members.length === 0 ? (
            <Empty icon={IconUsers} title="No members">
              {isOpen
                ? 'Invite somebody: until then the panel of this partner cannot be opened.'
                : 'They were removed.'}
            </Empty>
          ) : (
            <PeopleTable
              label="Members"
              people={members}
              roles={roleName}
              more={[secondFactor]}
              since={{ label: 'Invited', of: ({ invited_at }) => invited_at }}
              actions={mayAct ? (member) => <Actions of={member} calls={calls} /> : undefined}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const callsFor = ({ id: partnerId }: Partner): MemberCalls => ({
  touches: allPartners,
  invite: (wanted) => invite(partnerId, wanted),
  inviteAgain: ({ email }) => invite(partnerId, { email }),
  changeRole: ({ id, role }) => runAction('member set', { id: String(id), role }),
  remove: ({ id }) => runAction('member remove', { id: String(id) }),
});

/** Operators who may not assign roles invite members as read-only. */
function InviteMember({ of: { name }, calls }: { of: Partner; calls: MemberCalls }) {
  const givesAnyRole = useMay()('money');
  return (
    <Invite
      title={`Invite a member of ${name}`}
      about="Somebody who is a member already gets a new link and keeps their role."
      roles={
        givesAnyRole ? memberRoles : 'A new member becomes read-only. Finance and admins can invite with another role.'
      }
      firstRole={givesAnyRole ? 'owner' : 'read-only'}
      change={useChange(calls.invite, calls.touches)}
    />
  );
}

const secondFactor: Column<PartnerMember> = {
  label: 'Second factor',
  cell: ({ accepted, second_factor }) => (accepted ? (second_factor ? 'On' : 'Off') : null),
};

function Actions({ of: member, calls }: { of: PartnerMember; calls: MemberCalls }) {
  const { email, accepted, second_factor } = member;
  return (
    <Group gap="xs" justify="flex-end">
      {accepted ? <PasswordLink of={member} calls={calls} /> : <InviteAgain of={member} calls={calls} />}
      {useMay()('manage') && (
        <>
          <RoleOf of={member} calls={calls} />
          {second_factor && <ResetSecondFactor of={member} />}
          <RemoveMember of={member} calls={calls}>
            {email} is signed out and loses access to this partner, even as its last owner. API keys keep working.
          </RemoveMember>
        </>
      )}
    </Group>
  );
}

/** For a forgotten password. */
function PasswordLink({ of: member, calls }: { of: PartnerMember; calls: MemberCalls }) {
  const { email } = member;
  const make = useChange(() => calls.inviteAgain(member), calls.touches);
  return (
    <>
      <ConfirmButton size="xs" c="inherit" label="Password link" title={`A password link for ${email}?`} change={make}>
        Anyone with the link can set a new password for {email} at this partner, so give it only to them. Their password
        works until the link is used. A second factor is still asked for.
      </ConfirmButton>
      <InvitationLink made={make.data} kind="Password link" onClose={make.reset} />
    </>
  );
}

function ResetSecondFactor({ of: { id, email } }: { of: PartnerMember }) {
  const reset = useAction('member reset-second-factor', allPartners);
  return (
    <ConfirmButton
      size="xs"
      label="Reset second factor"
      title={`Turn off the second factor of ${email}?`}
      change={withInput(reset, { id: String(id) })}
    >
      For somebody who lost their phone and their recovery codes. It is turned off at all their partners, and they are
      signed out everywhere. Make sure first that it is really them asking.
    </ConfirmButton>
  );
}
