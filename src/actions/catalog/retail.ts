import {
  type Exception,
  findTerms,
  formatMarkup,
  formatRetail,
  type RetailTerms,
  saveException,
  saveTerms,
} from '../../domains/catalog/retail/retail.ts';
import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { formatMicros, toMicros } from '../../platform/amounts/cents.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import type { Actor } from '../actor.ts';

export const termsView = ({ currency, rateMicros, markup, ending }: RetailTerms) => ({
  currency,
  rate: formatMicros(toMicros(rateMicros)).replace(/\.?0+$/, ''),
  markup: markup === null ? null : formatMarkup(markup),
  ending,
});

export const setRetailTerms = (actor: Actor, partnerId: number, terms: RetailTerms) =>
  amend(
    actor,
    'retail set',
    `partner ${partnerId}`,
    async (tx) => termsView(await findTerms(tx, partnerId)),
    async (tx) => {
      await requireOpenPartner(tx, partnerId);
      await saveTerms(tx, partnerId, terms);
    },
  );

/** The retail price of one plan, or the markup for one destination. A plan's price is in the current currency of the terms. */
export const setRetailException = (
  actor: Actor,
  partnerId: number,
  exceptionIn: (terms: RetailTerms) => Exception,
): Promise<Exception> =>
  change(actor, 'retail price set', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const exception = exceptionIn(await findTerms(tx, partnerId));
    await saveException(tx, partnerId, exception);
    return { target: `partner ${partnerId}`, after: exceptionView(exception), result: exception };
  });

export const exceptionView = (exception: Exception) =>
  exception.scope === 'plan'
    ? {
        plan: exception.target,
        retail_price: exception.price === null ? null : formatRetail(exception.price),
        currency: exception.currency,
      }
    : { destination: exception.target, markup: exception.markup === null ? null : formatMarkup(exception.markup) };
