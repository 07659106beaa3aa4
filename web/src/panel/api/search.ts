import type { SearchResult } from '../../../../src/entry/panel/insight/search.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type { SearchResult };

export const search = (mode: Mode, q: string) => get<{ results: SearchResult[] }>(`/api/${mode}/search`, { q });
