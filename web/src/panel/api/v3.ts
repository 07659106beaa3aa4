import { queryOptions } from '@tanstack/react-query';
import { get, type Query } from '../../parts/server/client.ts';
import type { Mode } from '../paths.ts';

/** A GET of the v3 API; the session stands in for the key. Query keys begin with the world, so a change can invalidate all of it. */
export const v3 = <T>(mode: Mode, action: string, query: Query = {}) =>
  queryOptions({
    queryKey: [mode, action, query],
    queryFn: () => get<T>(`/api/${mode}/v3/${action}`, query),
  });
