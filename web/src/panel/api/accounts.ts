import { andThen, post } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';

/** Moves the session to another partner of the same person. */
export const openAccount = (id: number) => andThen(post(`/api/accounts/${id}/open`), notifyOtherTabs);

/** Accepts an invitation with the password somebody already has for its address. */
export const join = (wanted: { token: string; password: string; code?: string }) =>
  andThen(post('/api/welcome/join', wanted), notifyOtherTabs);
