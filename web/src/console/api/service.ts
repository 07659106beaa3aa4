import { queryOptions } from '@tanstack/react-query';
import type { StockImported, StockView } from '../../../../src/entry/console/supply/stock.ts';
import type {
  AccountKindView,
  ChargesView,
  SuppliersView,
  SupplierView,
} from '../../../../src/entry/console/supply/suppliers.ts';
import type { AuditView } from '../../../../src/entry/console/system/audit.ts';
import type { DatabaseView, MailView, SystemView } from '../../../../src/entry/console/system/system.ts';
import type {
  DeadView,
  ReceiversView,
  RequeueableView,
  SlowView,
  StoppedView,
} from '../../../../src/entry/console/system/webhooks.ts';
import type { Mode } from '../../parts/mode.ts';
import { andThen, get, post, type Query, withQuery } from '../../parts/server/client.ts';
import { type Answered, requireResult } from './actions.ts';

export type Supplier = SupplierView;
export type CallFigures = SupplierView['hour'];
export type AccountKind = AccountKindView;
export type Charge = ChargesView['charges'][number];

export const suppliersKey = ['operator', 'suppliers'] as const;
export const suppliers = queryOptions({
  queryKey: [...suppliersKey, 'list'],
  queryFn: () => get<SuppliersView>('/operator/api/suppliers'),
});
export const charges = queryOptions({
  queryKey: [...suppliersKey, 'charges'],
  queryFn: () => get<ChargesView>('/operator/api/suppliers/charges'),
});

interface AccountInput {
  readonly supplier: string;
  readonly title: string;
  /** Null removes an optional one; fields that are left out stay as they are. */
  readonly settings: Readonly<Record<string, string | null>>;
}
export const addSupplier = (input: AccountInput & { readonly kind: string }) =>
  andThen(post<Answered<object>>('/operator/api/suppliers/add', input), requireResult);
export const changeAccount = (input: AccountInput) =>
  andThen(post<Answered<object>>('/operator/api/suppliers/account', input), requireResult);

export type PlanStock = StockView['plans'][number];
export const stock = (supplier: string) =>
  queryOptions({
    queryKey: [...suppliersKey, 'stock', supplier],
    queryFn: () => get<StockView>('/operator/api/stock', { supplier }),
  });
/** Sends the text of a file. Dates are text in what comes back. */
export const importStock = ({ text, ...input }: Readonly<Record<string, string | boolean>>) =>
  andThen(post<{ result: StockImported }>('/operator/api/stock/import', { input, text }), ({ result }) => result);

export type DeadLetter = DeadView['letters'][number];
export type Receiver = ReceiversView['receivers'][number];
export type Stopped = StoppedView['subscriptions'][number];
export type Slow = SlowView['receivers'][number];

/** Names of the filters of dead letters, in the page's address as in the server's. */
export const deadFilters = ['partner', 'receiver', 'event', 'from', 'to'] as const;
export type DeadFilter = { readonly mode: Mode } & {
  readonly [K in (typeof deadFilters)[number]]?: string | undefined;
};

export const webhooksKey = ['operator', 'webhooks'] as const;
const webhooks = <T>(part: string, query: Query) =>
  queryOptions({
    queryKey: [...webhooksKey, part, query],
    queryFn: () => get<T>(`/operator/api/webhooks/${part}`, query),
  });
export const deadLetters = (filter: Query) => webhooks<DeadView>('dead', filter);
export const receivers = (filter: Query) => webhooks<ReceiversView>('receivers', filter);
export const stopped = (mode: string) => webhooks<StoppedView>('stopped', { mode });
export const slow = (mode: string) => webhooks<SlowView>('slow', { mode });
/** Read afresh when the dialog opens, then left alone while the person decides. */
export const requeueable = (filter: Query) => ({
  ...webhooks<RequeueableView>('requeueable', filter),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
});

export type AuditEntry = AuditView['entries'][number];
export const auditFilters = ['who', 'what', 'partner', 'target', 'from', 'to'] as const;
export const audit = (filter: Query) =>
  queryOptions({
    queryKey: ['operator', 'audit', filter],
    queryFn: () => get<AuditView>('/operator/api/audit', filter),
  });
export const auditFile = (filter: Query): string => withQuery('/operator/api/audit.csv', filter);

export type System = SystemView;
export type Process = SystemView['processes'][number];
export type JobState = SystemView['jobs'][number];
export type Setting = SystemView['settings'][number];
export type Mail = MailView['mails'][number];
export const systemKey = ['operator', 'system'] as const;
export const system = queryOptions({
  queryKey: [...systemKey, 'now'],
  queryFn: () => get<SystemView>('/operator/api/system'),
});
export const database = queryOptions({
  queryKey: [...systemKey, 'database'],
  queryFn: () => get<DatabaseView>('/operator/api/system/database'),
});
export const mails = (status: string) =>
  queryOptions({
    queryKey: [...systemKey, 'mail', status],
    queryFn: () => get<MailView>('/operator/api/system/mail', { status }),
  });
