import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { Form } from '../../parts/Form.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { type Change, isInvalidLink } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import type { PasskeyAnswer, PasskeyRequest } from '../passkeys/passkeys.ts';
import { FactorFields, givenFactor, isAskingForCode, useAsksForCode } from './CodeField.tsx';
import { Door } from './Door.tsx';
import { NewPassword } from './NewPassword.tsx';
import { useLinkToken } from './useLinkToken.ts';

interface AcceptLinkProps<T extends { readonly email: string }> {
  /** Whose link it is. */
  invitation: (token: string) => UseQueryOptions<T, Error, T, string[]>;
  accept: (wanted: { token: string; password: string; code?: string; passkey?: PasskeyAnswer }) => Change<unknown>;
  requestPasskey: () => Promise<PasskeyRequest>;
  about: (invitation: T) => string;
  paths: { readonly welcome: string; readonly home: string; signIn(): string };
  /** Below the form of a link that is valid. */
  children?: (token: string) => ReactNode;
}

/** Opened by an invitation or a password-reset link. */
export function AcceptLink<T extends { readonly email: string }>({
  invitation,
  accept,
  requestPasskey,
  about,
  paths,
  children,
}: AcceptLinkProps<T>) {
  const navigate = useNavigate();
  const token = useLinkToken(paths.welcome);
  const whose = useQuery({ ...invitation(token), enabled: token !== '' });
  const set = useChange(
    ({ typed, passkey }: { typed: FormData; passkey?: PasskeyAnswer }) =>
      accept({ token, password: String(typed.get('password')), ...givenFactor(typed, passkey) }),
    undefined,
    () => navigate(paths.home, { replace: true }),
  );
  const asksForCode = useAsksForCode(set.error);
  if (token === '' || isInvalidLink(whose.error))
    return (
      <Door
        title="This link is no longer valid"
        about="Each link works once and for a limited time. Ask for a new one where you got it."
      >
        <Anchor component={Link} to={paths.signIn()} size="sm">
          Go to sign-in
        </Anchor>
      </Door>
    );
  return (
    <Door title="Welcome" about={whose.data && about(whose.data)}>
      <Loaded query={whose} lines={4}>
        {({ email }) => (
          <Form
            onSubmit={(typed) => {
              set.mutate({ typed });
            }}
          >
            <Stack>
              <TextInput label="Email" value={email} autoComplete="username" readOnly />
              <NewPassword />
              {asksForCode && (
                <FactorFields request={requestPasskey} onPasskey={(typed, passkey) => set.mutate({ typed, passkey })} />
              )}
              {!isAskingForCode(set.error) && <Problem error={set.error} />}
              <Button type="submit" loading={set.isPending}>
                Set password and sign in
              </Button>
            </Stack>
          </Form>
        )}
      </Loaded>
      {whose.data && children?.(token)}
    </Door>
  );
}
