import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

/** Signs out with the given call and then shows the page to sign in on. */
export function useSignOut(signOut: () => Promise<unknown>, signInPath: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    async onSuccess() {
      await navigate(signInPath);
      // The next person at this screen must not see what this one loaded.
      client.clear();
    },
  });
}
