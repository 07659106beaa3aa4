/** A keyed hash of a text for one purpose, in hex. */
export type Sign = (purpose: string, text: string) => string;

/**
 * What partners call a plan: opaque, and made without asking the database. It is stored with the plan, so it stays the same
 * when the key behind it is replaced.
 */
export function aliasOf(planId: number, sign: Sign): string {
  return `esc_${sign('product alias', String(planId)).slice(0, 16)}`;
}

export const ALIAS = /^esc_[0-9a-f]{16}$/;
