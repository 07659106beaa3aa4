import { useNavigate, useParams } from 'react-router';
import { SsoReturn } from '../../subjects/sign-in/SsoReturn.tsx';
import { finishSso } from '../api/session.ts';
import { paths } from '../paths.ts';

/** Where the issuer of a partner sends its members back to. */
export function Sso() {
  const navigate = useNavigate();
  const account = Number(useParams().account);
  return (
    <SsoReturn
      finish={(answer) => finishSso(account, answer)}
      onSignedIn={async (next) => navigate(next, { replace: true })}
      home={paths.home}
      signInPath={paths.signIn()}
    />
  );
}
