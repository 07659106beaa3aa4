import {
  IconAlertTriangle,
  IconBuildingStore,
  IconPlugConnected,
  IconReceiptRefund,
  IconTag,
  IconUpload,
  IconUsersGroup,
} from '../../../parts/icons.ts';
import type { Place } from '../../../subjects/search/SearchDialog.tsx';
import { ACTION, useSchemeAction } from '../../../subjects/search/schemeAction.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

/** What operators do often, each on the page that does it. */
export function useActions(): readonly Place[] {
  const may = useMay();
  const on = ACTION;
  const changes: (Place | false)[] = [
    may('money') && { to: paths.refunds, label: 'Decide on refund requests', icon: IconReceiptRefund, on },
    may('support') && { to: paths.incidents, label: 'Write an incident', icon: IconAlertTriangle, on },
    may('manage') && { to: paths.partners, label: 'Create a partner', icon: IconBuildingStore, on },
    may('money') && { to: paths.prices, label: 'Add a price rule', icon: IconTag, on },
    may('manage') && { to: `${paths.catalog}?tab=imports`, label: 'Import a price list', icon: IconUpload, on },
    may('manage') && { to: paths.suppliers, label: 'Add a supplier', icon: IconPlugConnected, on },
    may('manage') && { to: paths.staff, label: 'Invite an operator', icon: IconUsersGroup, on },
  ];
  return [...changes.filter((one) => one !== false), useSchemeAction()];
}
