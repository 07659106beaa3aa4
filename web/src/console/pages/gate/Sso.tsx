import { useNavigate } from 'react-router';
import { SsoReturn } from '../../../subjects/sign-in/SsoReturn.tsx';
import { finishSso } from '../../api/session.ts';
import { paths } from '../../paths.ts';

export function Sso() {
  const navigate = useNavigate();
  return (
    <SsoReturn
      finish={finishSso}
      onSignedIn={async (next) => navigate(next, { replace: true })}
      home={paths.home}
      signInPath={paths.signIn()}
    />
  );
}
