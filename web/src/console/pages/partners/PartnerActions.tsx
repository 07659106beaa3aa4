import type { Partner } from '../../api/partners.ts';
import { ViewAsPartner } from './ViewAsPartner.tsx';

/** What can be done with a partner as a whole, beside the title. A closed account has no panel any more. */
export function PartnerActions({ of }: { of: Partner }) {
  return of.closed_at === null && <ViewAsPartner id={of.id} />;
}
