import { type Sql, sql } from '../db/sql.ts';

/** After a commit that queued something, whoever delivers is told where to look. A hint: what it misses is found by looking. */
export const HINT_CHANNEL = 'wayfare_deliveries';

/** More lanes than this and the hint names none: a notification holds 8000 bytes. */
const MAX_NAMED = 300;

/** The call that gives the hint, as an expression; without ids it names no lane. */
export const hint = (subscriptionIds: readonly bigint[] = []): Sql =>
  sql`pg_notify(${HINT_CHANNEL}, current_schema() || ':' || ${subscriptionIds.join(',')}::text)`;

/** Gives the hint about the queued rows that `from` names, or none when there are none. */
export const hintAbout = (from: Sql): Sql => sql`
  select pg_notify(${HINT_CHANNEL}, current_schema() || ':' ||
    case when count(distinct subscription_id) <= ${MAX_NAMED} then string_agg(distinct subscription_id::text, ',') else '' end)
  from ${from} having count(*) > 0`;

export function readHint(payload: string): { schema: string; subscriptionIds: bigint[] | undefined } {
  const [schema = '', named = ''] = payload.split(':');
  return { schema, subscriptionIds: named === '' ? undefined : named.split(',').map(BigInt) };
}
