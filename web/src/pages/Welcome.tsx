import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { accept, invitation } from '../api/session.ts';
import { Door } from '../components/Door.tsx';
import { Loaded } from '../components/Loaded.tsx';
import { NewPassword } from '../components/NewPassword.tsx';
import { Problem } from '../components/Problem.tsx';
import { paths } from '../paths.ts';

/** Where an invitation or a link to a new password leads: the token is the fragment, which no server ever sees in a log. */
export function Welcome() {
  const navigate = useNavigate();
  const [token] = useState(() => window.location.hash.slice(1));
  // Out of the address bar and the history: the link is a credential until it is used.
  useEffect(() => {
    if (window.location.hash !== '') void navigate(paths.welcome, { replace: true });
  }, [navigate]);
  const whose = useQuery({ ...invitation(token), enabled: token !== '' });
  const set = useMutation({
    mutationFn: (password: string) => accept({ token, password }),
    onSuccess: () => navigate(paths.home, { replace: true }),
  });
  if (token === '' || whose.error)
    return (
      <Door
        title="This link does not work"
        about="Links work once and for seven days. Open yours again, or ask for a new one."
      >
        <Problem error={whose.error} />
        <Anchor component={Link} to={paths.signIn()} size="sm">
          To the sign-in page
        </Anchor>
      </Door>
    );
  return (
    <Door title="Welcome" about={whose.data && `Choose a password for the panel of ${whose.data.partner_name}.`}>
      <Loaded query={whose} lines={4}>
        {({ email }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              set.mutate(String(new FormData(event.currentTarget).get('password')));
            }}
          >
            <Stack>
              <TextInput label="E-mail" value={email} autoComplete="username" readOnly />
              <NewPassword />
              <Problem error={set.error} />
              <Button type="submit" loading={set.isPending}>
                Set password and sign in
              </Button>
            </Stack>
          </form>
        )}
      </Loaded>
    </Door>
  );
}
