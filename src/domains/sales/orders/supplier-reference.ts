import type { Mode } from '../../../platform/contract/mode.ts';

/** Our name for an order at a supplier, the same at every try. Each supplier that is asked after the first gets one with its number. */
export const supplierReferenceOf = ({ schema }: { readonly schema: Mode }, orderId: bigint, number = 1): string =>
  number > 1 ? `wf-${schema}-${orderId}-${number}` : `wf-${schema}-${orderId}`;

/** The order a reference names: ours, also with the time of payment that real suppliers get in it, and with the number of a later one. */
export function orderOfReference({ schema }: { readonly schema: Mode }, text: string): bigint | undefined {
  const [, name, id = ''] = /^wf-([a-z]+)-(\d{1,18})(?:-\d{1,12}){0,2}$/.exec(text) ?? [];
  return name === schema ? BigInt(id) : undefined;
}
