import type { Permission } from '../../partners/people/people.ts';
import { type Draft, layOut, letters, nameLine, oneLine, type Paragraph, quoted, type Sender } from './letters.ts';
import type { Content } from './queue.ts';

/**
 * Every mail there is, one entry per kind. A letter (`letters.ts`) goes to one address that its sender knows; a notice goes to the
 * people of a partner. To add a notice, add its entry here and call `noticeFor` with its facts where the thing happens.
 */
export type LetterKind = keyof typeof letters;
export type LetterFacts<K extends LetterKind> = Parameters<(typeof letters)[K]>[0];

/** What every notice can use: whose it is, and the address of a page of the panel. */
interface Whose {
  readonly partnerName: string;
  readonly page: (path: string, label: string) => Paragraph;
}

interface NoticeText<F> {
  /** The permission a member needs to get this notice; without it, everybody gets it. */
  readonly for?: Permission;
  /** What it is about; the same notice about the same subject is sent once in `REPEATED_AFTER_MS`. */
  about(facts: F): string;
  draft(facts: F, whose: Whose): Draft;
}

const notice = <F extends Readonly<Record<string, string | undefined>>>(text: NoticeText<F>) => text;

const notices = {
  webhook_disabled: notice<{ subscriptionId: string; url: string; world: string; nextTryAt?: string }>({
    about: ({ subscriptionId }) => `subscription ${subscriptionId}`,
    draft: ({ subscriptionId, url, world, nextTryAt }, { page }) => ({
      subject: `Webhooks to ${oneLine(hostOf(url))} have been stopped`,
      paragraphs: [
        `Ten attempts in a row to deliver events to ${oneLine(hostOf(url))} failed, so we have stopped sending (${world} subscription ${subscriptionId}). New events are held for seven days.`,
        // An earlier version may have written the facts without it.
        `We retry automatically${nextTryAt === undefined ? '' : `, first at ${nextTryAt} UTC`}, then after 5, 15 and 30 minutes, and then every hour for three days. The first time your server answers with a 2xx status, the subscription is active again and what was held is sent, oldest first.`,
        'You can see each attempt, and resume the subscription at once when your server works again:',
        page(`/${world}/webhooks/${subscriptionId}`, 'Open the subscription'),
      ],
    }),
  }),
  account_suspended: notice<Record<never, never>>({
    about: () => '',
    draft: (_facts, { page }) => ({
      subject: 'Your account has been suspended',
      paragraphs: [
        'Your billing account has been suspended. Purchases are refused until it is active again; everything else works as before.',
        'Your statement shows what is open. To have the account activated again, talk to the operator of the panel.',
        page('/live/money', 'Open your statement'),
      ],
    }),
  }),
  balance_low: notice<{ balance: string; level: string }>({
    for: 'see-money',
    about: () => '',
    draft: ({ balance, level }, { page }) => ({
      subject: `Your balance is low: ${balance} USD`,
      paragraphs: [
        `What you can spend has fallen to ${balance} USD, below your alert level of ${level} USD. Purchases that cost more than you can spend are refused.`,
        'To top up, or to see your statement:',
        page('/live/money', 'Open your statement'),
        'You can change the alert level or turn it off in the settings:',
        page('/settings', 'Open the settings'),
      ],
    }),
  }),
  topup_receipt: notice<{ paymentKey: string; amount: string; currency: string; to: string }>({
    for: 'see-money',
    about: ({ paymentKey }) => paymentKey,
    draft: ({ paymentKey, amount, currency }, { page }) => ({
      receipt: paymentKey,
      subject: `Receipt for your top-up of ${amount} ${currency}`,
      paragraphs: [
        `Your card payment of ${amount} ${currency} was added to your balance (${paymentKey}). The receipt is attached. It is not an invoice: what you buy from the balance is on the invoice of the month.`,
        'Your balance and all its movements:',
        page('/live/money', 'Open your statement'),
      ],
    }),
  }),
  topup_failed: notice<{ paymentKey: string; amount: string; currency: string }>({
    for: 'see-money',
    about: ({ paymentKey }) => paymentKey,
    draft: ({ paymentKey, amount, currency }, { page }) => ({
      subject: `Your top-up of ${amount} ${currency} failed`,
      paragraphs: [
        `The card payment for your top-up of ${amount} ${currency} failed (${paymentKey}). Your wallet was not credited.`,
        'You can start a new top-up at any time:',
        page('/live/money', 'Open your statement'),
      ],
    }),
  }),
  topup_disputed: notice<{ paymentKey: string; amount: string; taken: string; currency: string }>({
    for: 'see-money',
    about: ({ paymentKey }) => paymentKey,
    draft: ({ paymentKey, amount, taken, currency }, { page }) => ({
      subject: `A card payment of ${amount} ${currency} is disputed`,
      paragraphs: [
        `The card holder disputes ${amount} ${currency} of your top-up ${paymentKey}, and the bank has taken the money back.`,
        `We have taken ${taken} ${currency} out of your wallet. If the dispute is decided in your favour, you get it back.`,
        page('/live/money', 'Open your statement'),
      ],
    }),
  }),
  account_unused: notice<{ closesAt: string }>({
    about: ({ closesAt }) => closesAt,
    draft: ({ closesAt }, { partnerName, page }) => ({
      subject: `The account of ${nameLine(partnerName)} will be closed`,
      paragraphs: [
        `There was no sign-in to the account of ${nameLine(partnerName)} for weeks, and its API keys were not used. It has only test data, and will be closed after ${closesAt} UTC.`,
        'To keep it, sign in or make a call before then:',
        page('/sign-in', 'Sign in'),
      ],
    }),
  }),
  live_approved: notice<{ step: string }>({
    about: ({ step }) => step,
    draft: (_facts, { partnerName, page }) => ({
      subject: `Live is open for ${nameLine(partnerName)}`,
      paragraphs: [
        'Live has been opened for your account. You can now create live keys and sell real eSIMs:',
        page('/live', 'Open the panel'),
      ],
    }),
  }),
  live_question: notice<{ step: string; question: string }>({
    for: 'manage',
    about: ({ step }) => step,
    draft: ({ question }, { page }) => ({
      subject: 'A question about your application for live',
      paragraphs: [
        'Before we decide about your application for live, we would like to know:',
        ...quoted(question),
        'Answer in the panel:',
        page('/go-live', 'Open your application'),
      ],
    }),
  }),
  invoice_issued: notice<{
    number: string;
    kind: string;
    month: string;
    to: string;
    amount: string;
    due: string;
    credits: string;
    about: string;
  }>({
    for: 'see-money',
    about: ({ number, about }) => `${number} ${about}`,
    draft: ({ number, kind, month, amount, due, credits }, { page }) => ({
      invoice: number,
      subject: kind === 'invoice' ? `Your invoice ${number}` : `Your credit note ${number}`,
      paragraphs: [
        kind === 'invoice'
          ? `Here is your invoice ${number} for ${month}, over ${amount} USD.`
          : `Here is your credit note ${number} over ${amount} USD, for invoice ${credits}.`,
        ...(kind !== 'invoice'
          ? []
          : [due === '' ? 'It was paid from your balance; there is nothing to do.' : `Please pay it by ${due}.`]),
        'All your invoices:',
        page('/live/invoices', 'Open your invoices'),
      ],
    }),
  }),
  invoice_reminder: notice<{ number: string; to: string; amount: string; due: string; days: string }>({
    for: 'see-money',
    about: ({ number, days }) => `${number} ${days}`,
    draft: ({ number, amount, due, days }, { page }) => ({
      invoice: number,
      subject:
        Number(days) > 0
          ? `Your invoice ${number} is overdue`
          : `Your invoice ${number} is due ${days === '0' ? 'today' : `on ${due}`}`,
      paragraphs: [
        Number(days) > 0
          ? `Your invoice ${number} was due on ${due}, and ${amount} USD of it is not paid yet. Please pay it now, so that you can go on buying.`
          : `${amount} USD of your invoice ${number} is due on ${due}.`,
        'If you have just paid it, you can ignore this mail. All your invoices:',
        page('/live/invoices', 'Open your invoices'),
      ],
    }),
  }),
  live_rejected: notice<{ step: string; note: string }>({
    for: 'manage',
    about: ({ step }) => step,
    draft: ({ note }, { page }) => ({
      subject: 'Your application for live',
      paragraphs: [
        'We cannot open live for your account. The reason:',
        ...quoted(note),
        'Your account stays as it is, and you can apply again:',
        page('/go-live', 'Open your application'),
      ],
    }),
  }),
} as const;

export type NoticeKind = keyof typeof notices;
export type NoticeFacts<K extends NoticeKind> = Parameters<(typeof notices)[K]['draft']>[0];
export const noticeKinds = Object.keys(notices) as readonly NoticeKind[];

export const permissionFor = (kind: NoticeKind): Permission => (notices[kind] as NoticeText<never>).for ?? 'see';

export function letterOf<K extends LetterKind>(kind: K, facts: LetterFacts<K>, sender: Sender): Content {
  const write = letters[kind] as (facts: LetterFacts<K>, sender: Sender) => Draft;
  return written(write(facts, sender), `Sent by ${sender.siteName}.`);
}

export function noticeOf<K extends NoticeKind>(
  kind: K,
  facts: NoticeFacts<K>,
  { partnerName, sender: { siteName, panelUrl } }: { partnerName: string; sender: Sender },
): Content & { about: string } {
  const { about, draft } = notices[kind] as unknown as NoticeText<NoticeFacts<K>>;
  const page = (path: string, label: string) => ({ link: new URL(path, panelUrl).href, label });
  const footer = `Sent by ${siteName} to the people of ${nameLine(partnerName)}.`;
  return { ...written(draft(facts, { partnerName, page }), footer), about: about(facts) };
}

/** `-- ` begins a signature, which mail programs show in grey and leave out of replies. */
function written({ subject, paragraphs, from, footer: own, ...rest }: Draft, ours: string): Content {
  const { invoice, receipt, language = 'en', partnerId, esim } = rest;
  const footer = own ?? ours;
  return {
    subject,
    ...(invoice !== undefined && { invoice }),
    ...(receipt !== undefined && { receipt }),
    ...(from !== undefined && { fromName: from }),
    text: `${layOut(paragraphs)}\n-- \n${layOut([footer])}`,
    layout: { paragraphs, footer, language, ...(partnerId !== undefined && { partnerId }), ...(esim && { esim }) },
  };
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'your server';
