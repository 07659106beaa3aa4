import { type Sought, type SoughtState, soughtStates } from '../../../domains/sales/order-lists/order-lists.ts';
import { type InvalidField, Refused } from '../../../platform/contract/refused.ts';
import type { Call } from '../../site/json/action.ts';
import { requireRange } from '../../site/json/time-range.ts';

const MAX_REFERENCE = 200;

/** Which orders a page or a file lists, from its address. Unlike the contract's list, it has failed orders unless a status is chosen. */
export function requireSought({ query }: Pick<Call, 'query'>): Sought {
  const { from, to } = requireRange(query);
  return {
    state: stateOf(query('status')),
    reference: matching(query('reference'), new RegExp(`^.{1,${MAX_REFERENCE}}$`, 'su'), 'reference'),
    inAnyCase: true,
    iccid: matching(query('iccid'), /^\d{5,22}$/, 'iccid'),
    batchId: idOf(query('batch'), 'batch'),
    productId: matching(query('product_id'), /^esc_[0-9a-f]{16}$/, 'product_id'),
    keyId: numberOf(query('key'), 'key'),
    from: query('from') === '' ? undefined : from,
    to: query('to') === '' ? undefined : to,
    beforeId: idOf(query('before'), 'before'),
  };
}

const invalid = (field: InvalidField, message: string): Refused => new Refused(`invalid_${field}`, message);

function stateOf(text: string): SoughtState {
  const state = text === '' ? 'any' : soughtStates.find((one) => one === text);
  if (!state) throw invalid('status', `the status must be one of ${soughtStates.join(', ')}`);
  return state;
}

function matching(text: string, pattern: RegExp, field: 'reference' | 'iccid' | 'product_id'): string | undefined {
  if (text === '') return undefined;
  if (!pattern.test(text)) throw invalid(field, `"${text.slice(0, 40)}" cannot be ${names[field]}`);
  return text;
}

const names = { reference: 'a reference', iccid: 'an ICCID', product_id: 'the id of a plan' } as const;

function numberOf(text: string, field: 'key'): number | undefined {
  if (text === '') return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalid(field, 'this is not the id of an API key');
  return Number(text);
}

function idOf(text: string, field: 'batch' | 'before'): bigint | undefined {
  if (text === '') return undefined;
  const what = field === 'batch' ? 'a batch' : 'an order';
  if (!/^[1-9]\d{0,17}$/.test(text)) throw invalid(field, `this is not the id of ${what}`);
  return BigInt(text);
}
