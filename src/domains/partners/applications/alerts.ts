import { counted } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** Applications that wait for an operator. */
export const applicationMatters = (): Sql =>
  counted('applications', sql`select since from shared.applications where status = 'waiting' order by since`);
