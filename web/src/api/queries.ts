import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../paths.ts';
import { get, type Query } from './client.ts';

/** What the v3 API answers to a GET, through the session. Keys begin with the world, so a change can touch all of it. */
export const v3 = <T>(mode: Mode, action: string, query: Query = {}) =>
  queryOptions({
    queryKey: [mode, action, query],
    queryFn: () => get<T>(`/api/${mode}/v3/${action}`, query),
  });

/** A change on the server; what it may have touched is read again. */
export function useChange<Input, Output>(run: (input: Input) => Promise<Output>, touches: QueryKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: touches }),
  });
}
