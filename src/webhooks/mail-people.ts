import { formatCents } from '../amounts/cents.ts';
import type { Tx } from '../db/database.ts';
import type { NewEvent } from '../events/events.ts';
import type { Notices } from '../mail/mail.ts';

/** Mails a partner's people the events that concern them, too, whether or not a subscription names the event. */
export async function mailPeople(tx: Tx, notices: Notices, events: readonly NewEvent[]): Promise<void> {
  await Promise.all(
    events.map((event) => {
      if (event.event !== 'account.balance_low' || event.level === undefined) return undefined;
      const facts = { balance: formatCents(event.balance), level: formatCents(event.level) };
      return notices.noticeFor(tx, event.partnerId, 'balance_low', facts, event.occurredAt);
    }),
  );
}
