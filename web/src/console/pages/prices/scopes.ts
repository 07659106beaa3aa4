import type { RuleScope } from '../../../../../src/domains/catalog/prices/prices.ts';

/** What a rule applies to, in words. */
export const scopeName: Readonly<Record<RuleScope, string>> = {
  product: 'One plan',
  provider: 'A supplier',
  country: 'A country',
  region: 'A region',
};

export const scopes = Object.entries(scopeName).map(([value, label]) => ({ value, label }));
