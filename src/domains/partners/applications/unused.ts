import { type Author, change } from '../../../platform/audit/audit-log.ts';
import { DAY, MINUTE, timestamp } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Services } from '../../../platform/start/services.ts';
import { deletePartner, requireOpenPartner } from '../accounts/accounts.ts';
import { members } from '../people/people.ts';
import { moveApplication } from './rows.ts';
import { forgetSignUps } from './sign-ups.ts';

/*
 * Closes unused accounts: those opened by a sign-up that never got live, without an API call or a panel visit for `UNUSED_MS`.
 * Their people get a mail `NOTICE_MS` before, and that much time however late the job runs. Each account is closed in its own
 * transaction, which checks again under the partner's lock, so that a visit at the last moment keeps the account.
 */
const UNUSED_MS = 30 * DAY;
const NOTICE_MS = 7 * DAY;
const BATCH = 50;

interface Desk extends Pick<Services, 'db' | 'clock'> {
  readonly mail: {
    noticeFor(
      tx: Tx,
      partnerId: number,
      kind: 'account_unused',
      facts: { readonly closesAt: string },
      now: number,
    ): Promise<unknown>;
  };
}

export const unusedAccountsJob = (desk: Desk): Job => ({
  name: 'unused accounts',
  everyMs: 10 * MINUTE,
  run: () => tidyAccounts(desk),
});

interface Unused {
  readonly applicationId: number;
  readonly partnerId: number;
  readonly warnedAt: Date | null;
}

/** Warns and closes a batch; returns how many it handled. */
export async function tidyAccounts(desk: Desk): Promise<number> {
  const now = desk.clock.now();
  await forgetSignUps(desk.db, now);
  const due = await unused(desk.db, now, nothing);
  for (const one of due) {
    if (one.warnedAt === null) await warn(desk, one, now);
    else await close(desk, one, now);
  }
  return due.length;
}

/** Accounts to warn, and accounts to close. A warning from before the last use does not count. */
const unused = (db: Queryable, now: number, which: Sql): Promise<Unused[]> =>
  db.query(sql`
    select id as "applicationId", partner_id as "partnerId", warned_at as "warnedAt" from (
      select a.id, a.partner_id, used.at, case when a.warned_at > used.at then a.warned_at end as warned_at
      from applications a join partners p on p.id = a.partner_id and not p.live and p.deleted_at is null
      cross join lateral (
        select greatest(a.since,
          (select max(last_used_at) from api_keys k where k.partner_id = a.partner_id),
          (select max(last_sign_in_at) from members m where m.partner_id = a.partner_id),
          (select max(last_seen_at) from sessions s join members m on m.id = s.member_id where m.partner_id = a.partner_id)
        ) as at) as used
      where a.kind = 'sign_up' and a.status = 'opened' and a.since <= ${new Date(now - UNUSED_MS + NOTICE_MS)}
        and not exists (
          select from applications l
          where l.partner_id = a.partner_id and l.kind = 'live' and l.status in ('waiting', 'asked'))
        ${which}) as opened
    where at <= ${new Date(now - UNUSED_MS + NOTICE_MS)}
      and (warned_at is null or at <= ${new Date(now - UNUSED_MS)} and warned_at <= ${new Date(now - NOTICE_MS)})
    order by id limit ${BATCH}`);

function warn({ db, mail }: Desk, { applicationId, partnerId }: Unused, now: number): Promise<void> {
  return db.tx(async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const [still] = await unused(tx, now, sql`and a.id = ${applicationId}`);
    if (still?.warnedAt !== null) return;
    await tx.run(sql`update applications set warned_at = ${new Date(now)} where id = ${applicationId}`);
    await mail.noticeFor(tx, partnerId, 'account_unused', { closesAt: timestamp(new Date(now + NOTICE_MS)) }, now);
  });
}

async function close({ db }: Desk, { applicationId, partnerId }: Unused, now: number): Promise<void> {
  const author: Author = { db, who: 'schedule' };
  await change(author, 'application expire', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const [still] = await unused(tx, now, sql`and a.id = ${applicationId}`);
    if (!still) throw new UsedAgain();
    await deletePartner(tx, partnerId, new Date(now));
    await members.removeAllOf(tx, partnerId);
    await moveApplication(tx, applicationId, { status: 'expired' }, now);
    return { target: `application ${applicationId}`, partnerId, result: undefined };
  }).catch((error: unknown) => {
    // Refused: another process or an operator closed it first.
    if (!(error instanceof UsedAgain || error instanceof Refused)) throw error;
  });
}

/** Somebody came back while we were about to close the account. */
class UsedAgain extends Error {}
