import { queryOptions } from '@tanstack/react-query';
import type { RetailView } from '../../../../src/entry/panel/catalog/retail.ts';
import { get, post } from '../../parts/server/client.ts';

export type Retail = RetailView;

export const retail = queryOptions({ queryKey: ['retail'], queryFn: () => get<Retail>('/api/retail') });

export interface RetailTermsForm {
  readonly currency: string;
  readonly rate: string;
  readonly markup: string;
  readonly ending: string;
}

export const setRetailTerms = (form: RetailTermsForm) => post<Retail['terms']>('/api/retail/terms', form);
export const setRetailMarkup = (form: { readonly code: string; readonly markup: string }) =>
  post('/api/retail/destination', form);
/** '' if the plan has no price of its own. */
export const setRetailPrice = (form: { readonly plan: string; readonly price: string }) =>
  post('/api/retail/plan', form);

/** In the currency it is sold in. */
export const inCurrency = (amount: string | number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount));
