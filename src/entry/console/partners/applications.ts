import {
  type Application,
  applicationStatuses,
  findApplication,
  listApplications,
} from '../../../domains/partners/applications/applications.ts';
import { idOf, iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { detailsView } from '../../site/views/records.ts';
import { lastDays } from '../../site/views/span.ts';
import { type OperatorCall, operatorRead } from '../action.ts';
import { recentView } from './partners.ts';

const PER_PAGE = 50;

/** Sign-ups and applications for live. Decisions are commands (`application approve`, `ask`, `reject`). */
export const applicationActions = [
  operatorRead('/operator/api/applications', applications),
  operatorRead('/operator/api/applications/{id}', async (call) => {
    const application = await findApplication(call.context.db, idOf(call));
    return { application: view(application), sandbox: await sandboxView(call, application.partnerId) };
  }),
];

async function applications(call: OperatorCall) {
  const found = await listApplications(call.context.db, {
    status: filtersFrom(call).oneOf('status', applicationStatuses),
    before: filtersFrom(call, 'ignored').smallId('before'),
    limit: PER_PAGE + 1,
  });
  const rows = found.slice(0, PER_PAGE);
  const ids = rows.flatMap(({ partnerId }) => partnerId ?? []);
  const sold = await call.context.worlds.sandbox.insight.soldTo(ids, lastDays(call.now));
  const orders = new Map(sold.map((one) => [one.partnerId, one.orders]));
  return {
    applications: rows.map((one) => ({
      ...view(one),
      /** In the last 30 days; null: the applicant has no sandbox yet. */
      sandbox_orders: one.partnerId === null ? null : (orders.get(one.partnerId) ?? 0),
    })),
    has_more: found.length > PER_PAGE,
  };
}

/** What the applicant did in the sandbox in the last 30 days; null: they have none yet. */
async function sandboxView({ context, now }: OperatorCall, partnerId: number | null) {
  if (partnerId === null) return null;
  const { insight, requestLog } = context.worlds.sandbox;
  const [[sold], [lastCall]] = await Promise.all([
    insight.soldTo([partnerId], lastDays(now)),
    requestLog.list(partnerId, {}, { limit: 1, now }),
  ]);
  return { ...recentView(sold), last_call_at: lastCall ? iso(lastCall.at) : null };
}

const view = (application: Application) => ({
  id: application.applicationId,
  /** `version`: the one a decision applies to; sent with it. `partner_id` is null for a sign-up whose account is not open. */
  ...jsonOf(application, 'kind', 'status', 'version', 'partnerId', 'name', 'company', 'email'),
  ...detailsView(application.details),
  ...jsonOf(application, 'question', 'answer', 'note', 'createdAt', 'since', 'decidedAt'),
  decided_by: application.decidedBy.replace(/^operator:/, ''),
});
