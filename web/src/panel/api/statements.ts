import { queryOptions } from '@tanstack/react-query';
import type { MonthlyStatement, StatementPage } from '../../../../src/entry/site/views/statement.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type {
  MonthlyStatement,
  StatementBook,
  StatementLine,
} from '../../../../src/entry/site/views/statement.ts';

/** The lines of the account on invoice terms, with their orders. */
export const statementLines = (mode: Mode, page: number) =>
  queryOptions({
    queryKey: [mode, 'statement', page],
    queryFn: () => get<StatementPage>(`/api/${mode}/statement`, { page }),
  });

export const statementMonths = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'statements'],
    queryFn: () => get<{ readonly months: readonly string[] }>(`/api/${mode}/statements`),
  });

export const monthlyStatement = (mode: Mode, month: string) =>
  queryOptions({
    queryKey: [mode, 'statements', month],
    queryFn: () => get<MonthlyStatement>(`/api/${mode}/statements/${encodeURIComponent(month)}`),
  });
