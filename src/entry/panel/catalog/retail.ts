import { exceptionView, setRetailException, setRetailTerms, termsView } from '../../../actions/catalog/pricing.ts';
import type { Catalog } from '../../../domains/catalog/catalog.ts';
import {
  type Ending,
  endings,
  formatMarkup,
  parseMarkup,
  parseRate,
  parseRetailPrice,
  type RetailPrices,
  type RetailTerms,
  readRetail,
} from '../../../domains/catalog/retail/retail.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Base } from '../../../worlds/base.ts';
import { shortText } from '../../site/json/action.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';

/** The partner's retail prices, in both worlds. Every role sees them; roles that may spend change them. */
export const retailActions = ({ db }: Base, catalog: Catalog) => [
  memberRead('/api/retail', {
    may: 'see',
    viewed: {
      plan_prices: true,
      idle_prices: true,
      terms: fields('currency', 'rate', 'markup', 'ending'),
      destinations: fields('code', 'title', 'markup'),
    },
    async read({ member }) {
      return retailView(await readRetail(db, member.partnerId), catalog);
    },
  }),
  memberChange('/api/retail/terms', {
    may: 'spend',
    // An empty markup: none.
    body: Type.Object({ currency: shortText, rate: shortText, markup: shortText, ending: shortText }),
    async handle({ actor, member }, form) {
      return { body: await setRetailTerms(actor, member.partnerId, requireTerms(form)) };
    },
  }),
  memberChange('/api/retail/destination', {
    may: 'spend',
    // Empty: the general markup.
    body: Type.Object({ code: shortText, markup: shortText }),
    async handle({ actor, member }, { code, markup }) {
      const destination = catalog.destination(code);
      // One that is no longer sold can still be taken off the list.
      if (!destination && markup.trim() !== '') throw new Refused('not_found', 'we do not know this destination');
      const target = destination?.code ?? code;
      const wanted = { scope: 'destination', target, markup: requireMarkup(markup) } as const;
      return { body: exceptionView(await setRetailException(actor, member.partnerId, () => wanted)) };
    },
  }),
  memberChange('/api/retail/plan', {
    may: 'spend',
    // Empty: the price follows the rules.
    body: Type.Object({ plan: shortText, price: shortText }),
    async handle({ actor, member }, { plan, price }) {
      const text = plain(price);
      if (!catalog.byAlias(plan) && text !== '') throw new Refused('product_not_found');
      const set = await setRetailException(actor, member.partnerId, ({ currency }) => ({
        scope: 'plan',
        target: plan,
        price: text === '' ? null : requirePrice(text, currency),
        currency,
      }));
      return { body: exceptionView(set) };
    },
  }),
];

/** As people type numbers. */
const plain = (text: string): string => text.trim().replace(',', '.');

function requireMarkup(text: string): number | null {
  const typed = plain(text).replace(/\s*%$/, '');
  if (typed === '') return null;
  const markup = parseMarkup(typed);
  if (markup === undefined) throw new Refused('invalid_markup');
  return markup;
}

function requirePrice(text: string, currency: string) {
  const price = parseRetailPrice(text, currency);
  if (price === undefined) throw new Refused('invalid_amount');
  return price;
}

function requireTerms(form: { currency: string; rate: string; markup: string; ending: string }): RetailTerms {
  const currency = form.currency.trim().toUpperCase() || 'USD';
  if (!/^[A-Z]{3}$/.test(currency)) throw new Refused('invalid_currency');
  const rateMicros = currency === 'USD' ? 1_000_000n : parseRate(plain(form.rate));
  if (rateMicros === undefined) throw new Refused('invalid_rate');
  if (!Object.hasOwn(endings, form.ending))
    throw new Refused('invalid_input', `ending must be one of ${Object.keys(endings).join(', ')}`);
  return { currency, rateMicros, markup: requireMarkup(form.markup), ending: form.ending as Ending };
}

const retailView = ({ terms, exceptions: { markups, prices, idlePrices } }: RetailPrices, catalog: Catalog) => ({
  terms: termsView(terms),
  destinations: [...markups].map(([code, markup]) => ({
    code,
    title: catalog.destination(code)?.title ?? code,
    markup: formatMarkup(markup),
  })),
  /** How many plans have a price of their own. */
  plan_prices: prices.size,
  /** How many of them were typed in another currency, and wait until it is used again. */
  idle_prices: idlePrices,
});
