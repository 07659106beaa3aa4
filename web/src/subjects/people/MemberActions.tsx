import { Button } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Role } from '../../../../src/domains/partners/people/people.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { ChangeRole } from './ChangeRole.tsx';
import { InvitationLink, type MadeLink } from './InvitationLink.tsx';
import { memberRoles } from './roleName.ts';

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly accepted: boolean;
}

/** How an application changes the members of a partner. */
export interface MemberCalls {
  /** Read again afterwards. */
  readonly touches: QueryKey;
  readonly invite: (wanted: { readonly email: string; readonly role: Role }) => Change<MadeLink>;
  readonly inviteAgain: (member: Member) => Change<MadeLink>;
  readonly changeRole: (wanted: { readonly id: number; readonly role: Role }) => Change<unknown>;
  readonly remove: (member: Member) => Change<unknown>;
}

interface Of {
  of: Member;
  calls: MemberCalls;
}

/** For a lost or expired invitation. The previous link stops working. */
export function InviteAgain({ of: member, calls }: Of) {
  const change = useChange(() => calls.inviteAgain(member), calls.touches);
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

export const RoleOf = ({ of: member, calls }: Of) => (
  <ChangeRole of={member} roles={memberRoles} change={useChange(calls.changeRole, calls.touches)} />
);

/** `children`: what removal means for a member who has joined. */
export function RemoveMember({ of: member, calls, children }: Of & { children: ReactNode }) {
  const { email, accepted } = member;
  const remove = useChange(() => calls.remove(member), calls.touches);
  if (!accepted)
    return (
      <ConfirmButton size="xs" label="Revoke" title={`Revoke the invitation of ${email}?`} change={remove}>
        The link stops working. You can invite {email} again later.
      </ConfirmButton>
    );
  return (
    <ConfirmButton size="xs" label="Remove" title={`Remove ${email}?`} change={remove}>
      {children}
    </ConfirmButton>
  );
}
