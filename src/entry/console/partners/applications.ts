import {
  type Application,
  applicationStatuses,
  findApplication,
  listApplications,
} from '../../../domains/partners/applications/applications.ts';
import { idOf, iso } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorAction, operatorAction } from '../action.ts';

const PER_PAGE = 50;

/** Sign-ups and applications for live. Decisions are commands (`application approve`, `ask`, `reject`). */
export const applicationActions: readonly OperatorAction[] = [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/applications',
    may: 'see',
    async handle(call) {
      const found = await listApplications(call.context.db, {
        status: filtersFrom(call).oneOf('status', applicationStatuses),
        before: filtersFrom(call, 'ignored').smallId('before'),
        limit: PER_PAGE + 1,
      });
      return { body: { applications: found.slice(0, PER_PAGE).map(view), has_more: found.length > PER_PAGE } };
    },
  }),
  operatorAction({
    verb: 'GET',
    path: '/operator/api/applications/{id}',
    may: 'see',
    handle: async (call) => ({ body: { application: view(await findApplication(call.context.db, idOf(call))) } }),
  }),
];

const view = (application: Application) => ({
  id: application.applicationId,
  kind: application.kind,
  status: application.status,
  /** The version a decision applies to; sent with it. */
  version: application.version,
  /** Null: a sign-up whose account is not open. */
  partner_id: application.partnerId,
  name: application.name,
  company: application.company,
  email: application.email,
  address: application.details.address ?? '',
  country: application.details.country ?? '',
  tax_number: application.details.taxNumber ?? '',
  volume: application.details.volume ?? '',
  use: application.details.use ?? '',
  question: application.question,
  answer: application.answer,
  note: application.note,
  created_at: iso(application.createdAt),
  since: iso(application.since),
  decided_at: iso(application.decidedAt),
  decided_by: application.decidedBy.replace(/^operator:/, ''),
});

export type ApplicationView = ReturnType<typeof view>;
export interface ApplicationsView {
  readonly applications: readonly ApplicationView[];
  readonly has_more: boolean;
}
