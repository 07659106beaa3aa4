/** What partners sell for: their own retail prices, for their panel alone. The API knows nothing of them. */
export {
  type Ending,
  endings,
  formatMarkup,
  formatRetail,
  inDollars,
  marginOf,
  marginPercent,
  parseMarkup,
  parseRate,
  parseRetailPrice,
} from './formula.ts';
export type { RetailPrices, RetailTerms } from './prices.ts';
export { type Exception, findTerms, readRetail, saveException, saveTerms } from './store.ts';
export { type RetailSums, retailSums } from './sums.ts';
