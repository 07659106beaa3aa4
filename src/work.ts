import { forgottenPasswordsJob } from './actions/partners/forgotten-passwords.ts';
import { signUpMailsJob } from './actions/partners/sign-up.ts';
import { invoicesJob, receiptName } from './domains/billing/invoices/invoices.ts';
import { openRevenueShare, revenueShareJob } from './domains/billing/revenue-share/revenue-share.ts';
import { receiptFor, TOPUPS_CHANNEL } from './domains/billing/topups/topups.ts';
import { type Catalog, catalogStates } from './domains/catalog/catalog.ts';
import { priceContractsJob } from './domains/catalog/prices/prices.ts';
import { requestFiguresJob } from './domains/insight/figures/figures.ts';
import { KEPT_MS, pruneCallsJob } from './domains/insight/request-log/request-log.ts';
import { ledgerByMonthJob, salesByDayJob } from './domains/insight/rollups/rollups.ts';
import { serviceHoursJob } from './domains/insight/status-page/status-page.ts';
import { airaloNoticesJob, pruneAiraloJob } from './domains/messages/airalo/airalo.ts';
import { type MailJobParts, mailJob, smtpPost, tidyMailsJob } from './domains/messages/mail/mail.ts';
import { webhookWork } from './domains/messages/webhooks/webhooks.ts';
import { proofJob } from './domains/money/proof/proof.ts';
import { unusedAccountsJob } from './domains/partners/applications/applications.ts';
import { autorefillJob } from './domains/sales/autorefill/autorefill.ts';
import { esimCodes, soldIccids } from './domains/sales/orders/orders.ts';
import { provisioningJobs } from './domains/sales/purchase/purchase.ts';
import { refundJob } from './domains/sales/refunds/refunds.ts';
import { replacementJob } from './domains/sales/replacements/replacements.ts';
import { usageStatesJob, watchJob } from './domains/sales/usage/usage.ts';
import { pruneSupplierCallsJob, SUPPLIER_CALLS_KEPT_MS } from './domains/supply/calls/calls.ts';
import { balancesJob, listSyncJob, supplierFiguresJob, supplierHealth } from './domains/supply/supply.ts';
import { findBrand, mailedEsim } from './domains/travellers/travellers.ts';
import { resultOf } from './entry/api/airalo/orders.ts';
import type { Services } from './entry/api/endpoint.ts';
import { catalogChangedJob } from './entry/api/endpoints/catalog/changed-event.ts';
import { pruneActionKeysJob } from './platform/audit/action-keys.ts';
import { SECOND } from './platform/clock.ts';
import type { Listener } from './platform/db/notifications.ts';
import { type MonthlyLog, partitionsJob } from './platform/jobs/partitions.ts';
import { type Job, runJobs } from './platform/jobs/runner.ts';
import { jobSuccesses } from './platform/jobs/successes.ts';
import { connectionsOf, databaseFigures } from './platform/measure/database-figures.ts';
import type { Base } from './worlds/base.ts';
import { proveBoth } from './worlds/books.ts';
import { countAttempt, countTry } from './worlds/process-notes.ts';

/** What jobs share with what serves. */
type WorkServices = Pick<Services, 'catalog' | 'pricing' | 'routes'>;

/** Starts every job of a process that works. They end with `undo`: first the jobs, then the deliveries they left unrecorded. */
export function startWork(base: Base, listener: Listener, services: WorkServices, undo: AsyncDisposableStack) {
  const { routes } = services;
  const { config, clock, log, metrics } = base;
  const worlds = Object.values(base.worlds);
  const { live } = base.worlds;
  const webhooks = webhookWork({
    worlds,
    vault: base.vault,
    sender: base.sender,
    clock,
    log,
    listener,
    wake: (job) => runner.wake(job),
    keptMs: config.deliveriesKeptMs,
    onAttempt: countAttempt(metrics, clock),
    onTry: countTry(metrics),
    notices: base.mail,
  });
  undo.defer(() => webhooks.close());
  const codeParts = { vault: base.vault, clock, keptMs: config.codesKeptMs };
  const successes = jobSuccesses(base.db, clock);
  const jobs: Job[] = [
    ...webhooks.jobs,
    ...worlds.flatMap((world) => provisioningJobs(world, routes)),
    ...worlds.map((world) => soldIccids.job(world, clock)),
    ...esimCodes.jobs(live, base.db, { ...codeParts, forgetStock: base.stock.forgetCodes }),
    ...esimCodes.jobs(base.worlds.sandbox, base.db, { ...codeParts, forgetStock: async () => 0 }),
    usageStatesJob(live, clock),
    ...worlds.map(watchJob),
    ...worlds.map((world) => catalogChangedJob(world, { ...services, clock })),
    ...worlds.map((world) =>
      airaloNoticesJob(world, {
        ...base,
        resultOf: ({ partnerId, requestId }, id) => resultOf({ world, partnerId, ...services }, id, requestId),
      }),
    ),
    ...worlds.map((world) => pruneAiraloJob(world, { clock, keptMs: config.deliveriesKeptMs })),
    ...worlds.map(refundJob),
    ...worlds.map(replacementJob),
    ...worlds.map((world) => autorefillJob(world, services)),
    ...worlds.map((world) => pruneCallsJob(world, clock)),
    ...worlds.map((world) => pruneSupplierCallsJob(world, clock)),
    partitionsJob(base.db, worlds.flatMap(monthlyLogs), clock),
    revenueShareJob(openRevenueShare(live), clock),
    { name: 'topups', everyMs: 5 * SECOND, run: () => live.topups.reconcile(clock.now()) },
    ...worlds.map(invoicesJob),
    ...worlds.map((world) => salesByDayJob(world, clock)),
    ledgerByMonthJob(live, clock),
    proofJob({ db: base.db, clock, prove: (onProgress) => proveBoth(base.url, onProgress) }),
    ...worlds.map((world) => requestFiguresJob(world, clock)),
    ...listSync(base),
    ...mailing(base, services.catalog),
    balancesJob({ ...base, suppliers: live.suppliers, kinds: base.supplierKinds }),
    supplierFiguresJob(base.db, clock),
    serviceHoursJob(base.db, clock, sourcesOf(base)),
    catalogStates.job(base.db, clock),
    priceContractsJob(base.db, clock),
    pruneActionKeysJob(base),
    unusedAccountsJob(base),
    successes.job,
  ];
  const runner = runJobs(jobs, log, (job, outcome, error) => {
    metrics.jobBatches.inc({ job, outcome });
    if (outcome === 'failed') successes.noteFailure(job, error);
    else successes.note(job);
  });
  listener.on(TOPUPS_CHANNEL, () => runner.wake('topups'));
  listener.onReconnect(() => runner.wake('topups'));
  undo.defer(() => runner.close());
  return { jobs, wakeAll: runner.wakeAll };
}

/** What is kept in partitions by month. */
const monthlyLogs = ({ schema }: { readonly schema: string }): MonthlyLog[] => [
  { schema, table: 'request_log', keptMs: KEPT_MS },
  { schema, table: 'supplier_calls', keptMs: SUPPLIER_CALLS_KEPT_MS },
];

/** What the status page is measured by. */
function sourcesOf({ config, db, worlds, clock }: Base): Parameters<typeof serviceHoursJob>[2] {
  const figures = databaseFigures(db, clock, connectionsOf(config));
  return {
    api: worlds.live.insight.answeredBetween,
    suppliers: (from, to) => supplierHealth.byHour(db, from, to),
    async oldestDueSeconds() {
      const found = await figures();
      return found.find(({ gauge, of }) => gauge === 'webhook_oldest_due_seconds' && of === 'live')?.value;
    },
  };
}

/** With `CATALOG_SYNC_HOURS`, suppliers' lists are imported on a schedule. */
function listSync({ config, db, worlds, supplierKinds, vault, clock, log }: Base): Job[] {
  const { catalogSyncMs: everyMs } = config;
  const { suppliers } = worlds.live;
  return everyMs === 0
    ? []
    : [listSyncJob({ db, suppliers, kinds: supplierKinds, sign: vault.sign, clock, log, everyMs })];
}

/** What mails show and carry, and whose look they have. */
export const mailContents = (
  { config, db, worlds }: Pick<Base, 'config' | 'db' | 'worlds'>,
  places: Pick<Catalog, 'destination'>,
) =>
  ({
    sender: { siteName: config.site.name, panelUrl: config.panelUrl },
    site: config.site,
    async invoicePdf(number) {
      const { invoices } = worlds.live;
      const found = await invoices.find(number);
      return found && { name: `${number}.pdf`, type: 'application/pdf', bytes: await invoices.pdf(found) };
    },
    async receiptPdf(paymentKey) {
      const { invoices, topups } = worlds.live;
      const topup = await topups.find(paymentKey);
      const paid = topup && receiptFor(topup);
      return paid && { name: receiptName(paid), type: 'application/pdf', bytes: await invoices.receiptPdf(paid) };
    },
    brandOf: (partnerId) => findBrand(db, partnerId),
    async esimOf({ mode, orderId }, language) {
      const found = await worlds[mode].travellerLinks.forMail(BigInt(orderId));
      return found && mailedEsim(found, language, (code) => places.destination(code)?.title);
    },
  }) satisfies Partial<MailJobParts>;

/** With `SMTP_URL`, mails are sent, and forgotten passwords and sign-ups answered by mail. */
function mailing(base: Base, catalog: Catalog): Job[] {
  const { mail } = base.config;
  if (!mail) return [tidyMailsJob(base)];
  return [
    mailJob({ ...base, post: smtpPost(mail), ...mailContents(base, catalog) }),
    forgottenPasswordsJob(base),
    signUpMailsJob(base),
    tidyMailsJob(base),
  ];
}
