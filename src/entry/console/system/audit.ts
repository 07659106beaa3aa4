import { auditWords, authorOf, withoutSecrets } from '../../../actions/system/audit-words.ts';
import { differences } from '../../../actions/system/changes.ts';
import { partnerNames } from '../../../domains/partners/accounts/accounts.ts';
import type { ActivityEntry } from '../../../platform/audit/audit-log.ts';
import { type ChangeSearch, listKinds, searchChanges } from '../../../platform/audit/audit-search.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Base } from '../../../worlds/base.ts';
import { jsonOf } from '../../site/json/action.ts';
import { csvDownload, inPages } from '../../site/json/csv.ts';
import { filtersFrom, requireTimeColumns } from '../../site/json/filters.ts';
import { type OperatorCall, operatorFile, operatorRead } from '../action.ts';
import { requirePartner } from '../orders/orders.ts';

const PAGE = 50;
const FILE_PAGE = 1_000;

/** Who changed what, with what it was before and after. */
export const auditActions = ({ db }: Base) => [
  operatorRead('/operator/api/audit', async (call) => {
    const filters = filtersFrom(call);
    const [before, limit] = [filters.id('before'), filters.limit(PAGE)];
    const [found, kinds] = await Promise.all([
      searchChanges(db, await searchOf(call, db), { before, limit: limit + 1 }),
      listKinds(db),
    ]);
    const names = await partnerNames(db, partnersIn(found));
    const entries = found.slice(0, limit).map((entry) => entryView(entry, names));
    return { entries, has_more: found.length > limit, kinds };
  }),
  operatorFile('/operator/api/audit.csv', async (call) => {
    const search = await searchOf(call, db);
    const time = requireTimeColumns(call.query);
    async function* rows() {
      const entries = inPages<ActivityEntry>((last) =>
        searchChanges(db, search, { before: last?.id, limit: FILE_PAGE }),
      );
      for await (const entry of entries)
        yield [entry.id, ...time.cells(entry.at), entry.who, entry.what, entry.target, changesOf(entry).join('\n')];
    }
    return csvDownload('audit-log', ['entry', ...time.header('date'), 'who', 'what', 'target', 'changes'], rows());
  }),
];

async function searchOf(call: OperatorCall, db: Queryable): Promise<ChangeSearch> {
  const { text, time } = filtersFrom(call);
  const who = text('who');
  return {
    who: who === undefined ? undefined : namesOf(who),
    target: text('target'),
    what: text('what'),
    partnerId: await requirePartner(call, db),
    from: time('from'),
    until: time('to'),
  };
}

/** An address is that of an operator, a member, or (the log is older than the console) a login at the command line. */
const namesOf = (typed: string): string[] =>
  typed.includes('@') && !typed.includes(':') ? [`operator:${typed}`, `member:${typed}`, typed] : [typed];

const changesOf = ({ target, before, after }: ActivityEntry): string[] =>
  differences({ target, before: withoutSecrets(before), after: withoutSecrets(after) });

/** Those whose names sentences need. */
export const partnersIn = (found: readonly ActivityEntry[]): number[] =>
  found.flatMap(({ partnerId }) => partnerId ?? []);

export const entryView = (entry: ActivityEntry, names: ReadonlyMap<number, string>) => ({
  ...jsonOf(entry, 'id', 'at', 'who', 'what', 'target'),
  by: authorOf(entry.who),
  ...auditWords(entry, names),
  /** One line per field: `suspended: false → true`. */
  changes: changesOf(entry),
});

export type AuditEntryView = ReturnType<typeof entryView>;
