import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Language } from '../texts/texts.ts';
import type { Draft } from './letters.ts';
import { FURTHEST_DUE_MS, KEPT_MS, LEASE_MS, STALE_AFTER_MS } from './schedule.ts';

/*
 * Mails as rows. A row is written in the transaction of the change it reports, so there is a mail exactly when the change was made.
 *
 *   written             due at once, content sealed
 *   claimed             `attempts` + 1, `due_at` = end of the lease, which hides it from other claims
 *   recorded: sent      `sent_at`, content erased
 *   recorded: failed    `due_at` = the next attempt, or `failed_at` and content erased if it was the last
 *
 * Killed anywhere, the row falls due again when its lease ends, so every mail is sent at least once. A second copy goes out only if
 * the process dies, or the database is away, between the SMTP server's "250 accepted" and our `sent_at`. SMTP has no way to ask
 * whether a message was accepted, so this cannot be closed; but the Message-ID is the row's own and the same at every attempt,
 * and mail systems that deduplicate go by it.
 *
 * The lease is also the proof of ownership: `record` changes a row only where `due_at` is still the lease of that claim.
 */

export const TOO_OLD = 'too old';

interface NewMail {
  readonly partnerId: number | null;
  readonly kind: string;
  readonly about: string;
  readonly recipient: string;
  readonly content: Content;
}

export interface Content {
  readonly subject: string;
  readonly text: string;
  /** What the mail looks like in a mail program that shows more than text. Mails that an earlier version queued have none. */
  readonly layout?: Layout;
  /** Shown beside our address in place of our own name. */
  readonly fromName?: string;
  /** The number of a live document whose PDF goes with it. */
  readonly invoice?: string;
  /** The key of a live top-up whose receipt goes with it. */
  readonly receipt?: string;
}

export interface Layout extends Pick<Draft, 'paragraphs' | 'partnerId' | 'esim'> {
  readonly footer: string;
  readonly language: Language;
}

/** A mail that belongs to this process until its lease ends. */
export interface Claimed {
  readonly id: bigint;
  readonly messageId: string;
  readonly kind: string;
  readonly recipient: string;
  readonly content: Buffer;
  readonly createdAt: Date;
  /** Including the one this claim is for. */
  readonly attempts: number;
  readonly lease: Date;
}

export async function insertMail(tx: Tx, vault: Vault, mail: NewMail, now: number): Promise<bigint> {
  const at = new Date(now);
  const { id } = await tx.one<{ id: bigint }>(sql`
    insert into shared.mails (partner_id, kind, about, recipient, content, created_at, due_at)
    values (${mail.partnerId}, ${mail.kind}, ${mail.about}, ${mail.recipient},
      ${vault.seal(JSON.stringify(mail.content))}, ${at}, ${at})
    returning id`);
  return id;
}

/** Mails of one kind about a partner since then; with `about`, only those about that. */
export async function countMails(
  db: Queryable,
  { partnerId, kind, about }: { partnerId: number; kind: string; about?: string },
  since: number,
): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from shared.mails
    where partner_id = ${partnerId} and kind = ${kind} and created_at > ${new Date(since)}
      ${about === undefined ? nothing : sql`and about = ${about}`}`);
  return Number(count);
}

export async function claim(db: Queryable, limit: number, now: number): Promise<Claimed[]> {
  const lease = new Date(now + LEASE_MS);
  const rows = await db.query<Omit<Claimed, 'lease'>>(sql`
    update shared.mails set due_at = ${lease}, attempts = attempts + 1
    where id = any (array (
      select id from shared.mails
      where due_at is not null and (due_at <= ${new Date(now)} or due_at > ${new Date(now + FURTHEST_DUE_MS)})
      order by due_at limit ${limit} for update skip locked))
    returning id, message_id::text as "messageId", kind, recipient, content, created_at as "createdAt", attempts`);
  return rows.map((row) => ({ ...row, lease }));
}

export interface Outcome {
  readonly claimed: Claimed;
  /** When to try again; undefined if it is over: sent or given up. */
  readonly dueAt: Date | undefined;
  readonly error: string;
}

export async function record(db: Queryable, outcomes: readonly Outcome[], now: number): Promise<void> {
  const at = new Date(now);
  await db.run(sql`
    update shared.mails set
      error = outcome.error, due_at = outcome.due_at,
      sent_at = case when outcome.error = '' then ${at}::timestamptz end,
      failed_at = case when outcome.error <> '' and outcome.due_at is null then ${at}::timestamptz end,
      content = case when outcome.due_at is not null then content end
    from unnest(
      ${outcomes.map(({ claimed }) => claimed.id)}::bigint[],
      ${outcomes.map(({ claimed }) => claimed.lease)}::timestamptz[],
      ${outcomes.map(({ dueAt }) => dueAt ?? null)}::timestamptz[],
      ${outcomes.map(({ error }) => error)}::text[]
    ) as outcome (id, lease, due_at, error)
    where mails.id = outcome.id and mails.due_at = outcome.lease`);
}

const PRUNED_AT_ONCE = 500;

/** Gives up what was not sent in time, and removes a batch of old rows; call it until it returns 0. Also while mail is off. */
export async function tidyMails(db: Queryable, now: number): Promise<number> {
  const stale = new Date(now - STALE_AFTER_MS);
  await db.run(sql`
    update shared.mails set due_at = null, content = null, failed_at = ${new Date(now)}, error = ${TOO_OLD}
    where due_at < ${new Date(now)} and created_at < ${stale}`);
  await db.run(sql`delete from shared.notices where created_at < ${stale}`);
  await passwordRequests.forgetBefore(db, stale);
  return db.run(sql`
    delete from shared.mails where id = any (array (
      select id from shared.mails where created_at < ${new Date(now - KEPT_MS)} and due_at is null
      order by created_at limit ${PRUNED_AT_ONCE} for update skip locked))`);
}

export const mailStatuses = ['waiting', 'sent', 'failed'] as const;
type MailStatus = (typeof mailStatuses)[number];

/** A mail as the operator sees it; its content is never shown. */
export interface ListedMail {
  readonly mailId: bigint;
  readonly recipient: string;
  readonly kind: string;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  /** When the next attempt is due; null if there is none. */
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly error: string;
}

const withStatus = {
  waiting: sql`due_at is not null`,
  sent: sql`sent_at is not null`,
  failed: sql`failed_at is not null`,
} as const;

/** Newest first. */
export function listMails(db: Queryable, status: MailStatus | undefined, limit: number): Promise<ListedMail[]> {
  return db.query(sql`
    select id as "mailId", recipient, kind, attempts, created_at as "createdAt", due_at as "dueAt", sent_at as "sentAt", error,
      case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end as status
    from shared.mails where ${status ? withStatus[status] : sql`true`} order by id desc limit ${limit}`);
}

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
