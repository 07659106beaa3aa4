import { HOUR } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import { isMailable } from '../../../platform/settings/mail.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { members } from '../../partners/people/people.ts';
import type { Sender } from './letters.ts';
import { countMails, insertMail } from './queue.ts';
import { STALE_AFTER_MS } from './schedule.ts';
import { type NoticeFacts, type NoticeKind, noticeKinds, noticeOf, permissionFor } from './texts.ts';

/*
 * Notices take two steps, because what happens to a partner happens in a world's transaction, and a world's role cannot read who
 * the members are. The world writes a row with the facts; the job, on the owner's connection, turns it into one mail for each
 * person and deletes it, in one transaction.
 */

/** A webhook that is resumed and fails again at once must not flood an inbox. */
const REPEATED_AFTER_MS = 1 * HOUR;
const BATCH = 20;

export async function insertNotice<K extends NoticeKind>(
  tx: Tx,
  partnerId: number,
  kind: K,
  facts: NoticeFacts<K>,
  now: number,
): Promise<void> {
  await tx.run(sql`
    insert into shared.notices (partner_id, kind, facts, created_at)
    values (${partnerId}, ${kind}, ${JSON.stringify(facts)}::jsonb, ${new Date(now)})`);
}

/** `insertNotice` as part of a larger statement, for each `(partner_id, facts)` that `selected` has. */
export const noticeRows = (kind: NoticeKind, selected: Sql, now: number): Sql => sql`
  insert into shared.notices (partner_id, kind, facts, created_at)
  select partner_id, ${kind}, facts, ${new Date(now)}::timestamptz from (${selected}) as noticed (partner_id, facts)`;

/** The people of the partner, or one address that the notice names. */
async function recipientsOf(tx: Tx, partnerId: number, kind: NoticeKind, facts: NoticeFacts<NoticeKind>) {
  const found = await members.recipients(tx, partnerId, permissionFor(kind));
  return 'to' in facts ? { ...found, addresses: [facts.to] } : found;
}

/** Turns a batch of notices into mails; returns how many it took. Kinds that only a newer version knows are left to it. */
export function expandNotices(
  { db, vault, sender }: { db: Db; vault: Vault; sender: Sender },
  now: number,
): Promise<number> {
  return db.tx(async (tx) => {
    const stale = new Date(now - STALE_AFTER_MS);
    const rows = await tx.query<{
      partnerId: number;
      kind: NoticeKind;
      facts: NoticeFacts<NoticeKind>;
      fresh: boolean;
    }>(sql`
      delete from shared.notices where id = any (array (
        select id from shared.notices where kind = any(${noticeKinds}::text[]) or created_at < ${stale}
        order by id limit ${BATCH} for update skip locked))
      returning partner_id as "partnerId", kind, facts, created_at >= ${stale} as fresh`);
    for (const { partnerId, kind, facts, fresh } of rows) {
      if (!fresh) continue;
      const { partnerName, addresses } = await recipientsOf(tx, partnerId, kind, facts);
      const { about, ...content } = noticeOf(kind, facts, { partnerName, sender });
      if ((await countMails(tx, { partnerId, kind, about }, now - REPEATED_AFTER_MS)) > 0) continue;
      for (const recipient of addresses.filter(isMailable))
        await insertMail(tx, vault, { partnerId, kind, about, recipient, content }, now);
    }
    return rows.length;
  });
}
