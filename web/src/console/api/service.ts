import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, address, type BodyOf, get, post } from '../../parts/server/calls.ts';
import { andThen, type Query } from '../../parts/server/client.ts';
import { requireResult } from './actions.ts';

type SuppliersView = AnswerOf<'GET /operator/api/suppliers'>;
export type Supplier = SuppliersView['suppliers'][number];
export type CallFigures = Supplier['hour'];
export type AccountKind = SuppliersView['kinds'][number];
export type Charge = AnswerOf<'GET /operator/api/suppliers/charges'>['charges'][number];

export const suppliersKey = ['operator', 'suppliers'] as const;
export const suppliers = queryOptions({
  queryKey: [...suppliersKey, 'list'],
  queryFn: () => get('/operator/api/suppliers'),
});
export const charges = queryOptions({
  queryKey: [...suppliersKey, 'charges'],
  queryFn: () => get('/operator/api/suppliers/charges'),
});

export const addSupplier = (input: BodyOf<'POST /operator/api/suppliers/add'>) =>
  andThen(post('/operator/api/suppliers/add', input), requireResult);
export const changeAccount = (input: BodyOf<'POST /operator/api/suppliers/account'>) =>
  andThen(post('/operator/api/suppliers/account', input), requireResult);

export type PlanStock = AnswerOf<'GET /operator/api/stock'>['plans'][number];
export const stock = (supplier: string) =>
  queryOptions({
    queryKey: [...suppliersKey, 'stock', supplier],
    queryFn: () => get('/operator/api/stock', { supplier }),
  });
/** Sends the text of a file. Dates are text in what comes back. */
export const importStock = ({
  text,
  ...input
}: Readonly<Record<string, string | boolean>> & { readonly text: string }) =>
  andThen(post('/operator/api/stock/import', { input, text }), ({ result }) => result);

type WebhookPart = 'dead' | 'receivers' | 'stopped' | 'slow' | 'requeueable';
type Webhooks<P extends WebhookPart> = AnswerOf<`GET /operator/api/webhooks/${P}`>;
export type DeadLetter = Webhooks<'dead'>['letters'][number];
export type Receiver = Webhooks<'receivers'>['receivers'][number];
export type Stopped = Webhooks<'stopped'>['subscriptions'][number];
export type Slow = Webhooks<'slow'>['receivers'][number];

/** Names of the filters of dead letters, in the page's address as in the server's. */
export const deadFilters = ['partner', 'receiver', 'event', 'from', 'to'] as const;
export type DeadFilter = { readonly mode: Mode } & {
  readonly [K in (typeof deadFilters)[number]]?: string | undefined;
};

export const webhooksKey = ['operator', 'webhooks'] as const;
const webhooks = <P extends WebhookPart>(part: P, query: Query) =>
  queryOptions({
    queryKey: [...webhooksKey, part, query],
    queryFn: () =>
      get<`/operator/api/webhooks/${WebhookPart}`>(`/operator/api/webhooks/${part}`, query) as Promise<Webhooks<P>>,
  });
export const deadLetters = (filter: Query) => webhooks('dead', filter);
export const receivers = (filter: Query) => webhooks('receivers', filter);
export const stopped = (mode: string) => webhooks('stopped', { mode });
export const slow = (mode: string) => webhooks('slow', { mode });
/** Read afresh when the dialog opens, then left alone while the person decides. */
export const requeueable = (filter: Query) => ({
  ...webhooks('requeueable', filter),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
});

export type AuditEntry = AnswerOf<'GET /operator/api/audit'>['entries'][number];
export const auditFilters = ['who', 'what', 'partner', 'target', 'from', 'to'] as const;
export const audit = (filter: Query) =>
  queryOptions({
    queryKey: ['operator', 'audit', filter],
    queryFn: () => get('/operator/api/audit', filter),
  });
export const auditFile = (filter: Query): string => address('/operator/api/audit.csv', filter);

export type System = AnswerOf<'GET /operator/api/system'>;
export type Process = System['processes'][number];
export type JobState = System['jobs'][number];
export type Setting = System['settings'][number];
export type Mail = AnswerOf<'GET /operator/api/system/mail'>['mails'][number];
export const systemKey = ['operator', 'system'] as const;
export const system = queryOptions({
  queryKey: [...systemKey, 'now'],
  queryFn: () => get('/operator/api/system'),
});
export const database = queryOptions({
  queryKey: [...systemKey, 'database'],
  queryFn: () => get('/operator/api/system/database'),
});
export const mails = (status: string) =>
  queryOptions({
    queryKey: [...systemKey, 'mail', status],
    queryFn: () => get('/operator/api/system/mail', { status }),
  });
