import { tellOtherTabs } from '../otherTabs.ts';
import { post } from './client.ts';

/** Moves the session to another partner of the same person. */
export const openAccount = (id: number) => post(`/api/accounts/${id}/open`).then(tellOtherTabs);

/** Accepts an invitation with the password somebody already has for its address. */
export const join = (wanted: { token: string; password: string; code?: string }) =>
  post('/api/welcome/join', wanted).then(tellOtherTabs);
