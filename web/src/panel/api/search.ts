import type { SearchResult } from '../../../../src/panel/search.ts';
import { get } from '../../parts/server/client.ts';
import type { Mode } from '../paths.ts';

export type { SearchResult };

export const search = (mode: Mode, q: string) => get<{ results: SearchResult[] }>(`/api/${mode}/search`, { q });
