import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { CodeField, isAskingForCode, useAsksForCode } from './CodeField.tsx';
import { Door } from './Door.tsx';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The code of the second factor, once the server asked for one. */
  readonly code?: string;
}

interface SignInFormProps {
  title: string;
  about: string;
  signIn: (given: Credentials) => Change<unknown>;
  /** Called when the person is signed in. */
  onSignedIn: () => Promise<unknown>;
  /** Below the form. */
  children: ReactNode;
}

/** The panel's and the console's sign-in page. */
export function SignInForm({ title, about, signIn, onSignedIn, children }: SignInFormProps) {
  const enter = useChange(signIn, undefined, onSignedIn);
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
    <Door title={title} about={about}>
      <Form
        onSubmit={(typed) => {
          submit(typed);
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
      </Form>
      {children}
    </Door>
  );
}
