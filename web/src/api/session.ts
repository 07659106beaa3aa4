import { queryOptions } from '@tanstack/react-query';
import { tellOtherTabs } from '../otherTabs.ts';
import type { Mode } from '../paths.ts';
import { get, post } from './client.ts';

interface Me {
  readonly member: { readonly id: number; readonly email: string };
  readonly partner: { readonly id: number; readonly name: string; readonly billing_mode: 'prepaid' | 'postpaid' };
  readonly addresses: Readonly<Record<Mode | 'legacy', string>>;
}

export const me = queryOptions({ queryKey: ['me'], queryFn: () => get<Me>('/api/me'), staleTime: 5 * 60_000 });

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export const signIn = (credentials: Credentials) => post('/api/sign-in', credentials).then(tellOtherTabs);
export const signOut = () => post('/api/sign-out').then(tellOtherTabs);
export const changePassword = (change: { current: string; password: string }) => post('/api/password', change);

export interface Invitation {
  readonly email: string;
  readonly partner_name: string;
}

/** Posted although it only reads: the token stays out of addresses, which are logged. */
export const invitation = (token: string) =>
  queryOptions({
    queryKey: ['welcome'],
    queryFn: () => post<Invitation>('/api/welcome/show', { token }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const accept = (wanted: { token: string; password: string }) => post('/api/welcome', wanted).then(tellOtherTabs);
