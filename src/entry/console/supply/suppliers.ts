import {
  accountSubject,
  addingSupplier,
  addSupplier,
  changeSupplier,
  requireAddable,
  shownAccount,
} from '../../../actions/supply/supplier-accounts.ts';
import {
  catalogImports,
  listSuppliers,
  type OperatorSupplier,
  type PastImport,
} from '../../../domains/catalog/catalog.ts';
import { orderAttempts } from '../../../domains/sales/orders/orders.ts';
import { type ChargeDifference, chargeDifferences } from '../../../domains/sales/purchase/purchase.ts';
import {
  type AccountSource,
  type CallFigures,
  hasSettings,
  namedSuppliers,
  noCalls,
  type StoredAccount,
  type SupplierHealth,
  sourceOf,
  supplierAccounts,
  supplierHealth,
} from '../../../domains/supply/supply.ts';
import { formatMicros, toMicros } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import { plain } from '../../../platform/contract/json.ts';
import { type Static, Type } from '../../../platform/contract/schema.ts';
import { isSilent, listProcesses, type SeenProcess } from '../../../platform/jobs/processes.ts';
import { accountKinds } from '../../../platform/settings/supplier-fields.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso, jsonOf, shortText } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { operatorChange, operatorRead } from '../action.ts';
import { type CarriedOut, carryOut, type Guarded } from '../four-eyes.ts';

const CHARGES = 50;
const FIGURES_DAYS = 30;

/** Who we buy from, and whether they answer. Figures are those of all processes, from the database. */
export const supplierActions = ({ db, config, supplierKinds, vault }: Base) => [
  operatorRead('/operator/api/suppliers', async ({ now }) => {
    const since = new Date(now - FIGURES_DAYS * DAY);
    const [suppliers, processes, health, accounts, lost] = await Promise.all([
      listSuppliers(db),
      listProcesses(db),
      supplierHealth.read(db, now),
      supplierAccounts.list(db),
      orderAttempts.lostSince(db, since),
    ]);
    const alive = processes.filter((one) => !isSilent(one, now));
    const names = [...supplierKinds, ...alive.flatMap((one) => one.supplierKinds)];
    const own = new Map(accounts.map((account) => [account.slug, account]));
    const all = [...suppliers, ...notImported(suppliers, names, own)];
    const views = await Promise.all(
      all.map(async (supplier) => {
        const [latest] = await catalogImports.list(db, { supplier: supplier.supplier, limit: 1 });
        const called = { slug: supplier.supplier, kind: supplier.kind };
        const account = own.get(called.slug);
        const source = sourceOf(names, called, account !== undefined);
        const shown = source === 'database' && account ? shownAccount(vault, account) : null;
        const view = supplierView(supplier, { source, shown }, latest, alive, health.get(called.slug) ?? noCalls);
        /** Orders of its plans that another supplier delivered in the last days, because it did not. */
        return { ...view, lost: lost.find((one) => one.supplier === called.slug)?.orders ?? 0 };
      }),
    );
    return view(views, alive.length, config.catalogSyncMs);
  }),
  operatorRead('/operator/api/suppliers/charges', async (call) => {
    const supplier = filtersFrom(call).text('supplier');
    const found = await chargeDifferences(db, { supplier, limit: CHARGES });
    return { charges: found.map(chargeView), most: CHARGES };
  }),
];

/**
 * Suppliers with settings in the environment whose list was never imported. A supplier with its own account does not count for
 * them.
 */
const notImported = (
  known: readonly OperatorSupplier[],
  kinds: readonly string[],
  own: ReadonlyMap<string, StoredAccount>,
): OperatorSupplier[] =>
  namedSuppliers(kinds)
    .filter(
      ({ slug, kind }) =>
        !known.some(
          (one) => one.supplier === slug || (kinds.includes(kind) && one.kind === kind && !own.has(one.supplier)),
        ),
    )
    .map(({ slug, kind }) => ({
      supplier: slug,
      title: slug.replaceAll('-', ' '),
      kind,
      plans: 0,
      on_sale: 0,
      markup_pct: null,
      imported_at: null,
      off_since: null,
      balance: null,
      balance_at: null,
      balance_alert: null,
    }));

const figuresView = (figures: CallFigures) =>
  jsonOf(figures, 'calls', 'failed', 'refused', 'averageMs', 'medianMs', 'p95Ms');

const orNull = (at: Date | null): string | null => at && iso(at);

function supplierView(
  { imported_at, off_since, balance_at, ...supplier }: OperatorSupplier,
  { source, shown }: { source: AccountSource | null; shown: ReturnType<typeof shownAccount> | null },
  latest: PastImport | undefined,
  alive: readonly SeenProcess[],
  health: SupplierHealth,
) {
  const called = { slug: supplier.supplier, kind: supplier.kind };
  const isConfigured = ({ supplierKinds }: SeenProcess) => source === 'database' || hasSettings(supplierKinds, called);
  return {
    ...supplier,
    /** Where its account is; null: it has none, or needs none. */
    settings_from: source,
    account: shown && { ...shown, updated_at: iso(shown.updated_at) },
    imported_at: orNull(imported_at),
    off_since: orNull(off_since),
    balance_at: orNull(balance_at),
    /** Whether its last import failed, and why. */
    import_error: latest?.error ?? null,
    import_failed_at: latest?.error ? iso(latest.finishedAt) : null,
    /** Processes with a heartbeat that have settings for it. */
    configured_in: alive.filter(isConfigured).length,
    /** Each process has its own breaker; in so many it was open at their last heartbeat. */
    breaker_open_in: alive.filter(({ silentSuppliers }) => silentSuppliers.includes(supplier.supplier)).length,
    reach: reachOf(health),
    ...jsonOf(health, 'lastAnswerAt', 'lastFailureAt', 'lastFailedCall'),
    hour: figuresView(health.hour),
    day: figuresView(health.day),
    calls: health.ofDay.map(({ call, ...figures }) => ({ call, ...figuresView(figures) })),
  };
}

/** By the latest call of the last day; `unknown`: there was none. */
function reachOf({ lastAnswerAt, lastFailureAt }: SupplierHealth): 'answers' | 'fails' | 'unknown' {
  if (!lastAnswerAt && !lastFailureAt) return 'unknown';
  return (lastAnswerAt?.getTime() ?? 0) >= (lastFailureAt?.getTime() ?? 0) ? 'answers' : 'fails';
}

const view = (
  suppliers: readonly (ReturnType<typeof supplierView> & { readonly lost: number })[],
  processes: number,
  syncMs: number,
) => ({
  suppliers,
  /** With a heartbeat. */
  processes,
  /** How old a list may become before a worker imports it again; 0: only people import lists. */
  list_every_ms: syncMs,
  /** What can be added, and what it needs. */
  kinds: Object.entries(accountKinds).map(([kind, { title, fields }]) => ({
    kind,
    title,
    fields: fields.map(({ pattern: _, ...field }) => field),
  })),
});

const chargeView = ({ expected, charged, ...order }: ChargeDifference) => ({
  ...jsonOf(order, 'orderId', 'partnerId', 'supplier', 'supplierPlan', 'supplierOrder', 'deliveredAt'),
  expected: formatMicros(expected),
  charged: formatMicros(charged),
  difference: formatMicros(toMicros(charged - expected)),
});

/** By the names of the kind's fields; null removes an optional one, fields not named stay. */
const settings = Type.Record(Type.String({ maxLength: 40 }), Type.Union([shortText, Type.Null()]));

const newAccount = Type.Object({ supplier: shortText, kind: shortText, title: shortText, settings });
const accountChange = Type.Object({ supplier: shortText, title: shortText, settings });

const shownDone = (done: CarriedOut) => ('proposal' in done ? done : { result: plain(done.result) });
/** Credentials are among the settings, so only their names are shown. */
const named = (of: Static<typeof settings>): string => Object.keys(of).join(', ') || 'none';

/** Credentials that a page sends, which a second operator may have to approve. */
const addedAccount: Guarded<Static<typeof newAccount>> = {
  name: 'supplier add',
  may: 'manage',
  async subject(context, { supplier: slug, ...given }) {
    requireAddable({ slug, ...given });
    return addingSupplier(context, { slug, ...given });
  },
  run: (context, { supplier: slug, ...given }) => addSupplier(context, context, { slug, ...given }),
  shown: ({ supplier, kind, title, settings: of }) => ({
    Supplier: supplier,
    Kind: kind,
    Title: title,
    Settings: named(of),
  }),
};
const changedAccount: Guarded<Static<typeof accountChange>> = {
  name: 'supplier account',
  may: 'manage',
  subject: (context, { supplier, title, settings: of }) =>
    accountSubject(context, supplier, `Change the account at ${title} (${supplier}): ${named(of)}`),
  run: (context, { supplier, ...changed }) => changeSupplier(context, context, supplier, changed),
  shown: ({ supplier, title, settings: of }) => ({ Supplier: supplier, Title: title, Settings: named(of) }),
};
export const guardedAccounts = [addedAccount, changedAccount] as const;

/** Accounts at suppliers. Credentials can be entered here and are never shown. */
export const supplierAccountActions = [
  operatorChange('/operator/api/suppliers/add', {
    may: 'manage',
    fresh: true,
    noCommand: '`supplier add` reads a file; a page sends the settings',
    body: newAccount,
    handle: async (call, given) => ({ body: shownDone(await carryOut(call, addedAccount, given)) }),
  }),
  operatorChange('/operator/api/suppliers/account', {
    may: 'manage',
    fresh: true,
    noCommand: '`supplier set` reads a file; a page sends the settings',
    body: accountChange,
    handle: async (call, given) => ({ body: shownDone(await carryOut(call, changedAccount, given)) }),
  }),
];
