import type { OrderFilter } from '../../../domains/sales/order-lists/order-lists.ts';
import type { Call } from './action.ts';
import { filtersFrom } from './filters.ts';

const MAX_REFERENCE = 200;

/** Which orders a list or a file has, from its address: what members and operators filter by alike. */
export function orderFilterFrom<S extends NonNullable<OrderFilter['state']>>(
  call: Pick<Call, 'query'>,
  states: readonly S[],
) {
  const filters = filtersFrom(call);
  return {
    ...filters.days(),
    state: filters.oneOf('status', states),
    reference: filters.text('reference', MAX_REFERENCE),
    inAnyCase: true,
    iccid: filters.iccid(),
    batchId: filters.id('batch'),
    productId: filters.productId(),
    beforeId: filters.id('before'),
  } as const;
}
