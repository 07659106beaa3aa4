import { Badge, Button, Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { InvitationLink } from '../../../subjects/people/InvitationLink.tsx';
import { roleName } from '../../../subjects/people/roleName.ts';
import { allPartners, membersOf, type Partner, type PartnerMember } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { useMay } from '../../useMay.ts';
import { ChangeRole } from './ChangeRole.tsx';
import { Invite } from './Invite.tsx';
import { useInvite } from './useInvite.ts';
import { withInput } from './withInput.ts';

const EVERY_MS = 30_000;

/** Who signs in to the panel for this partner. */
export function Members({ of }: { of: Partner }) {
  const may = useMay();
  const all = useQuery({ ...membersOf(of.id), refetchInterval: EVERY_MS });
  const isOpen = of.status !== 'closed';
  const mayAct = isOpen && may('invite');
  return (
    <Section
      title="Members"
      about="People who sign in to the panel for this partner."
      actions={isOpen && may('invite') && <Invite of={of} />}
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
            <DataTable
              label="Members"
              columns={mayAct ? [...columns, actions(of)] : columns}
              rows={members}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<PartnerMember>[] = [
  {
    label: 'Email',
    cell: ({ email, accepted }) => (
      <Group gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
          {email}
        </Text>
        {!accepted && <Badge color="yellow">Invited</Badge>}
      </Group>
    ),
  },
  { label: 'Role', cell: ({ role }) => roleName[role] },
  {
    label: 'Second factor',
    cell: ({ accepted, second_factor }) => (accepted ? (second_factor ? 'On' : 'Off') : null),
  },
  { label: 'Invited (UTC)', cell: ({ invited_at }) => <When at={invited_at} /> },
  { label: 'Last sign-in (UTC)', cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} never="Never" /> },
];

const actions = (of: Partner): Column<PartnerMember> => ({
  label: 'Actions',
  kind: 'actions',
  cell: (member) => <Actions partner={of} of={member} />,
});

function Actions({ partner, of: member }: { partner: Partner; of: PartnerMember }) {
  const may = useMay();
  return (
    <Group gap="xs" justify="flex-end">
      {may('invite') && <NewLink partner={partner} of={member} />}
      {may('manage') && (
        <>
          <ChangeRole of={member} />
          {member.second_factor && <ResetSecondFactor of={member} />}
          <Remove of={member} />
        </>
      )}
    </Group>
  );
}

/** For an invitation that was lost, or a password that was forgotten. */
function NewLink({ partner, of: { email, accepted } }: { partner: Partner; of: PartnerMember }) {
  const change = useInvite(partner.id);
  const make = { ...change, mutateAsync: () => change.mutateAsync({ email }) };
  return (
    <>
      {accepted ? (
        <ConfirmButton
          size="xs"
          c="inherit"
          label="Password link"
          title={`A password link for ${email}?`}
          change={make}
        >
          Anyone with the link can set a new password for {email} at this partner, so give it only to them. Their
          password works until the link is used. A second factor is still asked for.
        </ConfirmButton>
      ) : (
        <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate({ email })}>
          New link
        </Button>
      )}
      {!accepted && <Problem error={change.error} />}
      <InvitationLink made={change.data} kind={accepted ? 'Password link' : 'Invitation'} onClose={change.reset} />
    </>
  );
}

function ResetSecondFactor({ of: { id, email } }: { of: PartnerMember }) {
  const reset = useRun('member reset-second-factor', allPartners);
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

function Remove({ of: { id, email, accepted } }: { of: PartnerMember }) {
  const remove = useRun('member remove', allPartners);
  return (
    <ConfirmButton
      size="xs"
      label="Remove"
      title={accepted ? `Remove ${email}?` : `Take back the invitation of ${email}?`}
      change={withInput(remove, { id: String(id) })}
    >
      {accepted
        ? `${email} is signed out and loses access to this partner, even as its last owner. API keys keep working.`
        : `The link stops working. ${email} can be invited again.`}
    </ConfirmButton>
  );
}
