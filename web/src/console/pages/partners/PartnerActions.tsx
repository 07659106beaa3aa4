import type { Partner } from '../../api/partners.ts';

/** What can be done with a partner as a whole, beside the title. */
export function PartnerActions({ of: _ }: { of: Partner }) {
  return null;
}
