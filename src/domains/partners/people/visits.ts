import { DAY, MINUTE } from '../../../platform/clock.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** How precisely we record when an operator was last at the console. */
const SEEN_MS = MINUTE;
/** After a longer absence, a new visit begins. */
const VISIT_GAP_MS = 30 * MINUTE;
const KEPT_MS = 90 * DAY;
/** More than there are alerts at any time. */
const MOST_DISMISSALS = 200;

interface Dismissal {
  readonly kind: string;
  readonly of: string;
  readonly state: string;
}

/** When operators use the console, and what they dismissed there until it changes. */
export const visits = {
  isDue: (seenAt: Date | null, now: number): boolean => seenAt === null || seenAt.getTime() <= now - SEEN_MS,

  /** Records a visit. Of several requests at once the first one writes; the others wait for it and find nothing to do. */
  async seen(db: Queryable, operatorId: number, now: number): Promise<void> {
    await db.run(sql`
      update staff set seen_at = ${new Date(now)},
        left_at = case when seen_at <= ${new Date(now - VISIT_GAP_MS)} then seen_at else left_at end
      where id = ${operatorId} and (seen_at is null or seen_at <= ${new Date(now - SEEN_MS)})`);
  },

  /** When their visit before this one ended; null: this is the first. */
  async lastEnded(db: Queryable, operatorId: number): Promise<Date | null> {
    const row = await db.maybe<{ leftAt: Date | null }>(
      sql`select left_at as "leftAt" from staff where id = ${operatorId}`,
    );
    return row?.leftAt ?? null;
  },

  dismissals: (db: Queryable, operatorId: number): Promise<Dismissal[]> =>
    db.query(sql`select kind, of, state from staff_dismissals where operator_id = ${operatorId}`),

  async dismiss(tx: Tx, operatorId: number, { kind, of, state }: Dismissal, now: number): Promise<void> {
    await tx.run(sql`
      insert into staff_dismissals (operator_id, kind, of, state, dismissed_at)
      values (${operatorId}, ${kind}, ${of}, ${state}, ${new Date(now)})
      on conflict (operator_id, kind, of) do update set state = excluded.state, dismissed_at = excluded.dismissed_at`);
    await tx.run(sql`
      delete from staff_dismissals where operator_id = ${operatorId} and (dismissed_at < ${new Date(now - KEPT_MS)}
        or (kind, of) not in (select kind, of from staff_dismissals where operator_id = ${operatorId}
          order by dismissed_at desc, kind, of limit ${MOST_DISMISSALS}))`);
  },

  async show(tx: Tx, operatorId: number, { kind, of }: Omit<Dismissal, 'state'>): Promise<void> {
    await tx.run(sql`
      delete from staff_dismissals where operator_id = ${operatorId} and kind = ${kind} and of = ${of}`);
  },
};
