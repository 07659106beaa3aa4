import { DAY } from '../../../platform/clock.ts';
import { ago } from '../../../platform/db/alerts.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';

/** What is new is proved every night, everything once a week. */
const OLD_PROOF_MS = 2 * DAY;
const OLD_WHOLE_PROOF_MS = 15 * DAY;

export const ledgerMatters = (now: number): Sql => sql`
  select case when made.is_ok then 'old_proof' else 'broken_ledger' end as kind, 1::float8 as count,
    made.finished_at as since, '' as of, '' as about
  from (
    select finished_at, (result ->> 'ok')::boolean as is_ok from proofs where result is not null
    order by finished_at desc limit 1
  ) as made
  where not made.is_ok or made.finished_at < ${ago(now, OLD_PROOF_MS)}
  union all
  select 'old_proof', 1, made.finished_at, '', 'whole' from (
    select finished_at from proofs where result is not null and kind = 'whole' order by finished_at desc limit 1
  ) as made
  where made.finished_at < ${ago(now, OLD_WHOLE_PROOF_MS)}
    and exists (select from proofs where result is not null and finished_at >= ${ago(now, OLD_PROOF_MS)})
  union all
  select 'old_proof', 1, null, '', 'never' from (select from movements order by id limit 1) as first
  where not exists (select from proofs where result is not null)`;
