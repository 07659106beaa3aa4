import { Anchor, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { safeReturn } from '../../parts/safeReturn.ts';
import { SignInForm } from '../../subjects/sign-in/SignInForm.tsx';
import { me, passkeys, signIn, signInOptions } from '../api/session.ts';
import { paths } from '../paths.ts';
import { SsoSignIn } from './SsoSignIn.tsx';

export function SignIn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { mails_links: mailsLinks = false, sign_up: signUp, sso } = useQuery(signInOptions).data ?? {};
  return (
    <SignInForm
      title="Sign in"
      about="Manage your reseller account: API keys, webhooks, orders and money."
      signIn={signIn}
      passkeys={passkeys}
      onSignedIn={async () => {
        const next = safeReturn(search.get('next'), paths.home);
        const { accounts } = await client.fetchQuery({ ...me, staleTime: 0 });
        await navigate(accounts.length > 1 ? paths.accounts(next) : next, { replace: true });
      }}
    >
      {sso && <SsoSignIn next={safeReturn(search.get('next'), paths.home)} />}
      <Text size="xs" c="dimmed">
        {signUp === undefined ? (
          'No account yet? Ask a colleague to invite you.'
        ) : (
          <>
            No account yet?{' '}
            <Anchor component={Link} to={paths.signUp} size="xs">
              Sign up
            </Anchor>
            .
          </>
        )}{' '}
        {mailsLinks ? (
          <Anchor component={Link} to={paths.forgotten} size="xs">
            Forgot your password?
          </Anchor>
        ) : (
          'Forgot your password? Ask the operator of this server for a new link.'
        )}
      </Text>
    </SignInForm>
  );
}
