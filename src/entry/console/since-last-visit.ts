import { catalogImports } from '../../domains/catalog/catalog.ts';
import { partnerNames } from '../../domains/partners/accounts/accounts.ts';
import { visits } from '../../domains/partners/people/people.ts';
import { changesByOthers } from '../../platform/audit/audit-search.ts';
import { DAY } from '../../platform/clock.ts';
import { COUNT_LIMIT } from '../../platform/db/alerts.ts';
import type { NewsKind } from '../../worlds/alerts.ts';
import { iso } from '../site/json/action.ts';
import { type OperatorCall, operatorRead } from './action.ts';
import { entryView, partnersIn } from './system/audit.ts';

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
