import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type Credentials, me, signIn, signInOptions } from '../api/session.ts';
import { CodeField, isAskingForCode, useAsksForCode } from '../components/CodeField.tsx';
import { Door } from '../components/Door.tsx';
import { Problem } from '../components/Problem.tsx';
import { paths, safeReturn } from '../paths.ts';

export function SignIn() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const mailsLinks = useQuery(signInOptions).data?.mails_links === true;
  const enter = useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    async onSuccess() {
      const next = safeReturn(search.get('next'));
      const { accounts } = await client.fetchQuery({ ...me, staleTime: 0 });
      await navigate(accounts.length > 1 ? paths.accounts(next) : next, { replace: true });
    },
  });
  const asksForCode = useAsksForCode(enter.error);
  const submit = (form: FormData) => {
    const code = form.get('code');
    enter.mutate({
      email: String(form.get('email')),
      password: String(form.get('password')),
      ...(code !== null && { code: String(code) }),
    });
  };
  return (
    <Door title="Sign in" about="Manage your reseller account: API keys, webhooks, orders and money.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          <TextInput name="email" type="email" label="Email" autoComplete="username" required autoFocus />
          <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          {asksForCode && <CodeField />}
          {!isAskingForCode(enter.error) && <Problem error={enter.error} />}
          <Button type="submit" loading={enter.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
      <Text size="xs" c="dimmed">
        No account yet? Ask a colleague to invite you.{' '}
        {mailsLinks ? (
          <Anchor component={Link} to={paths.forgotten} size="xs">
            Forgot your password?
          </Anchor>
        ) : (
          'Forgot your password? Ask the operator of this server for a new link.'
        )}
      </Text>
    </Door>
  );
}
