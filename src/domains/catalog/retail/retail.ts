/** Partners' own retail prices, for their panel only. The API does not return them. */
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
