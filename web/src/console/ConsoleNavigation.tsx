import { Stack } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingStore,
  IconCash,
  IconClipboardCheck,
  IconFileText,
  IconHistory,
  IconHome,
  IconPlugConnected,
  IconReceipt,
  IconReceiptRefund,
  IconReplace,
  IconRoute,
  IconServer,
  IconShieldCheck,
  IconShieldLock,
  IconTag,
  IconUserCheck,
  IconUsersGroup,
  IconWebhook,
  IconWorld,
} from '../parts/icons.ts';
import { type NavigationItem, NavigationList } from '../parts/NavigationList.tsx';
import { paths } from './paths.ts';

const ofSales: readonly NavigationItem[] = [
  { to: paths.home, label: 'Home', icon: IconHome, end: true },
  { to: paths.orders, label: 'Orders', icon: IconFileText },
  { to: paths.refunds, label: 'Refund requests', icon: IconReceiptRefund },
  { to: paths.replacements, label: 'Replacements', icon: IconReplace },
  { to: paths.partners, label: 'Partners', icon: IconBuildingStore },
  { to: paths.applications, label: 'Applications', icon: IconClipboardCheck },
];

/** Pages about plans and prices. */
const ofTrade: readonly NavigationItem[] = [
  { to: paths.prices, label: 'Prices', icon: IconTag },
  { to: paths.catalog, label: 'Catalog', icon: IconWorld },
  { to: paths.money, label: 'Money', icon: IconCash },
  { to: paths.invoices, label: 'Invoices', icon: IconReceipt },
  { to: paths.proposals, label: 'Proposals', icon: IconUserCheck },
];

const ofService: readonly NavigationItem[] = [
  { to: paths.suppliers, label: 'Suppliers', icon: IconPlugConnected },
  { to: paths.routes, label: 'Routes', icon: IconRoute },
  { to: paths.webhooks, label: 'Webhooks', icon: IconWebhook },
  { to: paths.incidents, label: 'Incidents', icon: IconAlertTriangle },
  { to: paths.audit, label: 'Audit log', icon: IconHistory },
  { to: paths.privacy, label: 'Privacy', icon: IconShieldCheck },
  { to: paths.system, label: 'System', icon: IconServer },
  { to: paths.staff, label: 'Operators', icon: IconUsersGroup },
  { to: paths.security, label: 'Security', icon: IconShieldLock },
];

export const consolePages: readonly NavigationItem[] = [...ofSales, ...ofTrade, ...ofService];

export function ConsoleNavigation({ onGo }: { onGo: () => void }) {
  return (
    <Stack gap="md">
      <NavigationList title="Sales" items={ofSales} onGo={onGo} />
      <NavigationList title="Trade" items={ofTrade} onGo={onGo} />
      <NavigationList title="Service" items={ofService} onGo={onGo} />
    </Stack>
  );
}
