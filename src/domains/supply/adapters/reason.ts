import type { Failed } from '../../../platform/http/call.ts';

/** Why a call got no result, in the words of the supplier port. */
export const reasonOf = ({ failed, answered }: Failed): { readonly reason: string; readonly silent?: true } =>
  answered ? { reason: failed } : { reason: failed, silent: true };
