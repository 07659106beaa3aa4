import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { address, get, post } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';
import type { BillingTexts } from '../../subjects/invoices/billing.ts';

/** Of the files below it, too. */
export const invoiceAddress = (mode: Mode, number: string) =>
  address('/api/{mode}/invoices/{number}', { mode, number });

export const invoices = (mode: Mode, query: Query) =>
  queryOptions({
    queryKey: [mode, 'invoices', query],
    queryFn: () => get('/api/{mode}/invoices', { mode, ...query }),
  });

export const invoice = (mode: Mode, number: string) =>
  queryOptions({
    queryKey: [mode, 'invoices', number],
    queryFn: () => get('/api/{mode}/invoices/{number}', { mode, number }),
  });

/** The lines of all documents of a month. */
export const linesFile = (mode: Mode, month: string): string =>
  address('/api/{mode}/invoice-lines.csv', { mode, month });

export const billingKey = ['billing-details'] as const;
export const billingDetails = queryOptions({ queryKey: billingKey, queryFn: () => get('/api/billing-details') });
export const setBillingDetails = (texts: BillingTexts) => post('/api/billing-details', texts);
