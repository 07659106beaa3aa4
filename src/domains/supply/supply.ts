import { type Micros, toMicros } from '../../platform/amounts/cents.ts';
import { type Clock, MINUTE, SECOND } from '../../platform/clock.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Services } from '../../platform/start/services.ts';
import { type AccountValues, openAccounts, type StoredAccount, supplierAccounts } from './accounts/account-store.ts';
import { type OpenAccount, openAccount } from './accounts/open-account.ts';
import { type Adapter, accountName, createRegistry, isInEnvironment } from './accounts/registry.ts';
import { openAiralo } from './adapters/airalo/airalo.ts';
import { openEsimAccess } from './adapters/esim-access/esim-access.ts';
import { openEsimGo } from './adapters/esim-go/esim-go.ts';
import { embeddedSimulated, openSimulated } from './adapters/simulated/simulated.ts';
import { behaviours, setBehaviour, setUsage } from './adapters/simulated/store.ts';
import { openZendit } from './adapters/zendit/zendit.ts';
import { measuredAdapters, measuredSupplier, type ObserveCall } from './health/figures.ts';
import type { Supplier, SupplierOrder } from './port/port.ts';

const LIMIT_MS = 10 * SECOND;

/** One call that changes nothing and costs nothing: it shows whether the supplier can be reached with our credentials. */
export async function testCall(supplier: Supplier, clock: Clock) {
  const startedAt = clock.now();
  /** `balance`: read what is left there. `look-up`: ask for an order that does not exist, where the API has no balance. */
  const ended = (call: 'balance' | 'look-up', balance: Micros | null, reason: string | null) => {
    return { call, ok: reason === null, ms: clock.now() - startedAt, balance, reason };
  };
  if (supplier.balance) {
    const answer = await supplier.balance(LIMIT_MS);
    return answer.outcome === 'balance'
      ? ended('balance', answer.balance, null)
      : ended('balance', null, answer.reason);
  }
  const answer = await supplier.find(noSuchOrder(startedAt), LIMIT_MS);
  const hasFailed = answer.outcome === 'unavailable' || answer.outcome === 'unknown';
  return ended('look-up', null, hasFailed ? answer.reason : null);
}

/** Our references begin with `wf-`, so no order can have this one. */
const noSuchOrder = (now: number): SupplierOrder => ({
  reference: 'connection-test',
  plan: '',
  refillOf: null,
  amountMb: 0,
  day: 0,
  cost: toMicros(0n),
  paidAt: new Date(now),
  orderedAt: null,
  supplierOrder: null,
  script: null,
});

export {
  type AccountValues,
  type StoredAccount,
  SUPPLIERS_CHANNEL,
  supplierAccounts,
} from './accounts/account-store.ts';
export { importList, listSchedule, listSyncJob, tryList } from './accounts/list-sync.ts';
export { type SupplierNotice, supplierNotices } from './accounts/notices.ts';
export type { Suppliers } from './accounts/registry.ts';
export { type AccountSource, hasSettings, isInEnvironment, namedSuppliers, sourceOf } from './accounts/registry.ts';
export { Breakers } from './health/breaker.ts';
export type { ObserveCall } from './health/figures.ts';
export { createSupplierFigures, supplierFiguresJob } from './health/figures.ts';
export { balancesJob, type CallFigures, noCalls, type SupplierHealth, supplierHealth } from './health/health.ts';

export const simulation = { behaviours, setBehaviour, setUsage };

type SupplierSettings = Pick<
  Config,
  'simulatedSupplierUrl' | 'airalo' | 'esimAccess' | 'esimGo' | 'zendit' | 'dayPlanDays' | 'partnerV3'
>;

interface SupplierParts extends Services {
  /** The database the simulated supplier keeps its orders in. */
  readonly url: string;
  readonly observe: ObserveCall;
  /** Adapters by kind that need no account, because they sell our own eSIMs. */
  readonly own?: Readonly<Record<string, Adapter>>;
}

export type SupplierAccounts = ReturnType<typeof openSuppliers>['accounts'];

/** How long the connections of an account are kept after another took its place: longer than any call takes. */
const RETIRED_MS = 10 * MINUTE;

/**
 * The simulated supplier, our own stock, and every wholesale supplier that has credentials. Nothing is connected before the first
 * call.
 */
export function openSuppliers(settings: SupplierSettings, { db, url, clock, log, vault, observe, own }: SupplierParts) {
  const undo = new AsyncDisposableStack();
  const { simulatedSupplierUrl, airalo, esimAccess, esimGo, zendit, dayPlanDays } = settings;
  const opened = {
    simulated: simulatedSupplierUrl ? openSimulated(simulatedSupplierUrl.origin) : embeddedSimulated({ url, clock }),
    ...(airalo && { airalo: openAiralo(airalo, { clock, log }) }),
    ...(esimAccess && { esim_access: openEsimAccess(esimAccess, { clock, log, dayPlanDays }) }),
    ...(esimGo && { esim_go: openEsimGo(esimGo, { db, clock, log }) }),
    ...(zendit && { zendit: openZendit(zendit, { clock, log }) }),
  };
  const adapters: Record<string, Adapter> = { ...own };
  for (const [kind, account] of Object.entries(opened)) {
    undo.defer(() => account.close());
    adapters[kind] = account.supplier;
  }
  const kinds = Object.keys(adapters);
  if (settings.partnerV3.length > 0) {
    // The SDK is loaded only where it is used.
    adapters.partner_v3 = async (slug) => {
      const account = settings.partnerV3.find((one) => one.slug === slug);
      if (!account) return undefined;
      const { openPartnerV3 } = await import('./adapters/partner-v3/partner-v3.ts');
      const opened = openPartnerV3(account, { clock, log });
      undo.defer(() => opened.close());
      return opened.supplier;
    };
    kinds.push(...settings.partnerV3.map(({ slug }) => accountName('partner_v3', slug)));
  }
  const measured = measuredSupplier(observe, clock);
  const accounts = openAccounts(db, log);
  const connections = accountConnections(undo);
  const stored = {
    current: accounts.current,
    async open(account: StoredAccount) {
      const values = supplierAccounts.valuesOf(vault, account);
      const opened = await openAccount({ ...account, values }, { db, clock, log, dayPlanDays });
      return opened && connections.keep(measured(opened.supplier), opened);
    },
    retire: connections.retire,
  };
  return {
    suppliers: createRegistry(db, measuredAdapters(adapters, measured), log, kinds, stored, clock),
    /** What the environment of this process has settings for: kinds of supplier, and accounts of kinds that may have several. */
    kinds: kinds as readonly string[],
    accounts: {
      changed: accounts.changed,
      follow: accounts.follow,
      /** What an account consists of; undefined: the database has none, or the environment comes first. */
      async values(kind: string, slug: string): Promise<AccountValues | undefined> {
        const account = (await accounts.current()).get(slug);
        if (account?.kind !== kind || isInEnvironment(kinds, account)) return undefined;
        return supplierAccounts.valuesOf(vault, account);
      },
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

/** Open accounts of the database. One that was replaced is closed when no call can be using it any more. */
function accountConnections(undo: AsyncDisposableStack) {
  const open = new Map<Supplier, OpenAccount>();
  undo.defer(async () => {
    await Promise.all([...open.values()].map((one) => one.close()));
  });
  return {
    keep(supplier: Supplier, account: OpenAccount): Supplier {
      open.set(supplier, account);
      return supplier;
    },
    retire(supplier: Supplier): void {
      const account = open.get(supplier);
      const close = () => {
        open.delete(supplier);
        void account?.close();
      };
      if (account) setTimeout(close, RETIRED_MS).unref();
    },
  };
}
