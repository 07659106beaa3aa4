import { queryOptions } from '@tanstack/react-query';
import type { KeyView } from '../../../../src/site/views/key.ts';
import type { Mode } from '../../panel/paths.ts';
import { get, post } from '../../parts/server/client.ts';

export type Key = KeyView;

export const keys = queryOptions({ queryKey: ['keys'], queryFn: () => get<{ keys: Key[] }>('/api/keys') });

interface KeyDescription {
  readonly name?: string;
  readonly note?: string;
  /** A day, or '' for a key that does not expire. */
  readonly expires_on?: string;
}

export const createKey = (wanted: { mode: Mode; allow_list: string } & KeyDescription) =>
  post<{ key: Key; secret: string }>('/api/keys', wanted);
export const changeKey = ({
  id,
  ...wanted
}: { id: number; allow_list?: string; spending_limit?: string } & KeyDescription) =>
  post<{ key: Key }>(`/api/keys/${id}`, wanted);
export const revokeKey = (id: number) => post<{ key: Key }>(`/api/keys/${id}/revoke`);

type KeyState = 'active' | 'expired' | 'revoked';
export function keyState({ revoked_at, expires_at }: Key): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}
