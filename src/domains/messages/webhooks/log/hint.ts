import { type Sql, sql } from '../../../../platform/db/query/sql.ts';

/** Notifies the processes that deliver which subscriptions have something due. Only a hint: they also poll, so one may get lost. */
export const HINT_CHANNEL = 'wayfare_deliveries';

/** A notification holds 8000 bytes, so a hint about more subscriptions than this names none of them. */
const MAX_NAMED = 300;

/** The hint as an SQL expression; without ids it says only that something is due. */
export const hint = (subscriptionIds: readonly bigint[] = []): Sql =>
  sql`pg_notify(${HINT_CHANNEL}, current_schema() || ':' || ${subscriptionIds.join(',')}::text)`;

/** Sends the hint about the queued rows in `from`; nothing if there are none. */
export const hintAbout = (from: Sql): Sql => sql`
  select pg_notify(${HINT_CHANNEL}, current_schema() || ':' ||
    case when count(distinct subscription_id) <= ${MAX_NAMED} then string_agg(distinct subscription_id::text, ',') else '' end)
  from ${from} having count(*) > 0`;

export function readHint(payload: string): { schema: string; subscriptionIds: bigint[] | undefined } {
  const [schema = '', named = ''] = payload.split(':');
  return { schema, subscriptionIds: named === '' ? undefined : named.split(',').map(BigInt) };
}
