import { forgottenPasswordsJob } from './actions/forgotten-passwords.ts';
import { signUpMailsJob } from './actions/sign-up.ts';
import { unusedAccountsJob } from './applications/applications.ts';
import { pruneActionKeysJob } from './audit/action-keys.ts';
import type { Base } from './base.ts';
import { bookSumsJob } from './books/books.ts';
import { catalogStatesJob } from './catalog/catalog.ts';
import { SECOND } from './clock.ts';
import type { Listener } from './db/listen.ts';
import { figuresJob, planFiguresJob, requestFiguresJob, saleFiguresJob } from './insight/insight.ts';
import { type MonthlyLog, partitionsJob } from './jobs/partitions.ts';
import { type Job, type Runner, runJobs } from './jobs/runner.ts';
import { jobSuccesses } from './jobs/successes.ts';
import { mailJob, smtpPost, tidyMailsJob } from './mail/mail.ts';
import { databaseFigures } from './measure/database-figures.ts';
import { connectionsOf } from './measure/database-settings.ts';
import { countAttempt, countTry } from './measure/measure.ts';
import { priceContractsJob } from './pricing/pricing.ts';
import { proofJob } from './proof/proof.ts';
import { provisioningJobs } from './purchase/purchase.ts';
import { refundJob } from './refunds/refunds.ts';
import { KEPT_MS, pruneCallsJob } from './request-log/request-log.ts';
import { openRevenueShare, revenueShareJob } from './revenue-share/revenue-share.ts';
import type { Routes } from './routes/routes.ts';
import { serviceHoursJob } from './status/status.ts';
import { pruneSupplierCallsJob, SUPPLIER_CALLS_KEPT_MS } from './supplier-log/supplier-log.ts';
import { balancesJob, listSyncJob, supplierFiguresJob, supplierHealth } from './suppliers/suppliers.ts';
import { TOPUPS_CHANNEL } from './topups/topups.ts';
import { usageStatesJob, watchJob } from './usage/usage.ts';
import { webhookWork } from './webhooks/webhooks.ts';
import { proveBoth } from './worlds/prove-both.ts';

/** What a process works on. */
export interface Work {
  readonly jobs: readonly Job[];
  readonly wakeAll: Runner['wakeAll'];
}

/** Starts every job of a process that works. They end with `undo`: first the jobs, then the deliveries they left unrecorded. */
export function startWork(base: Base, listener: Listener, routes: Routes, undo: AsyncDisposableStack): Work {
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
  const successes = jobSuccesses(base.db, clock);
  const jobs: Job[] = [
    ...webhooks.jobs,
    ...worlds.flatMap((world) => provisioningJobs(world, routes)),
    usageStatesJob(live, clock),
    ...worlds.map(watchJob),
    ...worlds.map(refundJob),
    ...worlds.map((world) => pruneCallsJob(world, clock)),
    ...worlds.map((world) => pruneSupplierCallsJob(world, clock)),
    partitionsJob(base.db, worlds.flatMap(monthlyLogs), clock),
    revenueShareJob(openRevenueShare(live), clock),
    { name: 'topups', everyMs: 5 * SECOND, run: () => live.topups.reconcile(clock.now()) },
    ...worlds.map((world) => figuresJob(world, clock)),
    ...worlds.map((world) => planFiguresJob(world, clock)),
    saleFiguresJob(live, clock),
    bookSumsJob(live),
    proofJob({ db: base.db, clock, prove: (wanted) => proveBoth(base.url, wanted) }),
    ...worlds.map((world) => requestFiguresJob(world, clock)),
    ...listSync(base),
    ...mailing(base),
    balancesJob({ ...base, suppliers: live.suppliers, kinds: base.supplierKinds }),
    supplierFiguresJob(base.db, clock),
    serviceHoursJob(base.db, clock, sourcesOf(base)),
    catalogStatesJob(base.db, clock),
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

/** With `SMTP_URL`, mails are sent, and forgotten passwords and sign-ups answered by mail. */
function mailing(base: Base): Job[] {
  const { mail, panelUrl } = base.config;
  if (!mail) return [tidyMailsJob(base)];
  return [
    mailJob({ ...base, panelUrl, post: smtpPost(mail) }),
    forgottenPasswordsJob(base),
    signUpMailsJob(base),
    tidyMailsJob(base),
  ];
}
