import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { address, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

export type {
  InvoiceListView,
  InvoicePageView,
  InvoiceRowOfPartner,
  InvoiceSettingsView,
} from '../../../../src/entry/console/money/invoices.ts';

export const allInvoices = ['invoices'] as const;

/** Of the files below it, too. */
export const invoiceAddress = (mode: Mode, number: string) =>
  address('/operator/api/{mode}/invoices/{number}', { mode, number });

export const invoices = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [...allInvoices, 'list', mode, query],
    queryFn: () => get('/operator/api/{mode}/invoices', { mode, ...query }),
  });

export const invoice = (mode: Mode, number: string) =>
  queryOptions({
    queryKey: [...allInvoices, 'one', mode, number],
    queryFn: () => get('/operator/api/{mode}/invoices/{number}', { mode, number }),
  });

export const invoiceSettings = queryOptions({
  queryKey: [...allInvoices, 'settings'],
  queryFn: () => get('/operator/api/invoice-settings'),
});
