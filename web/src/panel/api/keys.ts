import { queryOptions } from '@tanstack/react-query';
import { get, post } from '../../parts/server/client.ts';
import type { KeyCalls } from '../../subjects/keys/KeyActions.tsx';
import type { Key } from '../../subjects/keys/keys.ts';

export const keys = queryOptions({ queryKey: ['keys'], queryFn: () => get<{ keys: Key[] }>('/api/keys') });

export const keyCalls: KeyCalls = {
  touches: keys.queryKey,
  create: (wanted) => post('/api/keys', wanted),
  change: ({ id }, wanted) => post(`/api/keys/${id}`, wanted),
  revoke: ({ id }) => post(`/api/keys/${id}/revoke`),
};
