import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { accept, invitation } from '../api/session.ts';
import { CodeField, isAskingForCode, useAsksForCode } from '../components/CodeField.tsx';
import { Door } from '../components/Door.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { NewPassword } from '../components/NewPassword.tsx';
import { Problem } from '../components/Problem.tsx';
import { paths } from '../paths.ts';
import { JoinInstead } from './JoinInstead.tsx';

/** Opened by an invitation or a password-reset link. The token is in the fragment, which browsers never send, so no log has it. */
export function Welcome() {
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.slice(1));
  // Remove it from the address bar and the history: until it is used, the link is a credential.
  useEffect(() => {
    if (window.location.hash !== '') void navigate(paths.welcome, { replace: true });
  }, [navigate]);
  const whose = useQuery({ ...invitation(token), enabled: token !== '' });
  const set = useMutation({
    mutationFn: (typed: FormData) => {
      const code = typed.get('code');
      return accept({ token, password: String(typed.get('password')), ...(code !== null && { code: String(code) }) });
    },
    onSuccess: () => navigate(paths.home, { replace: true }),
  });
  const asksForCode = useAsksForCode(set.error);
  if (token === '' || whose.error)
    return (
      <Door
        title="This link is no longer valid"
        about="Each link works once and for a limited time. Ask for a new one where you got it."
      >
        <Problem error={whose.error} />
        <Anchor component={Link} to={paths.signIn()} size="sm">
          Go to sign-in
        </Anchor>
      </Door>
    );
  return (
    <Door title="Welcome" about={whose.data && `Choose a password to join ${whose.data.partner_name}.`}>
      <Loaded query={whose} lines={4}>
        {({ email }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              set.mutate(new FormData(event.currentTarget));
            }}
          >
            <Stack>
              <TextInput label="Email" value={email} autoComplete="username" readOnly />
              <NewPassword />
              {asksForCode && <CodeField />}
              {!isAskingForCode(set.error) && <Problem error={set.error} />}
              <Button type="submit" loading={set.isPending}>
                Set password and sign in
              </Button>
            </Stack>
          </form>
        )}
      </Loaded>
      {whose.data && <JoinInstead token={token} />}
    </Door>
  );
}
