import { Text } from '@mantine/core';
import { useNavigate, useSearchParams } from 'react-router';
import { safeReturn } from '../../../parts/safeReturn.ts';
import { SignInForm } from '../../../subjects/sign-in/SignInForm.tsx';
import { passkeys, signIn } from '../../api/session.ts';
import { paths } from '../../paths.ts';

export function SignIn() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return (
    <SignInForm
      title="Operator sign-in"
      about="For the operators of this service. Partners sign in to the panel."
      signIn={signIn}
      passkeys={passkeys}
      onSignedIn={async () => navigate(safeReturn(search.get('next'), paths.home), { replace: true })}
    >
      <Text size="xs" c="dimmed">
        No password yet, or forgot it? Ask an admin for a new link, or create one with the command{' '}
        <span className="mono">operator invite</span>.
      </Text>
    </SignInForm>
  );
}
