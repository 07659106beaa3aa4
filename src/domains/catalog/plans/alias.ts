/** A keyed hash of a text for one purpose, in hex. */
export type Sign = (purpose: string, text: string) => string;

/**
 * The public id of a plan. It is opaque and needs no query to make. It is stored with the plan, so it survives a change of the
 * signing key.
 */
export function aliasOf(planId: number, sign: Sign): string {
  return `esc_${sign('product alias', String(planId)).slice(0, 16)}`;
}

export const ALIAS = /^esc_[0-9a-f]{16}$/;
