import {
  approveApplication,
  askApplicant,
  type Decided,
  rejectApplication,
  shownApplication,
} from '../../actions/applications.ts';
import {
  applicationKinds,
  applicationStatuses,
  findApplication,
  listApplications,
} from '../../domains/partners/applications/applications.ts';
import { command } from './command.ts';
import { choice, integer, percentOr, required, text, usd } from './options.ts';

const args = { id: required(integer('APPLICATION_ID', 'the application')) };
const version = integer(
  'VERSION',
  'the version you decide on, from `application show`; refused if it has changed since',
);

/** The link is there where it could not be mailed. */
const shown = ({ application, link }: Decided) => ({ ...shownApplication(application), ...(link && { link }) });

export const applicationCommands = [
  command({
    path: ['application', 'list'],
    console: 'shown',
    summary: 'List sign-ups and applications for live, newest first; `waiting` ones need your decision',
    options: {
      status: choice(applicationStatuses, 'only those in this state'),
      kind: choice(applicationKinds, 'only sign-ups, or only applications for live'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    run: async ({ db }, { limit = 50, ...sought }) =>
      (await listApplications(db, { ...sought, limit })).map(shownApplication),
    text: (found: readonly ReturnType<typeof shownApplication>[]) =>
      found.map(({ application_id, kind, status, partner_id, company, email, since }) => {
        return { application_id, kind, status, partner_id, company, email, since };
      }),
  }),
  command({
    path: ['application', 'show'],
    console: 'shown',
    summary: 'Show an application, with the version to give with your decision',
    args,
    run: async ({ db }, { id }) => shownApplication(await findApplication(db, id)),
  }),
  command({
    path: ['application', 'approve'],
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
  }),
  command({
    path: ['application', 'ask'],
    console: { may: 'support' },
    summary: 'Ask the applicant a question by mail; the application waits for you again once they answer',
    args,
    options: { version, question: required(text('TEXT', 'what you want to know')) },
    run: async (context, { id, version, question }) => shown(await askApplicant(context, { id, version }, question)),
  }),
  command({
    path: ['application', 'reject'],
    console: { may: 'manage' },
    summary: 'Reject an application; the applicant gets your note by mail',
    args,
    options: { version, note: required(text('TEXT', 'why; the applicant reads it')) },
    run: async (context, { id, version, note }) => shown(await rejectApplication(context, { id, version }, note)),
  }),
];
