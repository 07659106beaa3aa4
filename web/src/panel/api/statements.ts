import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';

export type MonthlyStatement = AnswerOf<'GET /api/{mode}/statements/{month}'>;
export type StatementBook = MonthlyStatement['books'][number];
export type StatementLine = StatementBook['lines'][number];

/** The movements of the wallet. */
export const walletLines = (mode: Mode, page: number, limit: number) =>
  queryOptions({
    queryKey: [mode, 'movements', page, limit],
    queryFn: () => get('/api/{mode}/movements', { mode, page, limit }),
  });

/** The lines of the account on invoice terms, with their orders. */
export const statementLines = (mode: Mode, page: number, limit: number) =>
  queryOptions({
    queryKey: [mode, 'statement', page, limit],
    queryFn: () => get('/api/{mode}/statement', { mode, page, limit }),
  });

export const statementMonths = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'statements'],
    queryFn: () => get('/api/{mode}/statements', { mode }),
  });

export const monthlyStatement = (mode: Mode, month: string) =>
  queryOptions({
    queryKey: [mode, 'statements', month],
    queryFn: () => get('/api/{mode}/statements/{month}', { mode, month }),
  });
