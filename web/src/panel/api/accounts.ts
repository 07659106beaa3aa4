import { andThen, post } from '../../parts/server/client.ts';
import { tellOtherTabs } from '../../parts/server/otherTabs.ts';

/** Moves the session to another partner of the same person. */
export const openAccount = (id: number) => andThen(post(`/api/accounts/${id}/open`), tellOtherTabs);

/** Accepts an invitation with the password somebody already has for its address. */
export const join = (wanted: { token: string; password: string; code?: string }) =>
  andThen(post('/api/welcome/join', wanted), tellOtherTabs);
