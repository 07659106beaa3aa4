import type { LetterKind, NoticeKind } from '../../../../../src/domains/messages/mail/texts.ts';

const names: Readonly<Record<LetterKind | NoticeKind, string>> = {
  invitation: 'Invitation of a member',
  password_link: 'Link to set a password',
  password_forgotten: 'Forgotten password',
  password_link_open: 'Forgotten password: an earlier link still works',
  operator_invitation: 'Invitation of an operator',
  operator_link: 'Link for an operator',
  break_glass: 'Emergency sign-in was used',
  proposal: 'Proposal to approve',
  command_above_limit: 'Command above the limit for one operator',
  sign_up: 'Sign-up',
  sign_up_known: 'Sign-up with a known address',
  sign_up_approved: 'Sign-up approved',
  sign_up_question: 'Question about a sign-up',
  sign_up_rejected: 'Sign-up rejected',
  traveller_page: 'Traveller’s page',
  help_answer: 'Answer to a traveller',
  test: 'Test',
  webhook_disabled: 'Webhook disabled',
  account_suspended: 'Account suspended',
  balance_low: 'Low balance',
  topup_receipt: 'Receipt of a top-up',
  topup_failed: 'Top-up failed',
  topup_disputed: 'Top-up disputed',
  account_unused: 'Unused account',
  live_approved: 'Live approved',
  live_question: 'Question about live',
  live_rejected: 'Live rejected',
  invoice_issued: 'Invoice',
  invoice_reminder: 'Reminder of an invoice',
};

/** What a mail is, in words. One of a kind that this version does not know keeps its name. */
export const mailName = (kind: string): string => (names as Readonly<Record<string, string>>)[kind] ?? kind;
