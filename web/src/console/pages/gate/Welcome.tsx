import { AcceptLink } from '../../../subjects/sign-in/AcceptLink.tsx';
import { accept, invitation, passkeys } from '../../api/session.ts';
import { paths } from '../../paths.ts';

export function Welcome() {
  return (
    <AcceptLink
      invitation={invitation}
      accept={accept}
      requestPasskey={passkeys.request}
      about={() => 'Choose a password for the operator console.'}
      paths={paths}
    />
  );
}
