import { DAY } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { isMailable, type MailSettings } from '../../../platform/settings/mail.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { Sender } from './letters.ts';
import { insertNotice, noticeRows } from './notices.ts';
import { countMails, insertMail } from './queue.ts';
import { type LetterFacts, type LetterKind, letterOf } from './texts.ts';

export type { MailedEsim } from './html-mail.ts';
export { type MailJobParts, mailJob, tidyMailsJob } from './job.ts';
export { type ListedMail, listMails, mailStatuses, passwordRequests } from './queue.ts';
export { smtpPost } from './send.ts';

/** What a domain needs to notify a partner's people. */
export interface Notices {
  /** Notifies the members of a partner (its contact address if it has none), in the caller's transaction. */
  readonly noticeFor: typeof insertNotice;
  /** The same as part of a larger statement: `with … , notified as (${notices.noticesFor(kind, rows, now)})`, `rows` being `(partner_id, facts)`. */
  readonly noticesFor: typeof noticeRows;
}

/** The mail we send. Without `SMTP_URL` nothing is ever queued. */
export interface Mail extends Notices {
  readonly isOn: boolean;
  /** Queues one mail in the caller's transaction. False: it is not mailed, so the person who made the link has to pass it on. */
  queue<K extends LetterKind>(tx: Tx, wanted: WantedLetter<K>, now: number): Promise<boolean>;
}

interface WantedLetter<K extends LetterKind> {
  readonly kind: K;
  readonly to: string;
  readonly facts: LetterFacts<K>;
  /** Null: about no partner. */
  readonly partnerId: number | null;
  /** What it is about, if it may be sent several times: then a few times a day. */
  readonly about?: string;
}

/** Mails of one kind about one partner in a day: a member who invites strangers again and again must not make us a source of spam. */
const MAX_A_DAY = 100;
/** Of those, mails about the same thing. */
const MAX_ABOUT_ONE = 5;

export function openMail(
  settings: MailSettings | undefined,
  { vault, sender }: { vault: Vault; sender: Sender },
): Mail {
  if (!settings) return noMail;
  return {
    isOn: true,
    async queue(tx, { kind, to, facts, partnerId, about = '' }, now) {
      if (!isMailable(to)) return false;
      if (partnerId !== null) {
        const counted = (of: object) => countMails(tx, { partnerId, kind, ...of }, now - DAY);
        if ((await counted({})) >= MAX_A_DAY) return false;
        if (about !== '' && (await counted({ about })) >= MAX_ABOUT_ONE) return false;
      }
      const content = letterOf(kind, facts, sender);
      await insertMail(tx, vault, { partnerId, kind, about, recipient: to, content }, now);
      return true;
    },
    noticeFor: insertNotice,
    noticesFor: noticeRows,
  };
}

const noMail: Mail = {
  isOn: false,
  queue: async () => false,
  noticeFor: async () => {},
  noticesFor: () => sql`select 1`,
};
