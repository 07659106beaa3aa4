import { type BodyOf, post } from '../../parts/server/calls.ts';
import { andThen } from '../../parts/server/client.ts';
import { notifyOtherTabs } from '../../parts/server/otherTabs.ts';

/** Moves the session to another partner of the same person. */
export const openAccount = (id: number) => andThen(post('/api/accounts/{id}/open', { id }), notifyOtherTabs);

/** Accepts an invitation with the password somebody already has for its address. */
export const join = (wanted: BodyOf<'POST /api/welcome/join'>) =>
  andThen(post('/api/welcome/join', wanted), notifyOtherTabs);
