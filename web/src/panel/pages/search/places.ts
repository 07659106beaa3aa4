import {
  IconAdjustmentsHorizontal,
  IconCash,
  IconClock,
  IconDeviceSim,
  IconHistory,
  IconKey,
  IconTransfer,
  IconWebhook,
} from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { personalSettings, sectionsOf } from '../../../subjects/search/personalSettings.ts';
import type { Place } from '../../../subjects/search/SearchDialog.tsx';
import { ACTION, useSchemeAction } from '../../../subjects/search/schemeAction.ts';
import { usePages } from '../../Navigation.tsx';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';

const settings = { to: paths.settings, label: 'Settings' };

/** Every page the member may see, and the settings on them. */
export function usePlaces(mode: Mode): readonly Place[] {
  const may = useMay();
  const isView = useIsView();
  const tabs = [
    ['Account statement', 'statement'],
    ['Monthly statements', 'months'],
    ['Revenue share', 'share'],
    ['Agreed prices', 'prices'],
  ] as const;
  return [
    ...usePages(mode),
    { to: paths.activity, label: 'Activity', icon: IconHistory, on: 'Settings' },
    ...sectionsOf(settings, may('spend') ? ['Balance alert', 'Members'] : ['Members'], IconAdjustmentsHorizontal),
    ...(isView ? [] : sectionsOf({ to: paths.security, label: 'Security' }, personalSettings)),
    ...(may('see-money')
      ? tabs.map(([label, tab]) => ({ to: paths.money(mode, tab), label, icon: IconCash, on: 'Money' }))
      : []),
  ];
}

/** What is done often, each on the page that does it. */
export function useActions(mode: Mode): readonly Place[] {
  const may = useMay();
  const isView = useIsView();
  const { switchTo } = useMode();
  const scheme = useSchemeAction();
  const other = mode === 'live' ? 'sandbox' : 'live';
  const on = ACTION;
  const changes: (Place | false)[] = [
    may('buy') && { to: paths.catalog(mode), label: 'Buy an eSIM', icon: IconDeviceSim, on },
    may('develop') && { to: paths.keys, label: 'Create an API key', icon: IconKey, on },
    may('develop') && { to: paths.webhooks(mode), label: 'Add a webhook', icon: IconWebhook, on },
    mode === 'live' && may('spend') && { to: paths.money(mode), label: 'Top up', icon: IconCash, on },
    mode === 'sandbox' &&
      may('develop') && { to: paths.sandboxTools, label: 'Advance the test clock', icon: IconClock, on },
  ];
  return [
    ...(isView ? [] : changes.filter((one) => one !== false)),
    { to: '#world', label: `Switch to ${other}`, icon: IconTransfer, on, run: () => switchTo(other) },
    scheme,
  ];
}
