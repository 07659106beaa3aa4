import { setTimeout as wait } from 'node:timers/promises';
import { MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Log } from '../../../platform/log.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { Language } from '../texts/texts.ts';
import { htmlMail, type MailBrand, type MailedEsim } from './html-mail.ts';
import type { EsimRef, Sender } from './letters.ts';
import { expandNotices } from './notices.ts';
import { type Claimed, type Content, claim, type Outcome, record, TOO_OLD, tidyMails } from './queue.ts';
import { MAX_ATTEMPTS, nextAttemptAt, STALE_AFTER_MS } from './schedule.ts';
import type { Attached, Letter, Post, Sent } from './send.ts';

export interface MailJobParts extends Services {
  readonly sender: Sender;
  /** The operator's own look. */
  readonly site: Omit<MailBrand, 'name'>;
  readonly post: Post;
  /** The PDF of a live document. Undefined: it cannot be made now, and the mail is tried again. */
  readonly invoicePdf?: (number: string) => Promise<Attached | undefined>;
  /** The same for the receipt of a live top-up. */
  readonly receiptPdf?: (paymentKey: string) => Promise<Attached | undefined>;
  /** The look of a partner's mails to travellers. */
  readonly brandOf: (partnerId: number) => Promise<Omit<MailBrand, 'name'>>;
  /** An eSIM that a mail shows. Undefined: it is no longer its traveller's. */
  readonly esimOf: (of: EsimRef, language: Language) => Promise<MailedEsim | undefined>;
}

const BATCH = 10;
const LOOK_EVERY_MS = 2 * SECOND;
const RECORD_RETRY_MS = 500;
const RECORD_TRIES = 20;

/** Sends what is due. Only its own loop waits for a slow SMTP server. */
export const mailJob = (parts: MailJobParts): Job => ({
  name: 'mail',
  everyMs: LOOK_EVERY_MS,
  run: () => sendDue(parts),
});

export const tidyMailsJob = ({ db, clock }: Pick<MailJobParts, 'db' | 'clock'>): Job => ({
  name: 'tidy mails',
  everyMs: 10 * MINUTE,
  run: () => tidyMails(db, clock.now()),
});

/** One batch; returns how many rows it took. */
export async function sendDue(parts: MailJobParts): Promise<number> {
  const { db, clock, log, post } = parts;
  const expanded = await expandNotices(parts, clock.now());
  const claimed = await claim(db, BATCH, clock.now());
  if (claimed.length === 0) return expanded;
  const begun = await Promise.all(claimed.map(async (mail) => ({ mail, letter: await letterOf(mail, parts) })));
  const letters = begun.flatMap(({ letter }) => ('to' in letter ? [letter] : []));
  const results = new Map((await post(letters)).map((result, i) => [letters[i], result]));
  const outcomes = begun.map(({ mail, letter }) => {
    const result = 'to' in letter ? (results.get(letter) as Sent) : letter;
    const outcome = outcomeOf(mail, result, clock.now());
    if (!result.sent) complain(log, outcome, result.reason);
    return outcome;
  });
  await recordAll(parts, outcomes);
  return claimed.length + expanded;
}

type NotSent = Extract<Sent, { sent: false }>;

const no = (reason: string, permanent: boolean): NotSent => ({ sent: false, permanent, reason, error: reason });

/** What to send, or why not to. */
async function letterOf(mail: Claimed, parts: MailJobParts): Promise<Letter | NotSent> {
  const { vault, clock, log } = parts;
  if (clock.now() - mail.createdAt.getTime() > STALE_AFTER_MS) return no(TOO_OLD, true);
  // The claim counts the attempt in advance: the process that made the last one died before it recorded an outcome.
  if (mail.attempts > MAX_ATTEMPTS) return no('interrupted', true);
  let content: Content;
  try {
    content = JSON.parse(vault.open(mail.content)) as Content;
  } catch {
    return no('unreadable', false);
  }
  const { subject, text, fromName } = content;
  try {
    const [document, dressed] = [await documentOf(content, parts), await dress(content, parts)];
    if (document === 'missing') return no('document not found', false);
    if (dressed === 'ended') return no('link ended', true);
    return {
      ...{ subject, text, messageId: mail.messageId, to: mail.recipient, date: mail.createdAt, html: dressed?.html },
      ...(fromName !== undefined && { fromName }),
      attached: [...(dressed?.pictures ?? []), ...(document ? [document] : [])],
    };
  } catch (error) {
    log.error({ err: error, mailId: String(mail.id) }, 'what a mail shows or carries could not be drawn');
    return no('document not drawn', false);
  }
}

/** The PDF that goes with it. */
async function documentOf(
  { invoice, receipt }: Content,
  { invoicePdf, receiptPdf }: MailJobParts,
): Promise<Attached | 'missing' | undefined> {
  if (invoice !== undefined) return (await invoicePdf?.(invoice)) ?? 'missing';
  return receipt === undefined ? undefined : ((await receiptPdf?.(receipt)) ?? 'missing');
}

/** Its HTML, in the look of its sender. The eSIM's code is read now and is in no queue. */
async function dress(
  content: Content,
  { sender, site, brandOf, esimOf }: MailJobParts,
): Promise<ReturnType<typeof htmlMail> | 'ended' | undefined> {
  const { layout, fromName: name = sender.siteName } = content;
  if (!layout) return undefined;
  const { partnerId, language, esim: ref } = layout;
  const look = partnerId === undefined ? site : await brandOf(partnerId);
  const esim = ref && (await esimOf(ref, language));
  return ref && !esim ? 'ended' : htmlMail(content, layout, { ...look, name }, esim);
}

function outcomeOf(claimed: Claimed, result: Sent, now: number): Outcome {
  if (result.sent) return { claimed, dueAt: undefined, error: '' };
  const again = result.permanent ? undefined : nextAttemptAt(claimed.attempts, claimed.createdAt.getTime(), now);
  return { claimed, dueAt: again === undefined ? undefined : new Date(again), error: result.error };
}

/** Neither the address nor what the server said: the log holds nothing personal. `mail list` shows both. */
function complain(log: Log, { claimed, dueAt }: Outcome, reason: string): void {
  const { id: mailId, kind, attempts } = claimed;
  const fields = { mailId: String(mailId), kind, attempts, reason };
  if (dueAt) log.warn(fields, 'a mail could not be sent; it will be retried');
  else log.warn(fields, 'a mail could not be sent and is given up');
}

/** Only this process knows the outcome: if it gives up, sent mails are sent again. */
async function recordAll({ db, clock, log }: MailJobParts, outcomes: readonly Outcome[]): Promise<void> {
  for (let left = RECORD_TRIES; ; left--) {
    try {
      return await record(db, outcomes, clock.now());
    } catch (error) {
      if (left === 0) throw error;
      log.warn({ err: error, mails: outcomes.length }, 'sent mails could not be recorded; trying again');
      await wait(RECORD_RETRY_MS);
    }
  }
}
