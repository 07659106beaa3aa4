import {
  type BillingMode,
  findPartner,
  openLive,
  requireOpenPartner,
  setPartner,
} from '../../domains/partners/accounts/accounts.ts';
import {
  type Application,
  applicationKinds,
  applicationStatuses,
  askForLive,
  findApplication,
  type LiveDetails,
  linkToSignUp,
  listApplications,
  liveApplicationOf,
  lockApplication,
  moveApplication,
  signUpAddress,
} from '../../domains/partners/applications/applications.ts';
import type { Cents } from '../../platform/amounts/cents.ts';
import { change, listChanges } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Base } from '../../worlds/base.ts';
import { action } from '../action.ts';
import type { Actor } from '../actor.ts';
import { choice, integer, percentOr, required, text, usd } from '../fields.ts';
import { promising } from './partner.ts';
import { requireTyped } from './sign-up.ts';

export const shownApplication = (one: Application) => ({
  ...snaked(one, 'applicationId', 'kind', 'status', 'version', 'partnerId', 'name', 'company', 'email', 'details'),
  ...snaked(one, 'question', 'answer', 'note', 'createdAt', 'since', 'decidedAt', 'decidedBy'),
});

interface TypedLive extends LiveDetails {
  readonly company: string;
}

export function applyForLive(
  actor: Actor,
  who: { partnerId: number; email: string },
  typed: TypedLive,
): Promise<Application> {
  const company = requireTyped('company', typed.company);
  const details = {
    address: requireTyped('address', typed.address),
    country: requireTyped('country', typed.country),
    taxNumber: requireTyped('tax_number', typed.taxNumber),
    volume: requireTyped('volume', typed.volume),
    use: requireTyped('use', typed.use),
  };
  return change(actor, 'live apply', async (tx) => {
    await requireOpenPartner(tx, who.partnerId);
    if ((await findPartner(tx, who.partnerId)).isLive) throw new Refused('live_open');
    const made = await askForLive(tx, { ...who, company, details }, actor.clock.now());
    return { target: `application ${made.applicationId}`, after: shownApplication(made), result: made };
  });
}

export function answerLive(
  actor: Actor,
  partnerId: number,
  typed: { version: number; answer: string },
): Promise<Application> {
  const answer = requireTyped('answer', typed.answer);
  return change(actor, 'live answer', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const latest = await liveApplicationOf(tx, partnerId);
    if (!latest) throw new Refused('application_not_found');
    const before = await lockApplication(tx, latest.applicationId);
    if (before.status !== 'asked' || before.version !== typed.version)
      throw new Refused('application_changed', 'the application is not as you saw it; look at it again');
    const after = await moveApplication(tx, before.applicationId, { status: 'waiting', answer }, actor.clock.now());
    return {
      target: `application ${before.applicationId}`,
      before: shownApplication(before),
      after: shownApplication(after),
      result: after,
    };
  });
}

/** An operator who decides; the command line names no version. */
interface Decider extends Actor, Pick<Base, 'config'> {
  readonly operatorId?: number;
}

export interface Decision {
  readonly id: number;
  /** The version that was seen; undefined at the command line, which decides on the current one. */
  readonly version: number | undefined;
}

export interface Terms {
  readonly billing?: BillingMode | undefined;
  readonly creditLimit?: Cents | undefined;
  /** Percent with two decimals; null: the tiers decide. */
  readonly marginShare?: string | null | undefined;
}

/** The link is there only where it could not be mailed: then it has to reach the applicant some other way. */
export interface Decided {
  readonly application: Application;
  readonly link?: string;
}

/** Grants what was asked for. A sign-up gets a link that opens its account; an account gets live, on these terms. */
const approveApplication = (actor: Decider, decision: Decision, terms: Terms): Promise<Decided> =>
  decide(actor, 'application approve', decision, async (tx, found, now) => {
    const after = await moveApplication(
      tx,
      found.applicationId,
      { status: 'approved', decidedBy: actor.who, note: '' },
      now,
    );
    if (found.partnerId === null) {
      if (Object.values(terms).some((one) => one !== undefined))
        throw new Refused('invalid_input', 'terms are agreed when the partner applies for live');
      return linked(tx, actor, after, 'sign_up_approved', now);
    }
    const { billing = 'prepaid', creditLimit, marginShare } = terms;
    if (billing === 'prepaid' && creditLimit !== undefined)
      throw new Refused('invalid_input', 'only a postpaid account has a credit limit');
    await setPartner(
      tx,
      found.partnerId,
      { billing, ...(creditLimit !== undefined && { creditLimit }), ...(marginShare !== undefined && { marginShare }) },
      new Date(now),
    );
    await openLive(tx, found.partnerId);
    await actor.mail.noticeFor(tx, found.partnerId, 'live_approved', about(after), now);
    return { application: after };
  });

export function askApplicant(actor: Decider, decision: Decision, typed: string): Promise<Decided> {
  const question = requireTyped('question', typed);
  return decide(actor, 'application ask', decision, async (tx, found, now) => {
    const step = { status: 'asked', question, answer: '', decidedBy: actor.who } as const;
    const after = await moveApplication(tx, found.applicationId, step, now);
    if (found.partnerId === null) return linked(tx, actor, after, 'sign_up_question', now);
    await actor.mail.noticeFor(tx, found.partnerId, 'live_question', { ...about(after), question }, now);
    return { application: after };
  });
}

function rejectApplication(actor: Decider, decision: Decision, typed: string): Promise<Decided> {
  const note = requireTyped('note', typed);
  return decide(actor, 'application reject', decision, async (tx, found, now) => {
    const step = { status: 'rejected', note, decidedBy: actor.who } as const;
    const after = await moveApplication(tx, found.applicationId, step, now);
    const { name, email: to, partnerId } = found;
    if (partnerId !== null) await actor.mail.noticeFor(tx, partnerId, 'live_rejected', { ...about(after), note }, now);
    else await actor.mail.queue(tx, { kind: 'sign_up_rejected', to, facts: { name, note }, partnerId }, now);
    return { application: after };
  });
}

/** Distinguishes one notice about an application from the next. */
const about = ({ applicationId, version }: Application) => ({ step: `${applicationId}-${version}` });

async function linked(
  tx: Tx,
  { mail, config }: Decider,
  application: Application,
  kind: 'sign_up_approved' | 'sign_up_question',
  now: number,
): Promise<Decided> {
  const { applicationId, name, email: to, question } = application;
  const link = signUpAddress(config.panelUrl, await linkToSignUp(tx, applicationId, now, 'operator'));
  const mailed = await mail.queue(tx, { kind, to, facts: { name, link, question }, partnerId: null }, now);
  return mailed ? { application } : { application, link };
}

/** One decision with its entry. The partner is locked before the application, as when a member applies or the account is closed. */
function decide(
  actor: Decider,
  what: keyof typeof decisions,
  decision: Decision,
  work: (tx: Tx, found: Application, now: number) => Promise<Decided>,
): Promise<Decided> {
  return change(actor, what, async (tx) => {
    const { partnerId } = await findApplication(tx, decision.id);
    if (partnerId !== null) await requireOpenPartner(tx, partnerId);
    const before = await lockApplication(tx, decision.id);
    const target = `application ${decision.id}`;
    await requireCurrent(tx, actor, target, before, decision);
    const result = await work(tx, before, actor.clock.now());
    return {
      target,
      before: shownApplication(before),
      after: shownApplication(result.application),
      result,
      shownOnce:
        result.link && 'this was decided, and the link was shown once; without it, the applicant signs up again',
    };
  });
}

/** How a refusal describes what each decision was. */
const decisions = {
  'application approve': 'approved it',
  'application ask': 'asked the applicant a question',
  'application reject': 'rejected it',
} as const;

/**
 * A decision applies to what its page showed. The page sends that version; if it has changed, the refusal says who decided what.
 */
async function requireCurrent(
  tx: Tx,
  { operatorId }: Decider,
  target: string,
  { applicationId, status, version }: Application,
  decision: Decision,
): Promise<void> {
  if (decision.version === undefined && operatorId !== undefined)
    throw new Refused('invalid_input', 'version: say what you decide on');
  const isOpen = status === 'waiting' || status === 'asked';
  if (isOpen && (decision.version ?? version) === version) return;
  const log = await listChanges(tx, { target, who: undefined, limit: 20 });
  const last = log.find(({ what }) => what in decisions);
  const decided =
    last &&
    `${last.who.replace(/^operator:/, '')} ${decisions[last.what as keyof typeof decisions]} at ${timestamp(last.at)} UTC`;
  throw new Refused(
    'application_changed',
    `application ${applicationId} is not as you saw it: ${decided ?? 'it was changed meanwhile'} (it is ${status} now). Look at it again`,
  );
}

const args = { id: required(integer('APPLICATION_ID', 'the application')) };
const version = integer(
  'VERSION',
  'the version you decide on, from `application show`; refused if it has changed since',
);

const shown = ({ application, link }: Decided) => ({ ...shownApplication(application), ...(link && { link }) });

export const applicationActions = [
  action({
    name: 'application list',
    console: 'shown',
    summary: 'List sign-ups and applications for live, newest first; `waiting` ones need your decision',
    options: {
      status: choice(applicationStatuses, 'only those in this state'),
      kind: choice(applicationKinds, 'only sign-ups, or only applications for live'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    run: async ({ db }, { limit = 50, ...filter }) =>
      (await listApplications(db, { ...filter, limit })).map(shownApplication),
    text: (found: readonly ReturnType<typeof shownApplication>[]) =>
      found.map((one) => snaked(one, 'application_id', 'kind', 'status', 'partner_id', 'company', 'email', 'since')),
  }),
  action({
    name: 'application show',
    console: 'shown',
    summary: 'Show an application, with the version to give with your decision',
    args,
    run: async ({ db }, { id }) => shownApplication(await findApplication(db, id)),
  }),
  action({
    name: 'application approve',
    console: { may: 'manage', fresh: true },
    summary: 'Approve a sign-up, which mails the link to open the account, or open live for a partner on these terms',
    args,
    options: {
      version,
      billing: choice(['prepaid', 'postpaid'], 'how live purchases are paid; prepaid by default'),
      'credit-limit': usd('the most a postpaid account may owe'),
      'margin-share': percentOr('none', 'fixed share of the margin given as discount; none: the tiers decide'),
    },
    run: async (context, { id, version, ...terms }) =>
      shown(
        await approveApplication(
          context,
          { id, version },
          { billing: terms.billing, creditLimit: terms['credit-limit'], marginShare: terms['margin-share'] },
        ),
      ),
    fourEyes: {
      async subject(context, { id, ...terms }) {
        const { partnerId, version: current } = await findApplication(context.db, id);
        const verb = `Approve application ${id} and change the terms of`;
        const promised = partnerId === null ? undefined : await promising(context, partnerId, terms, verb);
        return promised && { ...promised, terms: { ...promised.terms, application: `version ${current}` } };
      },
    },
  }),
  action({
    name: 'application ask',
    console: { may: 'support' },
    summary: 'Ask the applicant a question by mail; the application waits for you again once they answer',
    args,
    options: { version, question: required(text('TEXT', 'what you want to know')) },
    run: async (context, { id, version, question }) => shown(await askApplicant(context, { id, version }, question)),
  }),
  action({
    name: 'application reject',
    console: { may: 'manage' },
    summary: 'Reject an application; the applicant gets your note by mail',
    args,
    options: { version, note: required(text('TEXT', 'why; the applicant reads it')) },
    run: async (context, { id, version, note }) => shown(await rejectApplication(context, { id, version }, note)),
  }),
];
