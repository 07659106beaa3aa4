import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { safeReturn } from '../../../parts/safeReturn.ts';
import { SignInForm } from '../../../subjects/sign-in/SignInForm.tsx';
import { SsoButton } from '../../../subjects/sign-in/SsoButton.tsx';
import { passkeys, signIn, signInOptions, startSso } from '../../api/session.ts';
import { paths } from '../../paths.ts';

export function SignIn() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { sso } = useQuery(signInOptions).data ?? {};
  return (
    <SignInForm
      title="Operator sign-in"
      about="For the operators of this service. Partners sign in to the panel."
      signIn={signIn}
      passkeys={passkeys}
      onSignedIn={async () => navigate(safeReturn(search.get('next'), paths.home), { replace: true })}
    >
      {sso !== undefined && (
        <SsoButton
          label="Sign in with single sign-on"
          start={() => startSso(false)}
          after={safeReturn(search.get('next'), paths.home)}
        />
      )}
      <Text size="xs" c="dimmed">
        No password yet, or forgot it? Ask an admin for a new link, or create one with the command{' '}
        <span className="mono">operator invite</span>.
      </Text>
    </SignInForm>
  );
}
