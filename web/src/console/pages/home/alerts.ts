import type { HomeAlert, HomePart } from '../../../../../src/entry/console/home.ts';
import { count } from '../../../parts/count.ts';
import { paths } from '../../paths.ts';

/** An alert, without what depends on the operator who reads it. */
type AnyAlert = Omit<HomeAlert, 'is_new' | 'state' | 'is_dismissed'>;

/** An alert in words, with the page where it is dealt with. */
export interface AlertWords {
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  /** Somebody is losing money or waiting for it. */
  readonly isUrgent: boolean;
}

const at = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

const some = ({ count: number, is_more }: AnyAlert, noun: string, plural?: string): string =>
  `${is_more ? 'More than ' : ''}${count(number, noun, plural)}`;

/** “1 order is …”, “2 orders are …”. */
const be = ({ count: number }: AnyAlert): string => (number === 1 ? 'is' : 'are');
const wait = ({ count: number }: AnyAlert): string => (number === 1 ? 'waits' : 'wait');

const words: Readonly<Record<HomeAlert['kind'], (alert: AnyAlert) => AlertWords>> = {
  held_orders: (one) => ({
    title: `${some(one, 'paid order')} ${be(one)} held: what the supplier sent cannot be right`,
    detail:
      'The eSIM may have been bought, so it is neither ordered again nor refunded. Ask the supplier, then retry the order, or fail it to refund it.',
    to: at(paths.orders, { status: 'held' }),
    isUrgent: true,
  }),
  overdue_orders: (one) => ({
    title: `${some(one, 'paid order')} ${be(one)} overdue`,
    detail: 'The order is paid and has no eSIM. Retry it, or fail the order to refund it.',
    to: at(paths.orders, { status: 'overdue' }),
    isUrgent: true,
  }),
  stuck_orders: (one) => ({
    title: `${some(one, 'paid order')} ${wait(one)} for an eSIM`,
    detail: 'For more than half an hour. We keep trying; check whether the supplier answers.',
    to: at(paths.orders, { status: 'open' }),
    isUrgent: true,
  }),
  failing_orders: (one) => ({
    title: `${some(one, 'paid order')} failed at least five attempts`,
    detail: 'The supplier does not deliver. We keep trying; check whether it answers, or fail the order to refund it.',
    to: at(paths.orders, { status: 'open' }),
    isUrgent: true,
  }),
  half_written_orders: (one) => ({
    title: `${some(one, 'order')} ${be(one)} half-written`,
    detail: 'An order without its charge was not written by this program. Fail it, so that the buyer can buy again.',
    to: at(paths.orders, { status: 'created' }),
    isUrgent: true,
  }),
  refund_requests: (one) => ({
    title: `${some(one, 'refund request')} ${wait(one)} for a decision`,
    detail: '',
    to: paths.refunds,
    isUrgent: false,
  }),
  replacement_requests: (one) => ({
    title: `${some(one, 'replacement request')} ${wait(one)} for a decision`,
    detail: '',
    to: paths.replacements,
    isUrgent: false,
  }),
  disabled_webhook: (one) => ({
    title: `Webhooks to ${one.about || `subscription ${one.of}`} are stopped: ${one.count === 0 ? 'no events are' : `${some(one, 'event')} ${be(one)}`} held`,
    detail:
      one.next_try_at === null
        ? 'Ten attempts in a row failed, and we no longer retry automatically. Resume it once the receiver answers.'
        : 'Ten attempts in a row failed. We retry automatically, and the first success sends what is held.',
    to: paths.webhooks,
    isUrgent: one.next_try_at === null,
  }),
  dead_letters: (one) => ({
    title: `${some(one, 'event')} could not be delivered to ${one.about || `subscription ${one.of}`}`,
    detail: 'All attempts are used up. Requeue them once the receiver answers again.',
    to: one.about ? at(paths.webhooks, { receiver: one.about }) : paths.webhooks,
    isUrgent: false,
  }),
  open_payments: (one) => ({
    title: `${some(one, 'card payment')} ${be(one)} neither paid nor closed`,
    detail: 'Unpaid ones are closed after a day. These could not be checked with the card provider.',
    to: at(paths.money, { tab: 'cards', only: 'open' }),
    isUrgent: false,
  }),
  disputed_payments: (one) => ({
    title: `${some(one, 'card payment')} went back to the card holder, or ${one.count === 1 ? 'does' : 'do'} not match`,
    detail: 'Disputed or refunded money that is still in a wallet, or a payment of the wrong amount.',
    to: at(paths.money, { tab: 'cards', only: 'disputed' }),
    isUrgent: true,
  }),
  missing_seller: (one) => ({
    title: 'No invoices are issued: the settings do not say who sells',
    detail: `${some(one, 'partner')} bought something. Set SELLER_NAME, SELLER_ADDRESS and SELLER_COUNTRY; months that are over are then issued.`,
    to: at(paths.invoices, { tab: 'set-up' }),
    isUrgent: false,
  }),
  waiting_invoices: (one) => ({
    title: `The invoices of ${some(one, 'partner')} wait for ${one.about}`,
    detail: 'Their tax needs this setting. They are issued as soon as it is there.',
    to: at(paths.invoices, { tab: 'set-up' }),
    isUrgent: false,
  }),
  silent_supplier: (one) => ({
    title: `${one.of} does not deliver: ${some(one, 'order')} ${wait(one)}`,
    detail: 'For more than ten minutes.',
    to: paths.suppliers,
    isUrgent: true,
  }),
  unread_balance: (one) => ({
    title: `${one.of} does not report our balance`,
    detail: 'It is asked every few minutes. The last answer is older than half an hour.',
    to: paths.suppliers,
    isUrgent: false,
  }),
  low_balance: (one) => ({
    title: `Only $${one.about} is left at ${one.of}`,
    detail: 'When it is used up, orders for its plans wait.',
    to: paths.suppliers,
    isUrgent: true,
  }),
  low_stock: (one) => ({
    title:
      one.count === 0
        ? `${one.of} is out of stock of ${one.about}`
        : `Stock of ${one.about} at ${one.of} is low: ${some(one, 'eSIM')} left`,
    detail: 'When none is left, orders for the plan wait until more is imported.',
    to: paths.suppliers,
    isUrgent: one.count === 0,
  }),
  poor_supplier: (one) => ({
    title: `${one.about}% of the orders at ${one.of} failed`,
    detail: `${some(one, 'order')} of today and yesterday.`,
    to: paths.suppliers,
    isUrgent: false,
  }),
  old_list: (one) => ({
    title: `The price list of ${one.of} is old`,
    detail: 'It was last imported more than three days ago: plans may be sold at yesterday’s cost.',
    to: paths.catalog,
    isUrgent: false,
  }),
  failed_import: (one) => ({
    title: `The list of ${one.of} could not be imported`,
    detail: `${some(one, 'time')} in a row. ${one.about}`,
    to: at(paths.catalog, { tab: 'imports' }),
    isUrgent: false,
  }),
  held_import: (one) => ({
    title: `The list of ${one.of} is on hold`,
    detail: `${sentence(one.about)} Its plans stay on sale at the prices of the last import. If the list is right, import it by hand and confirm it.`,
    to: at(paths.catalog, { tab: 'imports' }),
    isUrgent: true,
  }),
  broken_ledger: () => ({
    title: 'The ledger does not add up',
    detail:
      'The last proof found rows that break a rule. Do not correct anything by hand before you know what happened.',
    to: at(paths.money, { tab: 'ledger' }),
    isUrgent: true,
  }),
  old_proof: (one) => ({
    title: one.about === 'never' ? 'The ledger was never proved' : 'The last proof of the ledger is old',
    detail: 'Have it proved every night by the timer, or now by hand.',
    to: at(paths.money, { tab: 'ledger' }),
    isUrgent: false,
  }),
  stopped_job: (one) => ({
    title: `The job “${one.of}” has stopped`,
    detail: 'No process has run it without an error for two minutes.',
    to: paths.system,
    isUrgent: true,
  }),
  applications: (one) => ({
    title: `${some(one, 'application')} ${wait(one)} for you`,
    detail: 'Somebody has asked for an account, or a partner has applied for live.',
    to: paths.applications,
    isUrgent: false,
  }),
  proposals: (one) => ({
    title: `${some(one, 'proposal')} ${wait(one)} for a second operator`,
    detail:
      'Somebody wants to move or promise more than one operator may. Approve or reject it; it expires after 24 hours.',
    to: paths.proposals,
    isUrgent: false,
  }),
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export const wordsOf = (alert: AnyAlert): AlertWords => words[alert.kind](alert);

/** What a part that could not be read is about. */
export const partName: Readonly<Record<HomePart['part'], string>> = {
  orders: 'waiting orders',
  refunds: 'refund requests',
  replacements: 'replacement requests',
  webhooks: 'stopped webhooks and dead letters',
  payments: 'card payments',
  invoices: 'invoices',
  suppliers: 'suppliers',
  catalog: 'price lists and imports',
  ledger: 'the proof of the ledger',
  jobs: 'background jobs',
  applications: 'applications',
  proposals: 'proposals',
};
