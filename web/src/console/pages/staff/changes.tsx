import type { OperatorRole } from '../../../../../src/domains/partners/people/people.ts';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { andThen, type Change } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { ChangeRole } from '../../../subjects/people/ChangeRole.tsx';
import { InvitationLink, type MadeLink } from '../../../subjects/people/InvitationLink.tsx';
import { Invite } from '../../../subjects/people/Invite.tsx';
import { runAction, useAction } from '../../api/actions.ts';
import { type Operator, operators } from '../../api/staff.ts';
import { operatorRoles } from '../../operatorRoles.ts';

const touches = operators.queryKey;

/** Invites a new operator, or makes a new link for an existing one. */
const invite = ({ email, role }: { email: string; role?: OperatorRole }): Change<MadeLink> =>
  andThen(runAction('operator invite', { email, role }), ({ link, mailed }) => ({ email, link, mailed }));

export function InviteOperator() {
  const change = useChange((wanted: { email: string; role: OperatorRole }) => invite(wanted), touches);
  return <Invite title="Invite an operator" roles={operatorRoles} firstRole="read-only" change={change} />;
}

/** For a lost or expired link, or a forgotten password. The previous link stops working. */
export function NewLink({ of: { email, accepted } }: { of: Operator }) {
  const change = useChange(() => invite({ email }), touches);
  return (
    <>
      <ConfirmButton
        size="xs"
        c="inherit"
        label="New link"
        title={`Create a new link for ${email}?`}
        change={{ ...change, mutateAsync: () => change.mutateAsync(undefined) }}
      >
        {accepted
          ? 'They use it to choose a new password. That signs them out everywhere; two-step sign-in stays on.'
          : 'The link they were given stops working.'}
      </ConfirmButton>
      <InvitationLink made={change.data} onClose={change.reset} />
    </>
  );
}

export function RoleOf({ operator }: { operator: Operator }) {
  const set = useChange(
    ({ id, role }: { id: number; role: OperatorRole }) => runAction('operator set', { id: String(id), role }),
    touches,
  );
  return <ChangeRole of={operator} roles={operatorRoles} change={set} />;
}

export function ResetSecondFactor({ of: { id, email } }: { of: Operator }) {
  const reset = useAction('operator reset-second-factor', touches);
  return (
    <ConfirmButton
      size="xs"
      label="Reset two-step"
      title={`Turn off two-step sign-in of ${email}?`}
      change={{ ...reset, mutateAsync: () => reset.mutateAsync({ id: String(id) }) }}
    >
      Do this only if you are sure that {email} asked for it and lost both the phone and the recovery codes. They are
      signed out, and their password alone lets them in until they set it up again.
    </ConfirmButton>
  );
}

export function Remove({ of: { id, email } }: { of: Operator }) {
  const remove = useAction('operator remove', touches);
  return (
    <ConfirmButton
      size="xs"
      label="Remove"
      title={`Remove ${email}?`}
      word={email}
      change={{ ...remove, mutateAsync: () => remove.mutateAsync({ id: String(id) }) }}
    >
      {email} is signed out at once and can no longer sign in. The audit log keeps what they did.
    </ConfirmButton>
  );
}
