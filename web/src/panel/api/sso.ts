import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';

export type Sso = AnswerOf<'GET /api/sso'>;
export const sso = queryOptions({ queryKey: ['sso'], queryFn: () => get('/api/sso') });
export const setSso = (wanted: BodyOf<'POST /api/sso'>) => post('/api/sso', wanted);
export const removeSso = () => post('/api/sso/remove');
export const requireSso = (memberId: number | null) => post('/api/sso/require', { break_glass: memberId });
