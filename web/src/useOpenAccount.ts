import { useMutation } from '@tanstack/react-query';
import { openAccount } from './api/accounts.ts';

/** Opens another partner's account at `path`, with a full page load: nothing of the previous account may stay on the screen. */
export function useOpenAccount(path: string) {
  return useMutation({ mutationFn: openAccount, onSuccess: () => window.location.assign(path) });
}
