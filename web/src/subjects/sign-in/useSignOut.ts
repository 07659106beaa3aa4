import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';

/** Signs out with the given call and then shows the page to sign in on. */
export function useSignOut(signOut: () => Change<unknown>, signInPath: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useChange(signOut, undefined, async () => {
    await navigate(signInPath);
    // The next person at this screen must not see what this one loaded.
    client.clear();
  });
}
