import { queryOptions } from '@tanstack/react-query';
import { get, post, postToRead } from '../../parts/server/calls.ts';
import type { KeyCalls } from '../../subjects/keys/KeyActions.tsx';

export const keys = queryOptions({ queryKey: ['keys'], queryFn: () => get('/api/keys') });

/** A sandbox key for the samples of the reference, for members with the developer permission. Dropped when the page is left. */
export const sampleKey = queryOptions({
  queryKey: [...keys.queryKey, 'sample'],
  queryFn: () => postToRead('/api/sandbox/sample-key'),
  gcTime: 0,
});

export const keyCalls: KeyCalls = {
  touches: keys.queryKey,
  create: (wanted) => post('/api/keys', { allow_list: '', ...wanted }),
  // An unchanged expiry day is not sent: the server would refuse the past day of an expired key.
  change: ({ id, expires_at }, { expires_on, ...wanted }) =>
    post(
      '/api/keys/{id}',
      { id },
      { ...wanted, ...(expires_on !== (expires_at?.slice(0, 10) ?? '') && { expires_on }) },
    ),
  revoke: ({ id }) => post('/api/keys/{id}/revoke', { id }),
};
