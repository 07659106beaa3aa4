import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** Addresses typed into "Forgot your password?", until a job has looked them up and queued their mails. */
export const passwordRequests = {
  async add(tx: Tx, email: string, at: Date): Promise<void> {
    await tx.run(sql`insert into shared.password_requests (email, created_at) values (${email}, ${at})`);
  },

  /** Removes the oldest that no other process is working on. */
  take: (tx: Tx): Promise<{ readonly email: string; readonly createdAt: Date } | undefined> =>
    tx.maybe(sql`
      delete from shared.password_requests where id = (
        select id from shared.password_requests order by id limit 1 for update skip locked)
      returning email, created_at as "createdAt"`),

  async forgetBefore(db: Queryable, time: Date): Promise<void> {
    await db.run(sql`delete from shared.password_requests where created_at < ${time}`);
  },
};
