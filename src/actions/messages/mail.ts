import { type ListedMail, listMails, mailStatuses } from '../../domains/messages/mail/mail.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { isMailable } from '../../platform/settings/mail.ts';
import { action } from '../action.ts';
import { choice, integer, required, text } from '../fields.ts';

const shown = (mail: ListedMail) => ({
  mail_id: mail.mailId,
  to: mail.recipient,
  ...snaked(mail, 'kind', 'status', 'attempts', 'createdAt', 'dueAt', 'sentAt', 'error'),
});

export const mailActions = [
  action({
    name: 'mail list',
    console: 'shown',
    summary: 'List mails of the last 30 days, newest first, with the reason for a failure; their text is not shown',
    options: {
      status: choice(mailStatuses, 'waiting: still to be sent; failed: given up; by default all'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    run: async ({ db }, { status, limit = 50 }) => (await listMails(db, status, limit)).map(shown),
  }),
  action({
    name: 'mail test',
    console: { may: 'manage' },
    summary: 'Queue a test mail; a worker sends it, and `mail list` shows the result',
    args: { address: required(text('ADDRESS', 'the recipient')) },
    run(context, { address }) {
      if (!context.mail.isOn) throw new Refused('mail_off');
      if (!isMailable(address)) throw new Refused('invalid_email', `${address} is not an address we can send mail to`);
      return change(context, 'mail test', async (tx) => {
        const wanted = { kind: 'test', to: address, facts: {}, partnerId: null } as const;
        await context.mail.queue(tx, wanted, context.clock.now());
        return { target: `address ${address}`, result: { to: address, queued: true } };
      });
    },
  }),
];
