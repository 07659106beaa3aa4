import { queryOptions } from '@tanstack/react-query';
import type { SearchResult } from '../../../src/panel/api/search.ts';
import type { Mode } from '../paths.ts';
import { get } from './client.ts';

export type { SearchResult };

/** What a text names. Neither the server nor the browser keeps what was searched for. */
export const search = (mode: Mode, q: string) =>
  queryOptions({
    queryKey: [mode, 'search', q],
    queryFn: () => get<{ results: SearchResult[] }>(`/api/${mode}/search`, { q }),
    enabled: q !== '',
    gcTime: 0,
  });
