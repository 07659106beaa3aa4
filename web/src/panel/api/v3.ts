import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type Change, getFrom, postForm, type Query } from '../../parts/server/client.ts';

/** A GET of the v3 API; the session stands in for the key. Query keys begin with the world, so a change can invalidate all of it. */
export const v3 = <T>(mode: Mode, action: string, query: Query = {}) =>
  queryOptions({
    queryKey: [mode, action, query],
    queryFn: () => getFrom<T>(`/api/${mode}/v3/${action}`, query),
  });

/** A POST of the v3 API, which takes forms. */
export const postV3 = <T>(mode: Mode, action: string, form: Query = {}): Change<T> =>
  postForm(`/api/${mode}/v3/${action}`, form);
