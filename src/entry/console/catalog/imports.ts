import { importCatalogFile, importing } from '../../../actions/catalog/catalog.ts';
import { toggle } from '../../../actions/fields.ts';
import { catalogImports, listSuppliers } from '../../../domains/catalog/catalog.ts';
import { readImportFile } from '../../../domains/catalog/import-format/import-format.ts';
import { listSchedule, namedSuppliers } from '../../../domains/supply/supply.ts';
import { HOUR } from '../../../platform/clock.ts';
import type { Static } from '../../../platform/contract/schema.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { type OperatorCall, operatorChange, operatorRead } from '../action.ts';
import { carryOut, type Guarded } from '../four-eyes.ts';
import { upload, withInput } from '../run.ts';

const PAGE = 20;
/** The message has the total. */
const PROBLEMS_SHOWN = 100;
/** Some 10,000 plans. */
const file = upload(4);

/** Where plans come from: suppliers' lists, when they are imported, and how that went. */
export const importActions = [
  operatorRead('/operator/api/catalog/sources', sources),
  operatorRead('/operator/api/catalog/imports', imports),
  operatorChange('/operator/api/catalog/import', {
    may: 'manage',
    maxBytes: file.maxBytes,
    noCommand: '`catalog import` reads a file; a page sends its text',
    body: file.body,
    async handle(call, { input, text }) {
      file.requireShort(text);
      const done = await carryOut(call, uploadedList, { input, text });
      if ('proposal' in done) return { body: done };
      const made = done.result as FileImported;
      const result = 'ok' in made ? { ...made, problems: made.problems.slice(0, PROBLEMS_SHOWN) } : made;
      return { body: { result }, kept: input['dry-run'] || 'ok' in made ? 'nothing' : 'answer' };
    },
  }),
];

const options = { 'dry-run': toggle(''), yes: toggle('') };

/** A price list that a page sends, which a second operator may have to approve. */
export const uploadedList: Guarded<Static<typeof file.body>> = {
  name: 'catalog import file',
  may: 'manage',
  isSlow: true,
  subject: (context, { input, text }) =>
    withInput({ options }, input, async ({ 'dry-run': isDryRun, yes: isConfirmed }) => {
      if (isDryRun) return undefined;
      const parts = { author: context, sign: context.vault.sign, clock: context.clock };
      const tried = async () => catalogImports.tried(parts, readImportFile(text));
      return importing(tried, { isConfirmed, which: 'an uploaded price list' });
    }),
  run: (context, { input, text }) =>
    withInput({ options }, input, ({ 'dry-run': isDryRun, yes: isConfirmed }) =>
      importCatalogFile(context, context, text, { isDryRun, isConfirmed }),
    ),
  shown: ({ text }) => ({ File: `${Math.ceil(Buffer.byteLength(text) / 1024)} KB` }),
};

/** Every supplier that has plans or is configured, with its last import and the next. */
async function sources({ context: { db, supplierKinds, config } }: OperatorCall) {
  const known = new Map((await listSuppliers(db)).map((one) => [one.supplier, one]));
  const schedule = new Map(
    (await listSchedule(db, supplierKinds, config.catalogSyncMs)).map((one) => [one.supplier, one]),
  );
  const named = new Map(namedSuppliers(supplierKinds).map(({ slug, kind }) => [slug, kind]));
  const withPrevious = await catalogImports.withPrevious(db);
  const slugs = [...new Set([...known.keys(), ...schedule.keys()])].sort();
  return {
    every_hours: config.catalogSyncMs / HOUR,
    sources: await Promise.all(
      slugs.map(async (slug) => {
        const [supplier, planned] = [known.get(slug), schedule.get(slug)];
        const [last] = await catalogImports.list(db, { supplier: slug, limit: 1 });
        return {
          supplier: slug,
          title: supplier?.title ?? slug,
          kind: supplier?.kind ?? named.get(slug) ?? slug.replaceAll('-', '_'),
          /** Whether this process can ask it. */
          is_configured: planned !== undefined,
          plans: supplier?.plans ?? 0,
          on_sale: supplier?.on_sale ?? 0,
          markup_pct: supplier?.markup_pct ?? null,
          imported_at: iso(supplier?.imported_at ?? null),
          next_at: iso(planned?.nextAt ?? null),
          failures: planned?.failures ?? 0,
          last_error: last?.error ?? null,
          /** The last list waits for a confirmation. */
          is_held: last?.isHeld ?? false,
          has_previous: withPrevious.includes(slug),
        };
      }),
    ),
  };
}

async function imports(call: OperatorCall) {
  const { text, id } = filtersFrom(call, 'invalid_input');
  const found = await catalogImports.list(call.context.db, {
    supplier: text('supplier'),
    before: id('before'),
    limit: PAGE + 1,
  });
  return {
    imports: found
      .slice(0, PAGE)
      .map((one) => jsonOf(one, 'id', 'supplier', 'who', 'startedAt', 'finishedAt', 'counts', 'error', 'isHeld')),
    has_more: found.length > PAGE,
  };
}

type FileImported = Awaited<ReturnType<typeof importCatalogFile>>;
