import { Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import type { PasskeyAnswer } from '../../subjects/passkeys/passkeys.ts';
import { FactorFields, givenFactor, isAskingForCode, useAsksForCode } from '../../subjects/sign-in/CodeField.tsx';
import { join } from '../api/accounts.ts';
import { passkeys } from '../api/session.ts';
import { paths } from '../paths.ts';

/**
 * The other way to accept an invitation: with the password of an existing account. It is offered to everybody, because
 * showing it only where it applies would tell the inviter that the address has another account.
 */
export function JoinInstead({ token }: { token: string }) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const joining = useChange(
    ({ typed, passkey }: { typed: FormData; passkey?: PasskeyAnswer }) =>
      join({ token, password: String(typed.get('current')), ...givenFactor(typed, passkey) }),
    undefined,
    () => navigate(paths.home, { replace: true }),
  );
  const asksForCode = useAsksForCode(joining.error);
  if (!isOpen)
    return (
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setOpen(true)}>
        Already have an account with this address? Use its password
      </Anchor>
    );
  return (
    <Form
      onSubmit={(typed) => {
        joining.mutate({ typed });
      }}
    >
      <Stack>
        <PasswordInput
          name="current"
          label="Password of your existing account"
          autoComplete="current-password"
          required
          autoFocus
        />
        {asksForCode && (
          <FactorFields request={passkeys.request} onPasskey={(typed, passkey) => joining.mutate({ typed, passkey })} />
        )}
        {!isAskingForCode(joining.error) && <Problem error={joining.error} />}
        <Button type="submit" variant="default" loading={joining.isPending}>
          Sign in and join
        </Button>
      </Stack>
    </Form>
  );
}
