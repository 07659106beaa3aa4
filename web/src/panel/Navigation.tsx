import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../src/domains/partners/people/people.ts';
import {
  IconAdjustmentsHorizontal,
  IconBook,
  IconCash,
  IconChartBar,
  IconDeviceMobile,
  IconDeviceSim,
  IconFileText,
  IconFlask,
  IconHelp,
  IconHome,
  IconKey,
  IconListDetails,
  IconReceipt,
  IconShieldLock,
  IconTag,
  IconWebhook,
  IconWorld,
} from '../parts/icons.ts';
import type { Mode } from '../parts/mode.ts';
import { modeName } from '../parts/mode.ts';
import { type NavigationItem, NavigationList } from '../parts/NavigationList.tsx';
import { me } from './api/session.ts';
import { paths } from './paths.ts';
import { useMay } from './useMay.ts';

interface Item extends NavigationItem {
  /** Listed only for roles that may see the page. */
  readonly may?: Permission;
}

/** Pages about plans and prices. */
const ofWorld = (mode: Mode): Item[] => [
  { to: paths.overview(mode), label: 'Overview', icon: IconHome, end: true },
  { to: paths.orders(mode), label: 'Orders', icon: IconFileText },
  { to: paths.esims(mode), label: 'eSIMs', icon: IconDeviceSim },
  { to: paths.helpRequests(mode), label: 'Help requests', icon: IconHelp },
  { to: paths.catalog(mode), label: 'Catalog', icon: IconWorld },
  { to: paths.insight(mode), label: 'Insight', icon: IconChartBar },
  { to: paths.money(mode), label: 'Money', icon: IconCash, may: 'see-money' },
  { to: paths.invoices(mode), label: 'Invoices', icon: IconReceipt, may: 'see-money' },
];

/** Pages for building and monitoring an integration. */
const forDevelopers = (mode: Mode): Item[] => [
  { to: paths.webhooks(mode), label: 'Webhooks', icon: IconWebhook },
  { to: paths.requests(mode), label: 'Request log', icon: IconListDetails, may: 'see-keys' },
  { to: paths.keys, label: 'API keys', icon: IconKey, may: 'see-keys' },
  { to: paths.reference, label: 'API reference', icon: IconBook },
  ...(mode === 'sandbox' ? [{ to: paths.sandboxTools, label: 'Sandbox tools', icon: IconFlask }] : []),
];

const ofAccount: readonly Item[] = [
  { to: paths.travellerPage, label: 'Traveller’s page', icon: IconDeviceMobile },
  { to: paths.retail, label: 'Retail prices', icon: IconTag },
  { to: paths.settings, label: 'Settings', icon: IconAdjustmentsHorizontal },
  { to: paths.security, label: 'Security', icon: IconShieldLock },
];

function useAllowed(): (items: readonly Item[]) => readonly Item[] {
  const may = useMay();
  return (items) => items.filter((item) => item.may === undefined || may(item.may));
}

/** Every page of the navigation that the member may see. */
export const usePages = (mode: Mode): readonly NavigationItem[] =>
  useAllowed()([...ofWorld(mode), ...forDevelopers(mode), ...ofAccount]);

export function Navigation({ mode, onGo }: { mode: Mode; onGo: () => void }) {
  const allowed = useAllowed();
  // Not in part before it is known what the member may see: the rest would push it down.
  if (useQuery(me).isPending) return null;
  return (
    <Stack gap="md">
      <NavigationList title={modeName[mode]} items={allowed(ofWorld(mode))} onGo={onGo} />
      <NavigationList title="Developers" items={allowed(forDevelopers(mode))} onGo={onGo} />
      <NavigationList title="Account" items={allowed(ofAccount)} onGo={onGo} />
    </Stack>
  );
}
