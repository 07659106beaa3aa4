import type { Mode } from '../contract/mode.ts';

/** Our name for an order at its supplier, the same at every try. */
export const supplierReferenceOf = ({ schema }: { readonly schema: Mode }, orderId: bigint): string =>
  `wf-${schema}-${orderId}`;

/** The order a reference names: ours, also with the time of payment that real suppliers get behind it. */
export function orderOfReference({ schema }: { readonly schema: Mode }, text: string): bigint | undefined {
  const [, name, id = ''] = /^wf-([a-z]+)-(\d{1,18})(?:-\d{1,12})?$/.exec(text) ?? [];
  return name === schema ? BigInt(id) : undefined;
}
