import { Stack } from '@mantine/core';
import { IconHome, IconSettings, IconUsersGroup, IconWallet } from '@tabler/icons-react';
import { type NavigationItem, NavigationList } from '../components/NavigationList.tsx';
import { paths } from './paths.ts';

const ofSales: readonly NavigationItem[] = [
  { to: paths.home, label: 'Home', icon: IconHome, end: true },
  // orders, refunds, partners
];

/** What is sold and for how much. */
const ofTrade: readonly NavigationItem[] = [
  // prices, catalog, money
  { to: paths.money, label: 'Money', icon: IconWallet },
];

const ofService: readonly NavigationItem[] = [
  // suppliers, webhooks, audit, system
  { to: paths.staff, label: 'Operators', icon: IconUsersGroup },
  { to: paths.settings, label: 'Settings', icon: IconSettings },
];

export function ConsoleNavigation({ onGo }: { onGo: () => void }) {
  return (
    <Stack gap="md">
      <NavigationList title="Sales" items={ofSales} onGo={onGo} />
      <NavigationList title="Trade" items={ofTrade} onGo={onGo} />
      <NavigationList title="Service" items={ofService} onGo={onGo} />
    </Stack>
  );
}
