import { counted } from '../db/matters.ts';
import { type Sql, sql } from '../db/sql.ts';

/** Applications that wait for an operator. */
export const applicationMatters = (): Sql =>
  counted('applications', sql`select since from shared.applications where status = 'waiting' order by since`);
