import { AcceptLink } from '../../subjects/sign-in/AcceptLink.tsx';
import { accept, invitation, passkeys } from '../api/session.ts';
import { paths } from '../paths.ts';
import { JoinInstead } from './JoinInstead.tsx';

export function Welcome() {
  return (
    <AcceptLink
      invitation={invitation}
      accept={accept}
      requestPasskey={passkeys.request}
      about={({ partner_name }) => `Choose a password to join ${partner_name}.`}
      paths={paths}
    >
      {(token) => <JoinInstead token={token} />}
    </AcceptLink>
  );
}
