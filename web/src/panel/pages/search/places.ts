import { IconAdjustmentsHorizontal, IconCash, IconHistory } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { personalSettings, sectionsOf } from '../../../subjects/search/personalSettings.ts';
import type { Place } from '../../../subjects/search/SearchDialog.tsx';
import { usePages } from '../../Navigation.tsx';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';

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
