import { Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '../../parts/Problem.tsx';
import { safeReturn } from '../../parts/safeReturn.ts';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { Door } from './Door.tsx';

const RETURN = 'wayfare sso return';

/** Goes to the issuer, and afterwards to this page. */
export function leaveFor(url: string, after: string): void {
  sessionStorage.setItem(RETURN, after);
  window.location.assign(url);
}

interface SsoReturnProps {
  finish: (answer: string) => Change<unknown>;
  /** Called with the page to show. */
  onSignedIn: (next: string) => Promise<unknown>;
  home: string;
  signInPath: string;
}

/** Where the issuer sends people back to. What it says is sent on once, and removed from the address. */
export function SsoReturn({ finish, onSignedIn, home, signInPath }: SsoReturnProps) {
  const [answer] = useState(() => window.location.search);
  const { mutate, error } = useChange(finish, undefined, () => {
    const next = safeReturn(sessionStorage.getItem(RETURN), home);
    sessionStorage.removeItem(RETURN);
    return onSignedIn(next);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    window.history.replaceState(null, '', window.location.pathname);
    if (answer !== '') mutate(answer);
  }, []);
  const isNowhere = error !== null || answer === '';
  return (
    <Door title={isNowhere ? 'You are not signed in' : 'Signing in'}>
      {isNowhere ? (
        <>
          {error ? <Problem error={error} /> : <Text size="sm">Begin on the sign-in page.</Text>}
          <Anchor component={Link} to={signInPath} size="sm">
            Go to sign-in
          </Anchor>
        </>
      ) : (
        <Text size="sm" c="dimmed" role="status">
          We are checking what your company’s sign-in says.
        </Text>
      )}
    </Door>
  );
}
