import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';

export type Retail = AnswerOf<'GET /api/retail'>;

export const retail = queryOptions({ queryKey: ['retail'], queryFn: () => get('/api/retail') });

type RetailTermsForm = BodyOf<'POST /api/retail/terms'>;

export const setRetailTerms = (form: RetailTermsForm) => post('/api/retail/terms', form);
export const setRetailMarkup = (form: BodyOf<'POST /api/retail/destination'>) => post('/api/retail/destination', form);
/** '' if the plan has no price of its own. */
export const setRetailPrice = (form: BodyOf<'POST /api/retail/plan'>) => post('/api/retail/plan', form);

/** In the currency it is sold in. */
export const inCurrency = (amount: string | number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount));
