import { type Sql, sql } from '../db/sql.ts';

/** After a commit that queued something, whoever delivers is told where to look. A hint: what it misses is found by looking. */
export const HINT_CHANNEL = 'wayfare_deliveries';

/** More lanes than this and the hint names none: a notification holds 8000 bytes. */
const MAX_NAMED = 300;

/** The call that gives the hint, as an expression of the statement that queues. */
export function hint(subscriptionIds: Iterable<bigint>): Sql {
  const ids = [...new Set(subscriptionIds)];
  const named = ids.length <= MAX_NAMED ? ids.join(',') : '';
  return sql`pg_notify(${HINT_CHANNEL}, current_schema() || ':' || ${named}::text)`;
}

export function readHint(payload: string): { schema: string; subscriptionIds: bigint[] | undefined } {
  const [schema = '', named = ''] = payload.split(':');
  return { schema, subscriptionIds: named === '' ? undefined : named.split(',').map(BigInt) };
}
