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
export {
  type Exception,
  findTerms,
  type RetailSums,
  readRetail,
  retailSums,
  saveException,
  saveTerms,
} from './store.ts';
