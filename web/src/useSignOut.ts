import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { signOut } from './api/session.ts';
import { paths } from './paths.ts';

export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: signOut,
    async onSuccess() {
      await navigate(paths.signIn());
      // The next person at this screen must not see what this member loaded.
      client.clear();
    },
  });
}
