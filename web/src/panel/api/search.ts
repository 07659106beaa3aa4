import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

export type SearchResult = AnswerOf<'GET /api/{mode}/search'>['results'][number];

export const search = (mode: Mode, q: string) => get('/api/{mode}/search', { mode, q });
