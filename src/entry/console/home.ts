import { catalogImports } from '../../domains/catalog/catalog.ts';
import { partnerNames } from '../../domains/partners/accounts/accounts.ts';
import { visits } from '../../domains/partners/people/people.ts';
import { step } from '../../platform/audit/action-keys.ts';
import { changesByOthers } from '../../platform/audit/audit-search.ts';
import { DAY } from '../../platform/clock.ts';
import { Type } from '../../platform/contract/schema.ts';
import { COUNT_LIMIT } from '../../platform/db/alerts.ts';
import type { Alert, Attention, NewsKind } from '../../worlds/alerts.ts';
import { iso } from '../site/json/action.ts';
import { type OperatorCall, operatorChange, operatorRead } from './action.ts';
import { entryView, partnersIn } from './system/audit.ts';

const name = Type.String({ maxLength: 200 });
const MAX_STATE = 600;

/** What needs a person now, and what this operator dismissed until it changes. */
export const homeActions = [
  operatorRead('/operator/api/home', home),
  operatorChange('/operator/api/home/dismiss', {
    may: 'see',
    tier: 'read',
    noCommand: 'it is about what the operator who is signed in is shown',
    /** `state` as it was shown; null: show it again. */
    body: Type.Object({
      kind: name,
      of: name,
      state: Type.Union([Type.String({ maxLength: MAX_STATE }), Type.Null()]),
    }),
    async handle({ now, operator: { operatorId }, context }, { kind, of, state }) {
      await step(context, (tx) =>
        state === null
          ? visits.show(tx, operatorId, { kind, of })
          : visits.dismiss(tx, operatorId, { kind, of, state }, now),
      );
      return { body: { dismissed: state !== null } };
    },
  }),
];

async function home({ now, operator: { operatorId }, context: { db, worlds } }: OperatorCall) {
  const [read, lastVisit, dismissed] = await Promise.all([
    worlds.live.attention(now),
    visits.lastEnded(db, operatorId),
    visits.dismissals(db, operatorId),
  ]);
  return { read_at: iso(new Date(now)), parts: read.map((one) => partView(one, lastVisit, dismissed)) };
}

type Dismissal = Awaited<ReturnType<typeof visits.dismissals>>[number];

const partView = (one: Attention, lastVisit: Date | null, dismissed: readonly Dismissal[]) => ({
  part: one.part,
  /** It could not be read, so nothing is known about it. */
  is_unreadable: 'isUnreadable' in one,
  alerts: 'alerts' in one ? one.alerts.map((alert) => alertView(alert, lastVisit, dismissed)) : [],
});

/**
 * What makes it a different alert from the one that was dismissed. The events held for a disabled receiver, and the balance at a
 * supplier, change all the time: those alerts return with a new cause, or when half of the balance is gone.
 */
function stateOf({ kind, count, since, about }: Alert): string {
  const began = since?.getTime() ?? '';
  if (kind === 'disabled_webhook') return `${began} ${about}`;
  if (kind === 'low_balance') return `${Math.floor(Math.log2(Math.max(Number(about), 0.01)))}`;
  return `${count} ${began} ${about}`.slice(0, MAX_STATE);
}

function alertView(alert: Alert, lastVisit: Date | null, dismissed: readonly Dismissal[]) {
  const { kind, count, since, of, about, nextTryAt = null } = alert;
  const state = stateOf(alert);
  return {
    kind,
    count,
    /** Counting stopped here: there may be more. */
    is_more: count >= COUNT_LIMIT,
    since: iso(since),
    of,
    about,
    /** When we retry automatically. */
    next_try_at: iso(nextTryAt),
    /** It began after this operator's last visit. */
    is_new: lastVisit !== null && since !== null && since > lastVisit,
    /** Sent back to dismiss it. */
    state,
    /** This operator dismissed it, and it has not changed since. */
    is_dismissed: dismissed.some((one) => one.kind === kind && one.of === of && one.state === state),
  };
}

export type HomeAlert = ReturnType<typeof alertView>;
export type HomePart = ReturnType<typeof partView>;

/** After a longer absence, read the audit log. */
const LONGEST_MS = 30 * DAY;
const CHANGES = 8;
/** How many imports are read; each supplier has one every few hours. */
const IMPORTS = 200;

export const sinceLastVisitActions = [operatorRead('/operator/api/home/since', sinceLastVisit)];

async function sinceLastVisit({ now, operator, context: { who, db, worlds } }: OperatorCall) {
  const left = await visits.lastEnded(db, operator.operatorId);
  if (left === null) return { since: null, news: [], changes: [], has_more: false };
  const since = new Date(Math.max(left.getTime(), now - LONGEST_MS));
  const [counted, imports, changes] = await Promise.all([
    worlds.live.news(since),
    catalogImports.list(db, { supplier: undefined, limit: IMPORTS }),
    changesByOthers(db, { since, who, limit: CHANGES + 1 }),
  ]);
  const names = await partnerNames(db, partnersIn(changes));
  return {
    /** When this operator's last visit ended, at most 30 days ago; null: this is their first. */
    since: iso(since),
    news: [
      ...counted.map(({ kind, count }) => ({ kind, count, is_more: count >= COUNT_LIMIT })),
      ...importNews(imports, since),
    ],
    /** What colleagues changed, newest first. */
    changes: changes.slice(0, CHANGES).map((entry) => entryView(entry, names)),
    has_more: changes.length > CHANGES,
  };
}

type PastImports = Awaited<ReturnType<typeof catalogImports.list>>;

function importNews(imports: PastImports, since: Date): News[] {
  const fresh = imports.filter(({ finishedAt }) => finishedAt > since);
  const is_more = fresh.length === IMPORTS;
  const failed = fresh.filter(({ error }) => error !== null).length;
  const repriced = fresh.reduce((sum, { counts }) => sum + (counts?.repriced ?? 0), 0);
  const all: News[] = [
    { kind: 'imports', count: fresh.length - failed, is_more },
    { kind: 'repriced_plans', count: repriced, is_more },
    { kind: 'failed_imports', count: failed, is_more },
  ];
  return all.filter(({ count }) => count > 0);
}

export interface News {
  readonly kind: NewsKind | 'imports' | 'repriced_plans' | 'failed_imports';
  readonly count: number;
  /** Counting stopped here: there may be more. */
  readonly is_more: boolean;
}
export type SinceLastVisitView = Awaited<ReturnType<typeof sinceLastVisit>>;
