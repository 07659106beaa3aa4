import { useChange } from '../parts/server/useChange.ts';
import { openAccount } from './api/accounts.ts';

/** Opens another partner's account at `path`, with a full page load: nothing of the previous account may stay on the screen. */
export function useOpenAccount(path: string) {
  return useChange(openAccount, undefined, () => window.location.assign(path));
}
