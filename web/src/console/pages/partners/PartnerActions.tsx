import type { Partner } from '../../api/partners.ts';
import { ViewAsPartner } from '../../components/ViewAsPartner.tsx';

/** What can be done with a partner as a whole, beside the title. */
export const PartnerActions = ({ of: { id, status } }: { of: Partner }) =>
  status !== 'closed' && <ViewAsPartner id={id} />;
