import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { PasskeyButton } from '../passkeys/PasskeyButton.tsx';
import { canUsePasskeys, type PasskeyAnswer } from '../passkeys/passkeys.ts';
import { FactorFields, givenFactor, isAskingForCode, useAsksForCode } from './CodeField.tsx';
import type { PasskeyCalls } from './calls.ts';
import { Door } from './Door.tsx';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The second factor, once the server asked for one. */
  readonly code?: string;
  readonly passkey?: PasskeyAnswer;
}

interface SignInFormProps {
  title: string;
  about: string;
  signIn: (given: Credentials) => Change<unknown>;
  passkeys: PasskeyCalls;
  /** Called when the person is signed in. */
  onSignedIn: () => Promise<unknown>;
  /** Below the form. */
  children: ReactNode;
}

/** The panel's and the console's sign-in page. */
export function SignInForm({ title, about, signIn, passkeys, onSignedIn, children }: SignInFormProps) {
  const enter = useChange(signIn, undefined, onSignedIn);
  const asksForCode = useAsksForCode(enter.error);
  const enterAlone = useChange(passkeys.signIn, undefined, onSignedIn);
  const submit = (typed: FormData, passkey?: PasskeyAnswer) => {
    enter.mutate({
      email: String(typed.get('email')),
      password: String(typed.get('password')),
      ...givenFactor(typed, passkey),
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
          {asksForCode && <FactorFields request={passkeys.request} onPasskey={submit} />}
          {!isAskingForCode(enter.error) && <Problem error={enter.error} />}
          <Button type="submit" loading={enter.isPending}>
            Sign in
          </Button>
        </Stack>
      </Form>
      {!asksForCode && canUsePasskeys() && (
        <>
          <Divider label="or" />
          <PasskeyButton
            label="Sign in with a passkey"
            request={passkeys.request}
            isAlone
            onAnswer={(passkey) => enterAlone.mutate(passkey)}
            loading={enterAlone.isPending}
          />
          <Problem error={enterAlone.error} />
        </>
      )}
      {children}
    </Door>
  );
}
