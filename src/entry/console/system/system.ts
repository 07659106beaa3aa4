import { showSso } from '../../../actions/partners/single-sign-on.ts';
import { shownIncident } from '../../../actions/system/incident.ts';
import { incidents, SHOWN_DAYS } from '../../../domains/insight/status-page/status-page.ts';
import { type ListedMail, listMails, mailStatuses } from '../../../domains/messages/mail/mail.ts';
import { lastProof, type ProofRow } from '../../../domains/money/proof/proof.ts';
import { needsSecondFactor, type Operator, operators } from '../../../domains/partners/people/people.ts';
import { DAY, MINUTE } from '../../../platform/clock.ts';
import { readSchemaState, type SchemaState } from '../../../platform/db/migrate/schema-state.ts';
import { isSilent, listProcesses, type SeenProcess } from '../../../platform/jobs/processes.ts';
import { type JobRecord, readJobRecords } from '../../../platform/jobs/successes.ts';
import { connectionsOf, databaseFigures, databaseSize } from '../../../platform/measure/database-figures.ts';
import type { DatabaseFigure } from '../../../platform/measure/metrics.ts';
import { version } from '../../../platform/settings/version.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { operatorRead } from '../action.ts';
import { settingsInForce } from './settings-in-force.ts';

/** A batch may take a while, and successes are written every few seconds. */
const PATIENCE_MS = 2 * MINUTE;

function jobViews(records: readonly JobRecord[], processes: readonly SeenProcess[], now: number) {
  const alive = processes.filter((one) => !isSilent(one, now));
  const names = new Set([...records.map(({ job }) => job), ...alive.flatMap(({ jobs }) => Object.keys(jobs))]);
  return [...names].sort().map((job) => {
    const running = alive.filter(({ jobs }) => Object.hasOwn(jobs, job));
    const { succeededAt = null, failedAt = null, error = null } = records.find((one) => one.job === job) ?? {};
    const everyMs = running.length === 0 ? null : Math.min(...running.map(({ jobs }) => jobs[job] ?? 0));
    const since = Math.max(
      succeededAt?.getTime() ?? 0,
      Math.min(...running.map(({ startedAt }) => startedAt.getTime())),
    );
    const state = (): 'ok' | 'failing' | 'late' | 'new' | 'not run' => {
      if (everyMs === null) return 'not run';
      if (failedAt && failedAt > (succeededAt ?? 0)) return 'failing';
      if (now - since > 2 * everyMs + PATIENCE_MS) return 'late';
      return succeededAt === null ? 'new' : 'ok';
    };
    return {
      job,
      /** Processes with a heartbeat that run it. */
      processes: running.length,
      /** How long it rests when there is nothing to do; null: no process says. */
      every_ms: everyMs,
      succeeded_at: iso(succeededAt),
      failed_at: iso(failedAt),
      error,
      /** `failing`: its last run failed. `late`: it should have succeeded by now. `not run`: by no process with a heartbeat. */
      state: state(),
    };
  });
}

const MAILS = 50;

export const systemActions = ({ db, clock, config, mail }: Base) => {
  const figures = databaseFigures(db, clock, connectionsOf(config));
  return [
    operatorRead('/operator/api/system', async ({ now }) => {
      const [processes, jobs, schema] = await Promise.all([listProcesses(db), readJobRecords(db), readSchemaState(db)]);
      return systemView(processes, jobs, schema, settingsInForce(config), now);
    }),
    operatorRead('/operator/api/system/database', async () => {
      const [size, read, proof] = await Promise.all([databaseSize(db), figures(), lastProof(db)]);
      return databaseView(size, read, proof);
    }),
    operatorRead('/operator/api/system/mail', async (call) => {
      const status = filtersFrom(call).oneOf('status', mailStatuses);
      return mailView(await listMails(db, status, MAILS), mail.isOn);
    }),
  ];
};

const systemView = (
  processes: readonly SeenProcess[],
  jobs: readonly JobRecord[],
  schema: SchemaState,
  settings: ReturnType<typeof settingsInForce>,
  now: number,
) => ({
  version,
  schema: {
    /** `pending`: files of this program that are not applied. `unknown`: applied by a newer version than this one. */
    ...jsonOf(schema, 'applied', 'pending', 'unknown'),
    latest: schema.latest.map(({ id, at }) => ({ id, at: iso(at) })),
  },
  processes: processes.map((one) => processView(one, now)),
  jobs: jobViews(jobs, processes, now),
  /** Of the process that answers. */
  settings: settings.map(({ name, value, isSet, otherwise }) => ({ name, value, is_set: isSet, otherwise })),
});

const processView = (one: SeenProcess, now: number) => ({
  ...jsonOf(one, 'id', 'host', 'pid', 'role', 'version', 'startedAt', 'lastSeen'),
  is_silent: isSilent(one, now),
});

/** The gauges that count waiting work. The others are of pages that read them for themselves, some made for alerts. */
const QUEUES = /^(webhook|orders|card_payments|mails?)(_|$)/;

const databaseView = (
  size: Awaited<ReturnType<typeof databaseSize>>,
  figures: readonly DatabaseFigure[],
  proof: ProofRow | undefined,
) => ({
  ...size,
  /** Queues and backlogs; empty if they could not be read in time. */
  figures: figures.filter(({ gauge }) => QUEUES.test(gauge)),
  /** The last proof of the ledger, as on the page of the ledger; null: there was none. */
  proved: proof?.finishedAt && proof.result ? { at: iso(proof.finishedAt), ok: proof.result.ok } : null,
});

const mailView = (mails: readonly ListedMail[], isOn: boolean) => ({
  is_on: isOn,
  most: MAILS,
  mails: mails.map((one) => ({
    id: String(one.mailId),
    to: one.recipient,
    ...jsonOf(one, 'kind', 'status', 'attempts', 'createdAt', 'dueAt', 'sentAt', 'error'),
  })),
});

export type DatabaseView = ReturnType<typeof databaseView>;

/** Where people sign in with the accounts of their company. Changes are commands: `sso confirm`, `require`, `release`. */
export const singleSignOnActions = ({ db, config }: Base) => [
  operatorRead('/operator/api/single-sign-on', () => showSso(db, config)),
];

/** Who may sign in to the console. Changes are commands: `operator invite`, `set`, `remove`, `reset-second-factor`. */
export const staffActions = ({ db, config }: Base) => [
  operatorRead('/operator/api/operators', async () => ({
    operators: (await operators.list(db)).map((one) => operatorView(one, needsSecondFactor(one.role, config.panelUrl))),
  })),
];

const operatorView = (operator: Operator, needsFactor: boolean) => ({
  id: operator.operatorId,
  ...jsonOf(operator, 'email', 'role'),
  accepted: operator.hasAccepted,
  second_factor: operator.hasSecondFactor,
  /** Their role can do nothing until it is on. */
  needs_second_factor: needsFactor,
  ...jsonOf(operator, 'createdAt', 'lastSignInAt'),
});

const LISTED = 200;

/** What the status page says in words; they are written with the commands `incident …`. */
export const incidentActions = ({ db, config }: Base) => [
  operatorRead('/operator/api/incidents', async ({ now }) => {
    const found = await incidents.list(db, { since: new Date(now - SHOWN_DAYS * DAY), limit: LISTED });
    return {
      incidents: found.map(shownIncident).map(incidentView),
      /** Whether they are public: with `PUBLIC_SITE=off` there is no status page. */
      is_public: config.site.isPublic,
    };
  }),
];

const incidentView = ({ started_at, resolved_at, updates, ...one }: ReturnType<typeof shownIncident>) => ({
  ...one,
  started_at: iso(started_at),
  resolved_at: resolved_at && iso(resolved_at),
  updates: updates.map(({ written_at, ...update }) => ({ ...update, written_at: iso(written_at) })),
});
