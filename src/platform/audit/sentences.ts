/*
 * The audit log in sentences. Every kind of change has a line in the table below: its sentence, without the person at its beginning.
 * `change` and `amend` take no other kind, so one without a sentence does not compile.
 */

/* What the sentences of the audit log are made with. */

import type { Mode } from '../contract/mode.ts';

export type State = Readonly<Record<string, unknown>>;

/** What a part of a sentence leads to. */
export type Thing =
  | { readonly kind: 'partner'; readonly id: number }
  | { readonly kind: 'order'; readonly id: string; readonly mode: Mode }
  | { readonly kind: 'product' | 'page'; readonly id: string };

/** Text, or something with a page of its own. */
export type Part = string | { readonly text: string; readonly of: Thing };

interface Facts {
  /** Whose it is; “a partner” where the entry does not say, and '' where the partner's own members read it. */
  readonly partner: Part;
  /** What it was done to. */
  readonly target: Part;
  /** The same as people know it: an address, a key, a receiver. */
  readonly about: string;
  readonly was: State;
  readonly is: State;
  /** The fields that differ. */
  readonly changed: readonly string[];
}

/** A sentence, and the fields that need no line below because it says them. */
interface Sentence {
  readonly parts: readonly Part[];
  readonly said: readonly string[];
}

type Write = (facts: Facts) => Sentence;

const say = (texts: TemplateStringsArray, ...parts: readonly (Part | readonly Part[])[]): Sentence => ({
  parts: texts
    .flatMap((text, i) => [text, parts[i] ?? ''])
    .flat()
    .filter((part) => part !== ''),
  said: [],
});

/** ` of Acme`; nothing where the partner's own members read it. */
const at = (word: 'of' | 'at' | 'to' | 'from' | 'for', partner: Part): readonly Part[] =>
  partner === '' ? [] : [` ${word} `, partner];

const saying = (sentence: Sentence, ...said: readonly string[]): Sentence => ({ ...sentence, said });

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
/** Amounts are kept as decimals without a currency. */
export function usd(value: unknown): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text(value)) ?? [];
  // Costs have six places; those beyond cents count only if they say something.
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${places.replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
const some = (value: unknown, noun: string): string => `${text(value)} ${noun}${value === 1 ? '' : 's'}`;
const page = (words: string, id: string): Part => ({ text: words, of: { kind: 'page', id } });
/** Up or down, where both are numbers. */
const raised = (was: unknown, is: unknown): string => (Number(is) > Number(was) ? 'raised' : 'lowered');

const noted = ({ is }: Facts): string => (text(is.note) === '' ? '' : `: “${text(is.note)}”`);

const wallet = ['balance', 'promo', 'cash', 'debt'];
const membership = ['email', 'role', 'accepted'];
const operatorship = [...membership, 'second_factor'];
/** What an entry about a replacement repeats. */
const replaced = [
  'old_order_id',
  'status',
  'order_id',
  'cost',
  'reason',
  'requested_by',
  'requested_at',
  'decided_at',
  'replaced_at',
  'old_esim',
];

/** The sentence for a single changed term. Several changed terms are listed below a general sentence. */
const terms: Readonly<Record<string, Write>> = {
  credit_limit: ({ partner, was, is }) =>
    say`${raised(was.credit_limit, is.credit_limit)} the credit line of ${partner} from ${usd(was.credit_limit)} to ${usd(is.credit_limit)}`,
  suspended: ({ partner, is }) =>
    is.suspended === true ? say`suspended ${partner}` : say`lifted the suspension of ${partner}`,
  disabled: ({ partner, is }) => (is.disabled === true ? say`disabled ${partner}` : say`enabled ${partner} again`),
  billing_mode: ({ partner, is }) => say`moved ${partner} to ${text(is.billing_mode)} billing`,
  balance_alert: ({ partner, is }) =>
    is.balance_alert === null
      ? say`turned off the balance alert of ${partner}`
      : say`set the balance alert of ${partner} to ${usd(is.balance_alert)}`,
  margin_share_pct: ({ partner, is }) =>
    is.margin_share_pct === null
      ? say`left the margin share of ${partner} to the tiers`
      : say`fixed the margin share of ${partner} at ${text(is.margin_share_pct)} %`,
  revenue_share_pct: ({ partner, is }) =>
    is.revenue_share_pct === null
      ? say`turned off the revenue share of ${partner}`
      : say`set the revenue share of ${partner} to ${text(is.revenue_share_pct)} %`,
};

function partnerSet(facts: Facts): Sentence {
  const [only, another] = facts.changed;
  const write = only !== undefined && another === undefined ? terms[only] : undefined;
  if (write) return saying(write(facts), only ?? '');
  return facts.changed.length === 0
    ? say`saved the terms of ${facts.partner} without a change`
    : say`changed the terms of ${facts.partner}`;
}

const rule = ({ scope, target, share_pct, price }: State): string =>
  `${text(scope)} ${text(target)}${share_pct ? ` at ${text(share_pct)} % of the margin` : price ? ` at ${usd(price)}` : ''}`;

/** What `shownApplication` has, as far as the sentence says it. */
const application = ['application_id', 'kind', 'status', 'version', 'since', 'decided_at', 'decided_by'];
const applicant = (about: string, { kind, company }: State): Part =>
  page(
    `the ${kind === 'live' ? 'application for live' : 'sign-up'} of ${text(company)}`,
    about.replace('application ', 'applications/'),
  );
/** An incident is read on its own page. */
const written = [
  'incident_id',
  'title',
  'impact',
  'parts',
  'status',
  'started_at',
  'resolved_at',
  'version',
  'updates',
];
const incident = ({ title }: State): Part => page(`“${text(title)}”`, 'incidents');

const person = (who: unknown): string => text(who).replace(/^operator:/, '');

const webhook = (about: string): string => (about.startsWith('webhook') ? `the ${about}` : `the webhook to ${about}`);

export const sentences = {
  'application approve': ({ about, is }) => saying(say`approved ${applicant(about, is)}`, ...application),
  'application ask': ({ about, is }) =>
    saying(say`asked ${applicant(about, is)}: “${text(is.question)}”`, 'question', ...application),
  'application expire': ({ partner }) => saying(say`closed the unused account of ${partner}`, ...application),
  'application reject': (facts) =>
    saying(say`rejected ${applicant(facts.about, facts.is)}${noted(facts)}`, 'note', ...application),
  archive: ({ is }) =>
    saying(say`archived the books of the years before ${text(is.before)} to ${text(is.folder)}`, 'before', 'folder'),
  'audit request': () => say`asked for a proof of ${page('the ledger', 'money?tab=ledger')}`,
  'brand set': ({ partner }) => say`changed the traveller’s page${at('of', partner)}`,
  'catalog import': ({ target, is }) =>
    saying(
      say`imported the price list of ${target}: ${some(is.plans, 'plan')}, ${text(is.added)} added, ${text(is.changed)} changed, ${text(is.off_sale)} off sale`,
      ...['supplier', 'plans', 'added', 'changed', 'off_sale'],
    ),
  'catalog product set': ({ target }) => say`changed the plan ${target}`,
  'esim autorefill': ({ target, is }) =>
    saying(
      is.off === '1'
        ? say`ended the automatic refills of the ${target}`
        : say`had the ${target} refill itself at ${text(is.at_percent)} % of its data, at most ${text(is.times)} times, for up to ${usd(is.max_price)} each`,
      ...['mode', 'iccid', 'product_id', 'at_percent', 'times', 'max_price', 'off'],
    ),
  'esim replace': ({ target }) => saying(say`asked for a new eSIM in place of the ${target}`, 'mode', 'iccid'),
  'esim resume': ({ target }) => saying(say`switched the ${target} on again`, 'mode', 'iccid'),
  'esim suspend': ({ target }) => saying(say`suspended the ${target}`, 'mode', 'iccid'),
  'help answer': ({ target }) => saying(say`answered ${target}`, 'mode', 'state', 'iccid'),
  'help close': ({ target }) => saying(say`closed ${target}`, 'mode', 'state', 'iccid'),
  'incident resolve': ({ is }) => saying(say`resolved ${incident(is)}`, ...written),
  'incident update': ({ is }) => saying(say`wrote about ${incident(is)} on the status page`, ...written),
  'incident write': ({ is }) => saying(say`told everybody of ${incident(is)} on the status page`, ...written),
  'invoice credit': ({ target, partner, is }) =>
    saying(say`voided ${target} of ${partner}: “${text(is.reason)}”`, 'reason', 'credit_note', 'status', ...wallet),
  'invoice issue': ({ partner, is }) =>
    saying(say`issued the invoice of ${text(is.month)} to ${partner}`, 'month', 'numbers'),
  'invoice send': ({ target, partner }) => say`mailed ${target} to ${partner} again`,
  'key create': ({ partner, about }) => say`created the API key ${about}${at('of', partner)}`,
  'key revoke': ({ partner, about }) => saying(say`revoked the API key ${about}${at('of', partner)}`, 'revoked_at'),
  'key set': ({ partner, about }) => say`changed the API key ${about}${at('of', partner)}`,
  'live answer': ({ about, is }) => saying(say`answered the question about ${applicant(about, is)}`, ...application),
  'live apply': ({ about, is }) => saying(say`sent ${applicant(about, is)}`, ...application),
  'mail test': ({ target }) => say`sent a test mail to ${target}`,
  'member invite': ({ partner, about, is }) =>
    saying(say`made ${about} a link to sign in at ${partner} as ${text(is.role)}`, ...membership),
  'member invite again': ({ partner, about }) =>
    saying(say`made a new invitation link for ${about}${at('to', partner)}`, ...membership),
  'member join': ({ partner }) => say`joined ${partner} with an existing password`,
  'member remove': ({ partner, about }) => saying(say`removed ${about}${at('from', partner)}`, ...membership),
  'member reset-second-factor': ({ partner, about }) =>
    saying(say`reset the two-step sign-in of ${about}${at('at', partner)}`, 'second_factor'),
  'member set': ({ partner, about, was, is }) =>
    saying(say`changed the role of ${about}${at('at', partner)} from ${text(was.role)} to ${text(is.role)}`, 'role'),
  'note add': ({ target }) => say`wrote a note about ${target}`,
  'note delete': ({ target, was }) =>
    saying(say`deleted a note by ${text(was.author).replace(/^operator:/, '')} about ${target}`, 'author'),
  'operator invite': ({ about, is }) =>
    saying(say`made ${about} a link to sign in to the console as ${text(is.role)}`, ...operatorship),
  'operator passkey add': ({ is }) => saying(say`added the passkey “${text(is.name)}”`, 'name'),
  'operator passkey remove': ({ was }) => saying(say`removed the passkey “${text(was.name)}”`, 'name'),
  'operator password change': () => say`changed their password`,
  'operator password set by link': () => say`set a password with a link`,
  'operator recovery codes renew': () => say`made new recovery codes`,
  'operator remove': ({ about }) => saying(say`removed the operator ${about}`, ...operatorship),
  'operator reset-second-factor': ({ about }) => saying(say`reset the two-step sign-in of ${about}`, 'second_factor'),
  'operator sso release': () => say`stopped requiring single sign-on of operators`,
  'operator sso require': ({ is }) =>
    saying(
      say`made single sign-on a requirement for operators; ${text(is.break_glass)} keeps a password`,
      'break_glass',
    ),
  'operator sso link': () => saying(say`signed in by single sign-on for the first time`, ...operatorship, 'issuer'),
  'operator sso role': ({ was, is }) =>
    saying(say`got the role ${text(is.role)} instead of ${text(was.role)} by single sign-on`, 'role'),
  'operator second factor off': () => say`turned off two-step sign-in`,
  'operator second factor on': () => say`turned on two-step sign-in`,
  'operator set': ({ about, was, is }) =>
    saying(say`changed the role of ${about} from ${text(was.role)} to ${text(is.role)}`, 'role'),
  'order buy': ({ target, is }) =>
    saying(say`bought ${target} in the panel for ${usd(is.price)}`, 'mode', 'product_id', 'iccid', 'price'),
  'order cancel': ({ target }) => saying(say`asked to cancel ${target}`, 'mode'),
  'order fail': ({ target }) => saying(say`failed ${target} and gave its price back`, 'status', 'delivery'),
  'order refund': (facts) =>
    saying(
      say`refunded ${usd(facts.is.refunded)} of ${facts.target} to ${facts.partner}${noted(facts)}`,
      'refunded',
      'note',
      ...wallet,
    ),
  'order resend': ({ target, is }) => saying(say`sent ${some(is.resent, 'event')} of ${target} again`, 'resent'),
  'order retry': ({ target }) => saying(say`asked to try the delivery of ${target} now`, 'brought_forward'),
  'order reveal': ({ target }) => say`looked at the activation data of ${target}`,
  'partner create': ({ partner }) => say`created the partner ${partner}`,
  'partner delete': ({ partner }) => say`closed the account of ${partner} for good`,
  'partner open-live': ({ partner }) => saying(say`opened live for ${partner}`, 'live'),
  'partner set': partnerSet,
  'partner view': ({ partner }) => say`looked at the panel of ${partner}`,
  'passkey add': ({ is }) => saying(say`added the passkey “${text(is.name)}”`, 'name'),
  'passkey remove': ({ was }) => saying(say`removed the passkey “${text(was.name)}”`, 'name'),
  'password change': () => say`changed their password`,
  'password set by link': () => say`set a password with a link`,
  'pricing cap': () => say`changed the cap on ${page('margin shares', 'prices?tab=shares')}`,
  'pricing rule add': ({ partner, is }) =>
    saying(
      typeof is.partner_id === 'number'
        ? say`set a price rule for ${partner}: ${rule(is)}`
        : say`set ${page('a price rule', 'prices')} for all partners: ${rule(is)}`,
      ...['scope', 'target', 'share_pct', 'price'],
    ),
  'pricing rule remove': ({ partner, was }) =>
    saying(
      typeof was.partner_id === 'number'
        ? say`removed a price rule of ${partner}: ${rule(was)}`
        : say`removed ${page('a price rule', 'prices')} for all partners: ${rule(was)}`,
      ...['scope', 'target', 'share_pct', 'price'],
    ),
  'pricing tiers': () => say`changed ${page('the share tiers', 'prices?tab=shares')}`,
  'proposal approve': ({ is }) =>
    saying(say`approved what ${person(is.proposed_by)} proposed: ${text(is.words)}`, 'proposed_by', 'words'),
  'proposal create': ({ is }) =>
    saying(say`proposed, for ${page('another operator', 'proposals')} to approve: ${text(is.words)}`, 'words'),
  'proposal reject': ({ is }) =>
    saying(
      say`rejected what ${person(is.proposed_by)} proposed: ${text(is.words)}${is.reason ? `; the reason: “${text(is.reason)}”` : ''}`,
      ...['proposed_by', 'words', 'reason'],
    ),
  'proposal withdraw': ({ is }) => saying(say`withdrew their proposal: ${text(is.words)}`, 'words', 'reason'),
  'recovery codes renew': () => say`made new recovery codes`,
  'refund approve': (facts) =>
    saying(
      say`approved the refund of ${facts.target}: ${usd(facts.is.refunded)} went back to ${facts.partner}${noted(facts)}`,
      ...['refunded', 'note', 'refund', ...wallet],
    ),
  'refund reject': (facts) =>
    saying(say`rejected the refund of ${facts.target} of ${facts.partner}${noted(facts)}`, 'note', 'refund', ...wallet),
  'replacement approve': (facts) =>
    saying(say`approved the replacement of the eSIM of ${facts.target} of ${facts.partner}`, ...replaced, ...wallet),
  'replacement reject': (facts) =>
    saying(say`rejected the replacement of the eSIM of ${facts.target} of ${facts.partner}`, ...replaced, ...wallet),
  'retail price set': ({ partner, is, was }) =>
    saying(
      say`changed a retail price${at('of', partner)}: ${text(is.plan ?? is.destination ?? was.plan ?? was.destination)}`,
      ...['plan', 'destination'],
    ),
  'retail set': ({ partner }) => say`changed what the retail prices${at('of', partner)} are made of`,
  'revenue-share set': () => say`changed the terms of ${page('the revenue share', 'money?tab=settlement')}`,
  'route auto': ({ about }) =>
    say`changed ${page('automatic routes', 'routes')}${about === 'routes' ? '' : ` of ${about}`}`,
  'route clear': ({ target }) => say`removed the route of ${target}`,
  'route set': ({ target }) => say`set the route of ${target}`,
  'sandbox clock advance': ({ partner }) => say`advanced the sandbox clock${at('of', partner)}`,
  'sandbox clock reset': ({ partner }) => say`reset the sandbox clock${at('of', partner)}`,
  'second factor off': () => say`turned off two-step sign-in`,
  'second factor on': () => say`turned on two-step sign-in`,
  'privacy export': ({ about }) => say`exported everything stored about ${about}`,
  'privacy erase': ({ about }) => say`erased what is stored about ${about}`,
  'secret rotate': () => say`rotated the secret that seals stored data`,
  settle: ({ is }) =>
    saying(say`settled ${page('the revenue share', 'money?tab=settlement')}: ${some(is.settled, 'share')}`, 'settled'),
  'share mail': ({ target }) => saying(say`mailed the traveller’s page of ${target}`, 'mode'),
  'share renew': ({ target }) => say`made a new traveller’s link for ${target}`,
  'share revoke': ({ target }) => say`revoked the traveller’s link of ${target}`,
  'sign up': ({ partner }) => say`signed up, which opened ${partner}`,
  'sso confirm': ({ partner, is }) =>
    saying(say`confirmed the mail domain ${text(is.domain)}${at('of', partner)}`, 'domain'),
  'sso link': () => saying(say`signed in by single sign-on for the first time`, 'email', 'role', 'issuer'),
  'sso release': ({ partner }) => say`stopped requiring single sign-on${at('of', partner)}`,
  'sso remove': ({ partner }) => say`removed the single sign-on${at('of', partner)}`,
  'sso require': ({ partner, is }) =>
    saying(
      say`made single sign-on a requirement${at('at', partner)}; ${text(is.break_glass)} keeps a password`,
      'break_glass',
    ),
  'sso set': ({ partner }) => say`set up single sign-on${at('for', partner)}`,
  'stock discard': ({ about }) => say`took the eSIM ${about} out of ${page('stock', 'suppliers')}`,
  'stock import': ({ target, is }) =>
    saying(say`added ${some(is.items, 'eSIM')} to the stock of ${target}`, 'items', 'supplier'),
  'stock release': ({ about }) => say`put the eSIM ${about} back into ${page('stock', 'suppliers')}`,
  'stock set': ({ about }) => say`changed when the stock of ${about} counts as low`,
  'supplier add': ({ target }) => say`added the supplier ${target}`,
  'supplier set': ({ target, is, was }) =>
    was.off_since === is.off_since || !('off_since' in is)
      ? say`changed the supplier ${target}`
      : is.off_since === null
        ? say`put the plans of ${target} back on sale`
        : say`took all plans of ${target} off sale`,
  'supplier simulate': ({ target }) => say`chose how the simulated supplier treats ${target}`,
  'supplier test': ({ target }) => say`made a test call to ${target}`,
  'topup check': ({ about }) => say`checked the card payment ${about} with its provider`,
  'topup pay': ({ about }) => say`paid the card payment ${about} at the simulated provider`,
  'usage set': ({ about }) => say`set the usage of the simulated eSIM ${about}`,
  'wallet adjust': (facts) =>
    saying(say`corrected the wallet of ${facts.partner} by ${usd(facts.is.amount)}${noted(facts)}`, 'amount', 'note'),
  'wallet credit': (facts) =>
    saying(say`credited ${usd(facts.is.amount)} to ${facts.partner}${noted(facts)}`, 'amount', 'note'),
  'wallet payment': (facts) =>
    saying(say`recorded a payment of ${usd(facts.is.amount)} by ${facts.partner}${noted(facts)}`, 'amount', 'note'),
  'webhook create': ({ partner, about }) => saying(say`created a webhook${at('of', partner)} to ${about}`, 'url'),
  'webhook delete': ({ partner, about }) => say`deleted ${webhook(about)}${at('of', partner)}`,
  'webhook pause': ({ partner, about }) => saying(say`paused the webhook${at('of', partner)} to ${about}`, 'status'),
  'webhook prune': ({ is }) =>
    saying(say`deleted the bodies of ${some(is.pruned, 'webhook delivery').replace(/ys$/, 'ies')}`, 'pruned'),
  'webhook requeue': ({ about, is }) =>
    saying(say`requeued ${is.requeued === undefined ? '' : `${text(is.requeued)} of `}${about}`, 'requeued'),
  'webhook resend': ({ about }) =>
    say`asked to send ${about.startsWith('webhook') ? `deliveries of ${about}` : about} again`,
  'webhook resume': ({ partner, about }) => saying(say`resumed the webhook${at('of', partner)} to ${about}`, 'status'),
  'webhook rotate': ({ partner, about }) => say`rotated the signing secret of ${webhook(about)}${at('of', partner)}`,
  'webhook rotate finish': ({ partner, about }) =>
    say`ended the old signing secret of the webhook${at('of', partner)} to ${about}`,
  'webhook set': ({ partner, about }) => say`changed the webhook${at('of', partner)} to ${about}`,
} satisfies Readonly<Record<string, Write>>;

export type AuditKind = keyof typeof sentences;

/** What the partner's own members read in another way: they know whose it is, and do not see all of its fields. */
const partnerSentences: Partial<Readonly<Record<AuditKind, (about: string, isOperator: boolean) => Sentence>>> = {
  'application approve': () => say`approved the application for live`,
  'application ask': () => say`asked a question about the application for live`,
  'application reject': () => say`rejected the application for live`,
  'live answer': () => say`answered a question about the application for live`,
  'live apply': () => say`applied for live`,
  // An operator's command is the same for somebody who forgot their password.
  'member invite': (email, isOperator) =>
    isOperator ? say`made a link for ${email} to sign in with` : say`invited ${email}`,
  'member join': () => say`accepted an invitation with an existing password`,
  'order buy': (order) => say`bought ${order}`,
  'partner open-live': () => say`opened live for this account`,
  'partner set': () => say`changed the account`,
  'sign up': () => say`signed up`,
};

export const partnerSentenceOf = (what: string, facts: Facts, isOperator: boolean): Sentence =>
  partnerSentences[what as AuditKind]?.(facts.about, isOperator) ?? sentenceOf(what, facts);

/** Entries of earlier versions may be of a kind that no longer exists. */
export const sentenceOf = (what: string, facts: Facts): Sentence =>
  Object.hasOwn(sentences, what)
    ? (sentences[what as AuditKind] as Write)(facts)
    : say`ran “${what}” on ${facts.target}`;
