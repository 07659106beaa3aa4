import type { Mode } from '../contract/mode.ts';

/** Our name for an order at its supplier, the same at every try. */
export const referenceOf = ({ schema }: { readonly schema: Mode }, orderId: bigint): string =>
  `wf-${schema}-${orderId}`;
